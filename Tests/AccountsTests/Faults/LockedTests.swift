import Accounts
import CSQLite
import Persistence
import Redux
import Testing

/// Somebody else has the database, against the rules.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A database that another connection holds` {
    /// Runs SQL on a connection of its own until `body` is over.
    private func holding(_ sql: String, of path: String, _ body: () async throws -> Void) async throws {
        var opened: OpaquePointer?
        #expect(unsafe sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        let address = UInt(bitPattern: opened)
        #expect(unsafe sqlite3_exec(OpaquePointer(bitPattern: address), sql, nil, nil, nil) == SQLITE_OK)
        try await body()
        _ = unsafe sqlite3_exec(OpaquePointer(bitPattern: address), "ROLLBACK", nil, nil, nil)
        _ = unsafe sqlite3_close(OpaquePointer(bitPattern: address))
    }

    @Test func `for writing refuses actions cleanly, reads go on, and all is right once it lets go`() async throws {
        let start = try await NoteKeeper.prepare()
        let bench = try Bench<FirstNotes>(in: start.folder, environment: NoteWorld(), loops: 1, busyMilliseconds: 20)
        let keeper = NoteKeeper(start.account)
        await keeper.write(1, on: bench)
        try await holding("BEGIN IMMEDIATE", of: "\(start.folder)/\(Copies.database)") { () async throws in
            for number in 2...4 { #expect(await keeper.write(number, on: bench) == .refused) }
            let read = try await bench.open(start.account).get()
            #expect(read.published.revision == 3)
            #expect(!bench.accounts.database.metrics.hasFailed, "nothing is unknown: nothing was begun")
        }
        try await keeper.settle(1...5, on: bench, "once it is let go")
        await bench.end()
    }

    @Test func `for reading keeps the log from starting anew, and nothing else`() async throws {
        let start = try await NoteKeeper.prepare()
        let bench = try Bench<FirstNotes>(in: start.folder, environment: NoteWorld(), loops: 1, busyMilliseconds: 20)
        let keeper = NoteKeeper(start.account)
        try await holding("BEGIN; SELECT COUNT(*) FROM log", of: "\(start.folder)/\(Copies.database)") {
            for number in 1...10 {
                guard case .done = await keeper.write(number, on: bench) else {
                    Issue.record("a reader holds a writer up")
                    return
                }
                if number % 3 == 0 { await bench.checkpoint() }
            }
        }
        try await keeper.settle(1...12, on: bench, "after the reader")
        await bench.end()
    }

    @Test func `for a backup goes on being written, and the copy is of one instant`() async throws {
        let start = try await NoteKeeper.prepare()
        let bench = try Bench<FirstNotes>(in: start.folder, environment: NoteWorld(), loops: 1)
        let keeper = NoteKeeper(start.account)
        let source = "\(start.folder)/\(Copies.database)"
        let copy = "\(start.folder)/copy"
        async let copied: Void = Task.detached { try Inspector.open(path: source, model: nil).backup(to: copy) }.value
        for number in 1...50 { await keeper.write(number, on: bench) }
        try await copied
        try await keeper.compare(with: bench.accounts.database, "beside a backup")
        let found = try Examination(FirstNotes.self, of: Inspector.open(path: copy, model: nil), asking: .isWhole)
        #expect(found.findings == [] && found.accounts == 1)
        await bench.end()
    }
}
