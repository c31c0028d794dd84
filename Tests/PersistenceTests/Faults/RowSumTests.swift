import Redux
import SQLite
import Testing

@testable import Persistence

/// Rows beside the log: a changed value is noticed where it is read, and by `verify`, and is its own account's trouble alone.
@Suite struct RowSumTests {
    let folder: Folder
    let account = Sample.account(1)
    let other = Sample.account(2)

    init() throws { folder = try Folder() }

    /// Two accounts with one row in every table each, then a change by SQL.
    private func damaged(by sql: String) async throws -> Database {
        let database = try Database.test(folder)
        for id in [account, other] {
            let answers = await database.commit(
                .createAccount(Sample.record(id, email: "a\(id)@example.com")),
                .createSession(Sample.session(id.rawValue, of: id)),
                .append(Sample.entry(id, 1)), .enqueue(Sample.effect(id, 1)), .remember(Sample.answer(id, "key")),
                .postpone(PostponedRecord(id: id.rawValue, account: id, tag: "tag", body: [1, 2, 3], at: 4)))
            #expect(answers.fault == nil)
        }
        await database.closed()
        do {
            let connection = try Connection(path: folder.database, access: .readWrite)
            try connection.execute(sql)
            #expect(connection.changes == 1)
        }
        return try Database.test(folder, mode: .existing)
    }

    private func findings() throws -> [Inspector.Finding] {
        let inspector = try Inspector.open(path: folder.database, model: nil)
        return try inspector.walkAll { _ in { _ in nil } }
    }

    @Test(arguments: [
        "account SET created = created + 1 WHERE id = 1", "account SET epoch_part = epoch_part + 1 WHERE id = 1",
        "account SET email = 'b1@example.com' WHERE id = 1", "account SET profile = x'00' WHERE id = 1",
        "account SET password_hash = x'00' WHERE id = 1", "account SET sum = zeroblob(16) WHERE id = 1",
        "session SET token_hash = zeroblob(32) WHERE account = 1", "session SET expires = 7 WHERE account = 1",
        "session SET created = 6 WHERE account = 1", "idempotency SET body = x'7B207D' WHERE account = 1",
        "idempotency SET status = 201 WHERE account = 1", "idempotency SET fingerprint = x'00' WHERE account = 1",
    ])
    func `what an account is loaded from is refused where it was changed`(change: String) async throws {
        let database = try await damaged(by: "UPDATE \(change)")
        await #expect(throws: StorageFault.self) { try await database.loaded(account) }
        #expect(try await database.loaded(other)?.head == 1)
        await database.closed()
        #expect(try findings().map(\.account) == [account])
    }

    @Test(arguments: ["payload = x'00'", "kind = 'charge'", "key = 'k'", "ordinal = 5"])
    func `a changed effect is not run`(change: String) async throws {
        let database = try await damaged(by: "UPDATE outbox SET \(change) WHERE account = 1")
        #expect(try await database.due(upTo: .max).map(\.account) == [other])
        await #expect(throws: StorageFault.self) { try await database.value { $0.outbox(of: account, then: $1) } }
        await database.closed()
        #expect(try findings().map(\.account) == [account])
    }

    @Test func `a changed postponed action is not run`() async throws {
        let database = try await damaged(by: "UPDATE postponed SET body = x'00' WHERE account = 1")
        await #expect(throws: StorageFault.self) { try await database.value { $0.postponed(of: account, tag: nil, then: $1) } }
        #expect(try await database.value { $0.postponed(of: other, tag: "tag", then: $1) }.count == 1)
        await database.closed()
        #expect(try findings().map(\.account) == [account])
    }

    @Test func `what a change by the rules writes is sound`() async throws {
        let database = try await damaged(by: "UPDATE outbox SET attempt = 3 WHERE account = 1")
        var record = Sample.record(account, email: "c@example.com")
        record.profile = [1]
        var session = Sample.session(1, of: account)
        (session.tokenHash, session.expires, session.created) = ([UInt8](repeating: 9, count: 32), 100, 50)
        let effect = Sample.effect(account, 1)
        #expect(
            await database.commit(.updateAccount(record), .renewSession(session), .reschedule(effect.id, due: 77, attempt: 2))
                .fault
                == nil)
        #expect(await database.commit(.bury(effect.id, reason: "dead")).fault == nil)
        let loaded = try #require(try await database.loaded(account))
        #expect(loaded.record == record && loaded.sessions == [session])
        await database.closed()
        #expect(try findings() == [])
    }

    @Test func `a database of the first schema gets the column, and its rows are believed`() async throws {
        let database = try await damaged(by: "UPDATE outbox SET attempt = 1 WHERE account = 1")
        await database.closed()
        do {
            let connection = try Connection(path: folder.database, access: .readWrite)
            for table in ["account", "session", "outbox", "idempotency", "postponed"] {
                try connection.execute("ALTER TABLE \(table) DROP COLUMN sum")
            }
            // The log's index was one of SQLite's, and complete.
            try connection.execute(
                """
                ALTER TABLE log DROP COLUMN place_sum; DROP TABLE log_index; CREATE UNIQUE INDEX log_account ON log(account, revision);
                DELETE FROM meta WHERE key LIKE 'indexed_through%'; PRAGMA user_version = 1
                """)
        }
        // Looked at from outside before it is taken over, as `migrate --check` does.
        #expect(try findings() == [])
        let migrated = try Database.test(folder, mode: .existing)
        #expect(try await migrated.loaded(account)?.sessions.count == 1)
        #expect(await migrated.commit(.renewSession(Sample.session(1, of: account))).fault == nil)
        #expect(try await migrated.loaded(account)?.sessions.count == 1)
        await migrated.closed()
        #expect(try findings() == [])
        let connection = try Connection(path: folder.database, access: .readOnly)
        #expect(try connection.pragma("user_version") == "3")
        #expect(try connection.pragma("integrity_check") == "ok", "the log's index is a table now, of the very pages it had")
    }
}
