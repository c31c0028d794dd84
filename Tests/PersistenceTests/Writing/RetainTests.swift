import Redux
import SQLite
import Testing

@testable import Persistence

/// What a log may forget: no more than a sound stored state covers.
@Suite struct RetainTests {
    let folder: Folder
    let account = Sample.account(1)

    init() throws { folder = try Folder() }

    /// An account with twelve entries and stored states at 4, 8 and 12; the newest two are kept.
    private func filled() async throws -> Database {
        let database = try Database.test(folder)
        _ = await database.commit(.createAccount(Sample.record(account)))
        for revision in Revision(1)...12 {
            _ = await database.commit(.append(Sample.entry(account, revision)))
            if revision % 4 == 0 { _ = await database.commit(.snapshot(Sample.snapshot(account, revision))) }
        }
        return database
    }

    private func oldest(_ database: Database) async throws -> Revision? { try await database.page(account).oldest }

    @Test func `a state that is old enough becomes the base of what is kept`() async throws {
        let database = try await filled()
        #expect(await database.commit(.retain(account, LogRetention(actionsMin: 5))).fault == nil)
        #expect(try await oldest(database) == 1, "only four entries are behind the state at 8")
        #expect(await database.commit(.retain(account, LogRetention(actionsMin: 4))).fault == nil)
        #expect(try await oldest(database) == 9)
        let base = try await database.value { $0.snapshot(of: account, atOrBefore: 9, then: $1) }
        #expect(base == Sample.snapshot(account, 8, isBase: true))
        // Nothing more to forget, and writing goes on.
        #expect(await database.commit(.retain(account, LogRetention(actionsMin: 4))).fault == nil)
        #expect(await database.commit(.append(Sample.entry(account, 13))).fault == nil)
        #expect(try await database.loaded(account)?.head == 13)
        await database.closed()
    }

    @Test func `age counts the stamp of the newest entry that would go`() async throws {
        let database = try await filled()
        let at = Sample.entry(account, 8).at
        _ = await database.commit(.retain(account, LogRetention(before: at)))
        #expect(try await oldest(database) == 1)
        _ = await database.commit(.retain(account, LogRetention(before: at + 1)))
        #expect(try await oldest(database) == 9)
        // The newest entry stays, however old: the next stamp must not fall behind it.
        _ = await database.commit(.retain(account, LogRetention(before: .max)))
        #expect(try await oldest(database) == 9)
        #expect(try await database.loaded(account)?.lastAt == Sample.entry(account, 12).at)
        await database.closed()
    }

    @Test func `of two bounds the one that keeps more counts, and none keeps all`() async throws {
        let database = try await filled()
        for retention in [
            LogRetention(actionsMin: 5, before: .max), LogRetention(actionsMin: 1, before: 0), LogRetention(),
        ] {
            _ = await database.commit(.retain(account, retention))
            #expect(try await oldest(database) == 1)
        }
        _ = await database.commit(.retain(account, LogRetention(actionsMin: 4, before: .max)))
        #expect(try await oldest(database) == 9)
        await database.closed()
    }

    @Test func `a damaged state covers nothing`() async throws {
        let database = try await filled()
        await database.closed()
        do {
            let connection = try Connection(path: folder.database, access: .readWrite)
            try connection.execute("UPDATE snapshot SET state = x'00' WHERE revision = 8")
        }
        let again = try Database.test(folder, mode: .existing)
        #expect(await again.commit(.retain(account, LogRetention(actionsMin: 1))).fault == nil)
        #expect(try await oldest(again) == 1)
        #expect(try await again.loaded(account)?.head == 12)
        await again.closed()
    }
}
