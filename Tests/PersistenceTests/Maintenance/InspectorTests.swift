import Redux
import SQLite
import Testing

@testable import Persistence

@Suite struct InspectorTests {
    let folder: Folder
    let account = Sample.account(1)
    let other = Sample.account(2)

    init() throws { folder = try Folder() }

    /// Two accounts with six entries each and snapshots at 2 and 4.
    private func filled(baseAt base: Revision? = nil) async throws -> Database {
        // The log's index has nothing of it yet.
        let database = try Database.test(folder) { $0.indexGeneration = .max }
        for id in [account, other] {
            database.submit([.createAccount(Sample.record(id))]) { _ in }
            for revision in Revision(1)...6 {
                var writes: [Write] = [.append(Sample.entry(id, revision))]
                if revision == 2 || revision == 4 {
                    writes.append(.snapshot(Sample.snapshot(id, revision, isBase: revision == base)))
                }
                database.submit(writes) { _ in }
            }
        }
        #expect(await database.commit(.forgetIdempotency(before: 0)).fault == nil)
        return database
    }

    private func change(_ sql: String) throws {
        let connection = try Connection(path: folder.database, access: .readWrite)
        try connection.execute(sql)
        #expect(connection.changes > 0)
    }

    /// The steps of a walk, in words.
    private func walk(_ inspector: Inspector, _ id: AccountID) throws -> (steps: [String], findings: [Inspector.Finding]) {
        var steps: [String] = []
        let findings = try inspector.walk(Sample.record(id)) { step in
            switch step {
            case .start(let base): steps.append("start \(base?.revision ?? 0)")
            case .entries(let entries): steps += entries.map { "\($0.revision)" }
            case .snapshot(let record): steps.append(record.isBase ? "base \(record.revision)" : "snapshot \(record.revision)")
            }
            return nil
        }
        return (steps, findings)
    }

    @Test func `a walk meets entries and snapshots in order, also beside a live writer`() async throws {
        let database = try await filled()
        let inspector = try Inspector.open(path: folder.database, model: "counter")
        let walked = try walk(inspector, account)
        #expect(walked.steps == ["start 0", "1", "2", "snapshot 2", "3", "4", "snapshot 4", "5", "6"])
        #expect(walked.findings == [])
        #expect(try inspector.accountCount() == 2)
        #expect(try inspector.checkStructure() == [])
        #expect(await database.commit(.append(Sample.entry(account, 7))).fault == nil)
        #expect(try walk(inspector, account).steps.last == "7")
        await database.closed()
    }

    @Test func `a walk over all accounts reports what folding finds`() async throws {
        let database = try await filled()
        await database.closed()
        let inspector = try Inspector.open(path: folder.database, model: nil)
        var progress: [Int] = []
        func note(_ done: Int) { progress.append(done) }
        let findings = try inspector.walkAll(pageAccounts: 1, progress: note) { record in
            { step in
                guard case .snapshot(let snapshot) = step, record.id == other, snapshot.revision == 4 else { return nil }
                return Inspector.Finding(account: record.id, revision: 4, reason: "differs")
            }
        }
        #expect(findings.map(\.description) == ["account 2, revision 4: differs"])
        #expect(progress == [1, 2])
    }

    @Test func `a trimmed log is walked from its base`() async throws {
        let database = try await filled(baseAt: 4)
        _ = await database.commit(.trim(account, through: 3))
        await database.closed()
        let inspector = try Inspector.open(path: folder.database, model: nil)
        #expect(try walk(inspector, account).steps == ["start 4", "5", "6"])
        #expect(try walk(inspector, other).steps == ["start 0", "1", "2", "snapshot 2", "3", "4", "base 4", "5", "6"])
        #expect(try walk(inspector, account).findings == [])
    }

    @Test(arguments: [
        (
            "UPDATE log SET payload = x'00' WHERE account = 1 AND revision = 3",
            "account 1, revision 3: the log entry is not what was stored"
        ),
        ("DELETE FROM log WHERE account = 1 AND revision = 3", "account 1, revision 3: the log goes on with revision 4"),
        (
            "DELETE FROM log WHERE account = 1 AND revision = 1",
            "account 1, revision 2: the log before is gone, and no base covers it"
        ),
        (
            "UPDATE snapshot SET state = x'00' WHERE account = 1 AND revision = 4",
            "account 1, revision 4: the snapshot is not what was stored"
        ),
        ("DELETE FROM log WHERE account = 1 AND revision > 3", "account 1, revision 4: the snapshot is beyond the log's end"),
    ])
    func `damage is found and named, and the next account is walked all the same`(sql: String, finding: String) async throws {
        let database = try await filled()
        await database.closed()
        try change(sql)
        let inspector = try Inspector.open(path: folder.database, model: nil)
        #expect(try walk(inspector, account).findings.map(\.description) == [finding])
        #expect(try walk(inspector, other).findings == [])
        #expect(try inspector.walkAll { _ in { _ in nil } }.count == 1)
    }

    @Test func `a log without an account is found`() async throws {
        let database = try await filled()
        await database.closed()
        try change("DELETE FROM account WHERE id = 2")
        let inspector = try Inspector.open(path: folder.database, model: nil)
        #expect(try inspector.checkStructure().map(\.description) == ["account 2: it has a log, but is not there"])
    }

    @Test func `another model, another file and no file are refused`() async throws {
        #expect(throws: StorageFault.self) { _ = try Inspector.open(path: folder.database, model: nil) }
        let database = try await filled()
        await database.closed()
        #expect(throws: StorageFault.self) { _ = try Inspector.open(path: folder.database, model: "shop") }
        do { try Connection(path: folder.path + "/other.sqlite", access: .create).execute("CREATE TABLE t (x)") }
        #expect(throws: StorageFault.self) { _ = try Inspector.open(path: folder.path + "/other.sqlite", model: nil) }
    }
}

@Suite struct BackupTests {
    let folder: Folder
    let account = Sample.account(1)
    var copy: String { folder.path + "/backup.sqlite" }

    init() throws { folder = try Folder() }

    private func filled() async throws -> Database {
        let database = try Database.test(folder)
        _ = await database.commit(.createAccount(Sample.record(account)), .createSession(Sample.session(1, of: account)))
        for revision in Revision(1)...3 { _ = await database.commit(.append(Sample.entry(account, revision))) }
        return database
    }

    @Test func `a backup beside a live writer is one whole file of one instant`() async throws {
        let database = try await filled()
        var seen: [Int] = []
        let payload = String(repeating: "x", count: 100_000)
        for revision in Revision(4)...80 {
            database.submit([.append(Sample.entry(account, revision, payload: payload))]) { _ in }
        }
        _ = await database.commit(.forgetIdempotency(before: 0))
        try Inspector.open(path: folder.database, model: nil).backup(to: copy) { done, total in
            // A commit between the slices is not in the copy, and does not make it start over.
            if seen.isEmpty { database.submit([.append(Sample.entry(account, 81))]) { _ in } }
            seen.append(done)
            return done <= total
        }
        _ = await database.commit(.forgetIdempotency(before: 0))
        #expect(seen.count > 1 && seen == seen.sorted())
        #expect(try await database.loaded(account)?.head == 81)
        await database.closed()
        #expect(folder.names.filter { $0.hasPrefix("backup") } == ["backup.sqlite"])
        #expect(folder.mode(of: "backup.sqlite") == 0o600)
        let inspector = try Inspector.open(path: copy, model: "counter")
        #expect(try inspector.checkStructure() == [])
        #expect(try inspector.reader.load(account, idempotencySince: 0).get()?.head == 80)
    }

    @Test func `a backup that is given up leaves nothing, and none replaces what is there`() async throws {
        let database = try await filled()
        let inspector = try Inspector.open(path: folder.database, model: nil)
        #expect(throws: StorageFault.self) { try inspector.backup(to: copy) { _, _ in false } }
        #expect(!folder.names.contains { $0.hasPrefix("backup") })
        try inspector.backup(to: copy)
        #expect(throws: StorageFault.self) { try inspector.backup(to: copy) }
        await database.closed()
    }

    @Test func `a restored database has a new generation, its revisions, and no number twice`() async throws {
        let database = try await filled()
        let before = (database.storeID, database.generation, database.secret)
        try Inspector.open(path: folder.database, model: nil).backup(to: copy)
        // Lost after the backup: an account and a session that were given out.
        _ = await database.commit(
            .createAccount(Sample.record(Sample.account(5))), .createSession(Sample.session(9, of: Sample.account(5))))
        await database.closed()
        #expect(throws: StorageFault.self) { try Restoration(path: folder.database).restore(from: copy) }
        try folder.remove("store.sqlite")
        try Restoration(path: folder.database).restore(from: copy)
        let again = try Database.test(folder, mode: .existing)
        #expect(again.storeID == before.0)
        #expect(again.generation != before.1)
        #expect(again.secret == before.2)
        #expect(try await again.loaded(account)?.tail == (1...3).map { Sample.entry(account, $0) })
        #expect(try await again.loaded(Sample.account(5)) == nil)
        #expect(again.nextAccountID().rawValue == 6)
        #expect(again.nextSessionID() == 10)
        #expect(await again.commit(.append(Sample.entry(account, 4))).fault == nil)
        await again.closed()
    }

    @Test func `a database is not restored or adopted while it is served`() async throws {
        let database = try await filled()
        try Inspector.open(path: folder.database, model: nil).backup(to: copy)
        for attempt in [
            { try Restoration(path: folder.database).restore(from: copy) }, { try Restoration(path: folder.database).adopt() },
        ] {
            let fault = #expect(throws: StorageFault.self) { try attempt() }
            guard case .locked = fault else { Issue.record("not locked: \(String(describing: fault))"); continue }
        }
        await database.closed()
    }

    @Test func `a copied file is adopted under a new generation`() async throws {
        let database = try await filled()
        let generation = database.generation
        await database.closed()
        let elsewhere = try Folder()
        try elsewhere.write(folder.read("store.sqlite"), to: "store.sqlite")
        #expect(throws: StorageFault.self) { _ = try Database.test(elsewhere) }
        try Restoration(path: elsewhere.database).adopt()
        let adopted = try Database.test(elsewhere)
        #expect(adopted.generation != generation)
        #expect(try await adopted.loaded(account)?.head == 3)
        await adopted.closed()
    }

    @Test func `a damaged backup is not restored`() async throws {
        let database = try await filled()
        try Inspector.open(path: folder.database, model: nil).backup(to: copy)
        await database.closed()
        var bytes = try folder.read("backup.sqlite")
        for index in bytes.count - 4_096..<bytes.count { bytes[index] = 0xAA }
        try folder.write(bytes, to: "backup.sqlite")
        let elsewhere = try Folder()
        #expect(throws: StorageFault.self) { try Restoration(path: elsewhere.database).restore(from: copy) }
        #expect(!elsewhere.names.contains("store.sqlite"))
    }
}
