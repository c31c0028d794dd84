import Redux
import SQLite
import Testing

@testable import Persistence

/// Which logs are kept longer than they have to be.
@Suite struct DueLogTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func fill(_ database: Database, _ account: AccountID, entries: Revision) async {
        _ = await database.commit(.createAccount(Sample.record(account)))
        for revision in 0..<entries { _ = await database.commit(.append(Sample.entry(account, revision + 1))) }
    }

    /// Samples are stamped a millisecond apart: everything before `revision` is too old.
    private func retention(before revision: Revision, actionsMin: Revision? = nil) -> LogRetention {
        LogRetention(actionsMin: actionsMin, before: Sample.entry(Sample.account(1), revision).at)
    }

    private func look(
        _ database: Database, after: AccountID? = nil, limit: Int = 100, _ retention: LogRetention, since: Milliseconds? = nil
    ) async throws -> DueLogLook {
        try await database.value {
            $0.dueLog(
                after: after, limit: limit, stampedBefore: since ?? retention.before ?? 0, retention: retention, then: $1)
        }
    }

    @Test func `a log is due up to the last entry that is too old, and never with its newest`() async throws {
        let database = try Database.test(folder)
        let account = Sample.account(1)
        await fill(database, account, entries: 12)
        let old = retention(before: 5)
        #expect(
            try await look(database, old).due
                == DueLog(account: account, oldest: 1, through: 4, newest: 12, mayGoOn: false, retention: old))
        #expect(try await look(database, retention(before: 1)).due == nil)
        #expect(try await look(database, retention(before: 100)).due?.through == 11)
        #expect(try await look(database, retention(before: 100, actionsMin: 9)).due?.through == 3)
        #expect(try await look(database, retention(before: 100, actionsMin: 12)).due == nil)
        #expect(try await look(database, LogRetention(actionsMin: 1), since: .max).due?.through == 11)
        #expect(try await look(database, old, since: Sample.entry(account, 1).at).due == nil, "it may go, but there is no haste")
        await database.closed()
    }

    @Test func `of a long log a part is due at a time`() async throws {
        let database = try Database.test(folder)
        let account = Sample.account(1)
        _ = await database.commit(.createAccount(Sample.record(account)))
        for start in stride(from: Revision(1), through: 1_201, by: 100) {
            let entries = (start..<min(start + 100, 1_202)).map { Write.append(Sample.entry(account, $0)) }
            await withCheckedContinuation { done in database.submit(entries) { _ in done.resume() } }
        }
        let due = try #require(try await look(database, retention(before: 5_000)).due)
        #expect(due.through == Database.dueEntriesMax && due.mayGoOn && due.newest == 1_201)
        await database.closed()
    }

    @Test func `a look ends with the first that is due, with the last account, or after so many`() async throws {
        let database = try Database.test(folder)
        let accounts = (1...5).map { Sample.account(Int64($0)) }
        for account in accounts { await fill(database, account, entries: account.rawValue == 3 ? 4 : 1) }
        _ = await database.commit(.createAccount(Sample.record(Sample.account(6))))
        let all = retention(before: 100)
        var found = try await look(database, all)
        #expect(found.due?.account == accounts[2] && found.accounts == 3 && found.last == accounts[2])
        found = try await look(database, after: accounts[2], limit: 2, all)
        #expect(found.due == nil && found.accounts == 2 && found.last == accounts[4], "of one entry the newest is all there is")
        found = try await look(database, after: accounts[4], all)
        #expect(found.due == nil && found.accounts == 1)
        found = try await look(database, after: found.last, all)
        #expect(found == DueLogLook())
        await database.closed()
    }

    @Test func `what goes is what was looked at, and then the log is not due any more`() async throws {
        let database = try Database.test(folder)
        let account = Sample.account(1)
        await fill(database, account, entries: 12)
        let due = try #require(try await look(database, retention(before: 8)).due)
        #expect(
            await database.commit(.snapshot(Sample.snapshot(account, due.through, isBase: true)), .retain(account, due.retention))
                .fault == nil)
        #expect(try await database.page(account).oldest == 8)
        #expect(try await look(database, retention(before: 8)).due == nil)
        // Later more is, from where it begins now.
        #expect(try await look(database, retention(before: 10)).due?.oldest == 8)
        #expect(try await database.loaded(account)?.head == 12)
        await database.closed()
    }

    @Test func `a state for an account that was erased meanwhile is refused, with all that came with it`() async throws {
        let database = try Database.test(folder)
        let account = Sample.account(1)
        await fill(database, account, entries: 12)
        let due = try #require(try await look(database, retention(before: 8)).due)
        #expect(await database.commit(.eraseAccount(account)).fault == nil)
        #expect(
            await database.commit(.snapshot(Sample.snapshot(account, due.through, isBase: true)), .retain(account, due.retention))
                .fault == .conflict(.account))
        #expect(try await look(database, retention(before: 8)) == DueLogLook())
        #expect(try await database.value { $0.snapshot(of: account, atOrBefore: 12, then: $1) } == nil)
        await database.closed()
    }

    @Test func `an account whose log has lost its beginning is passed over, and the next is found`() async throws {
        let database = try Database.test(folder)
        let accounts = [Sample.account(1), Sample.account(2)]
        for account in accounts { await fill(database, account, entries: 12) }
        await database.closed()
        do {
            let connection = try Connection(path: folder.database, access: .readWrite)
            try connection.execute("DELETE FROM log WHERE seq = 1")
        }
        let again = try Database.test(folder, mode: .existing)
        let found = try await look(again, retention(before: 6))
        #expect(found.due?.account == accounts[1] && found.accounts == 2)
        await again.closed()
    }

    @Test func `a log that another version of the model wrote is due only where a state is stored that covers some of it`()
        async throws
    {
        let database = try Database.test(folder) { $0.modelVersion = [1] }
        let accounts = [Sample.account(1), Sample.account(2)]
        for account in accounts { await fill(database, account, entries: 12) }
        _ = await database.commit(.snapshot(Sample.snapshot(accounts[1], 4)))
        #expect(try await look(database, retention(before: 8)).due?.account == accounts[0])
        await database.closed()
        let later = try Database.test(folder, mode: .existing) { $0.modelVersion = [2] }
        #expect(try await look(later, retention(before: 4)).due == nil)
        #expect(try await look(later, retention(before: 8)).due?.account == accounts[1])
        // Its newest entry is of this version: the account has come over.
        _ = await later.commit(.append(Sample.entry(accounts[0], 13)))
        #expect(try await look(later, retention(before: 8)).due?.account == accounts[0])
        await later.closed()
    }
}
