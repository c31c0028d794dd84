import Redux
import SQLite
import Testing

@testable import Persistence

/// Damage that SQLite does not notice: values changed in place, by SQL on a second connection while the service is down.
@Suite struct DamageTests {
    let folder: Folder
    let account = Sample.account(1)
    let other = Sample.account(2)

    init() throws { folder = try Folder() }

    /// Two accounts with six entries each and snapshots at 2 and 4, then a change by SQL, then open again.
    private func damaged(by sql: String, snapshots: Bool = true, base: Bool = false) async throws -> Database {
        let database = try Database.test(folder)
        for id in [account, other] {
            _ = await database.commit(.createAccount(Sample.record(id)))
            for revision in Revision(1)...6 {
                var writes: [Write] = [.append(Sample.entry(id, revision))]
                if snapshots && revision % 2 == 0 && revision < 6 {
                    writes.append(.snapshot(Sample.snapshot(id, revision, isBase: base && revision == 4)))
                }
                database.submit(writes) { _ in }
            }
        }
        await database.closed()
        do {
            let connection = try Connection(path: folder.database, access: .readWrite)
            try connection.execute(sql)
            #expect(connection.changes == 1)
        }
        return try Database.test(folder, mode: .existing)
    }

    private func fault(_ database: Database) async -> StorageFault? {
        do {
            _ = try await database.loaded(account)
            return nil
        } catch { return error as? StorageFault }
    }

    @Test(arguments: [
        "payload = x'7B7D'", "facts = NULL", "name = 'counter/other'", "at = at + 1", "id_low = id_low + 1", "cause = 99",
        "flags = 0",
        "version = 9", "trace = x'00'", "chain = x'00'", "chain = zeroblob(16)",
    ])
    func `a changed entry is found, named, and harms no other account`(change: String) async throws {
        let database = try await damaged(by: "UPDATE log SET \(change) WHERE account = 1 AND revision = 5")
        guard case .damaged(account, revision: 5, _) = await fault(database) else {
            Issue.record("not found")
            return
        }
        #expect(try await database.loaded(other)?.head == 6)
        // The pages before it can still be read, those with it cannot.
        #expect(try await database.page(account, limit: 4).entries.count == 4)
        await #expect(throws: StorageFault.self) { try await database.page(account, after: 3, limit: 5) }
        await database.closed()
    }

    @Test func `a missing entry in the middle is found`() async throws {
        let database = try await damaged(by: "DELETE FROM log WHERE account = 1 AND revision = 5")
        guard case .damaged(account, revision: 5, _) = await fault(database) else {
            Issue.record("not found")
            return
        }
        await database.closed()
    }

    @Test func `an entry moved to another account is found there`() async throws {
        let database = try await damaged(by: "UPDATE log SET account = 1, revision = 7 WHERE account = 2 AND revision = 6")
        guard case .damaged(account, revision: 7, _) = await fault(database) else {
            Issue.record("not found")
            return
        }
        await database.closed()
    }

    @Test(arguments: [
        "state = x'7B7D'", "schema = x'7B7D'", "reducer_version = 4", "chain = zeroblob(16)", "hash = zeroblob(16)",
    ])
    func `a damaged snapshot gives way to the older one`(change: String) async throws {
        let database = try await damaged(by: "UPDATE snapshot SET \(change) WHERE account = 1 AND revision = 4")
        let loaded = try #require(try await database.loaded(account))
        #expect(loaded.snapshot == Sample.snapshot(account, 2))
        #expect(loaded.tail.map(\.revision) == [3, 4, 5, 6])
        #expect(loaded.damagedSnapshots == [4])
        #expect(try await database.value { $0.snapshot(of: account, atOrBefore: 5, then: $1) }?.revision == 2)
        await database.closed()
    }

    @Test func `with both snapshots damaged the whole log is there`() async throws {
        let database = try await damaged(by: "UPDATE snapshot SET state = x'00' WHERE account = 1 AND revision = 4")
        await database.closed()
        do {
            let connection = try Connection(path: folder.database, access: .readWrite)
            try connection.execute("UPDATE snapshot SET state = x'00' WHERE account = 1 AND revision = 2")
        }
        let again = try Database.test(folder)
        let loaded = try #require(try await again.loaded(account))
        #expect(loaded.snapshot == nil)
        #expect(loaded.tail.count == 6)
        #expect(loaded.damagedSnapshots == [4, 2])
        await again.closed()
    }

    @Test func `a damaged base is not passed over`() async throws {
        let database = try await damaged(by: "UPDATE snapshot SET state = x'00' WHERE account = 1 AND revision = 4", base: true)
        guard case .damaged(account, revision: 4, _) = await fault(database) else {
            Issue.record("not found")
            return
        }
        #expect(try await database.loaded(other)?.snapshot?.isBase == true)
        await database.closed()
    }

    @Test func `writing on goes on from what is stored, and a damaged account stays apart`() async throws {
        let database = try await damaged(by: "UPDATE log SET payload = x'00' WHERE account = 1 AND revision = 5")
        #expect(await database.commit(.append(Sample.entry(other, 7))).fault == nil)
        #expect(try await database.loaded(other)?.head == 7)
        guard case .damaged(account, revision: 5, _) = await fault(database) else {
            Issue.record("not found")
            return
        }
        await database.closed()
    }
}
