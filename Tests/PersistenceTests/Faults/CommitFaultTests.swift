import Redux
import SQLite
import Testing

@testable import Persistence

@Suite struct CommitFaultTests {
    let folder: Folder
    let account = Sample.account(1)

    init() throws { folder = try Folder() }

    @Test func `a full disk is clean, and later writes succeed`() async throws {
        let database = try Database.test(folder, faults: .at(2, .full))
        _ = await database.commit(.createAccount(Sample.record(account)))
        #expect(await database.commit(.append(Sample.entry(account, 1)), .enqueue(Sample.effect(account, 1))).fault == .full)
        #expect(try await database.loaded(account)?.head == 0)
        #expect(try await database.loaded(account)?.outbox.isEmpty == true)
        // What was built on it does not fit any more.
        #expect(await database.commit(.append(Sample.entry(account, 2))).fault == .conflict(.revision))
        #expect(await database.commit(.append(Sample.entry(account, 1))).fault == nil)
        #expect(try await database.loaded(account)?.head == 1)
        #expect(database.metrics.refusedFull == 1)
        #expect(!database.metrics.hasFailed)
        await database.closed()
    }

    @Test(arguments: [false, true])
    func `after an input or output error nothing is written any more, and a new start tells`(isApplied: Bool) async throws {
        let database = try Database.test(folder, faults: .at(2, .ioError(applied: isApplied)))
        _ = await database.commit(.createAccount(Sample.record(account)))
        let fault = await database.commit(.append(Sample.entry(account, 1))).fault
        guard case .outcomeUnknown = fault else { Issue.record("not unknown: \(String(describing: fault))"); return }
        guard case .outcomeUnknown = await database.commit(.append(Sample.entry(account, 2))).fault else {
            Issue.record("written after a failure")
            return
        }
        #expect(database.metrics.hasFailed)
        // Reads go on.
        #expect(try await database.loaded(account) != nil)
        await database.closed()

        let again = try Database.test(folder, mode: .existing)
        #expect(try await again.loaded(account)?.head == (isApplied ? 1 : 0))
        #expect(await again.commit(.append(Sample.entry(account, isApplied ? 2 : 1))).fault == nil)
        await again.closed()
    }

    @Test func `little free space refuses writes before the disk is full, and reads go on`() async throws {
        let database = try Database.test(folder) { $0.freeBytesMin = .max / 4 }
        #expect(await database.commit(.createAccount(Sample.record(account))).fault == .full)
        #expect(try await database.loaded(account) == nil)
        await database.closed()
    }

    @Test func `a writer from outside is waited for no longer than the time allowed, and then nothing is kept`() async throws {
        let database = try Database.test(folder) { $0.busyMilliseconds = 20 }
        do {
            let outside = try Connection(path: folder.database, access: .readWrite)
            try outside.execute("BEGIN IMMEDIATE")
            #expect(await database.commit(.createAccount(Sample.record(account))).fault == .overloaded)
            try outside.execute("ROLLBACK")
            #expect(await database.commit(.createAccount(Sample.record(account))).fault == nil)
        }
        await database.closed()
    }
}
