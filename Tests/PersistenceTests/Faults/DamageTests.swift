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

    @Test func `an entry moved to another account keeps the database from being served`() async throws {
        // Nobody can tell whose acknowledged action that was.
        let what = "entry 12 of the log is not what was stored, and of an unknown account"
        do {
            _ = try await damaged(by: "UPDATE log SET account = 1, revision = 7 WHERE account = 2 AND revision = 6")
            Issue.record("opened")
        } catch let fault as StorageFault {
            guard case .refused(_, let reason) = fault, reason.hasPrefix("it is damaged (reading the end of the log: \(what)")
            else {
                Issue.record("\(fault)")
                return
            }
        }
        let inspector = try Inspector.open(path: folder.database, model: nil)
        #expect(
            try inspector.checkStructure().map(\.description) == ["database: \(what)"])
    }

    @Test(arguments: ["account = 3", "account = 2 + (1 << 40)", "revision = 4", "revision = 6 | (1 << 20)"])
    func `one bit of what tells whose an entry is harms that account alone`(change: String) async throws {
        let database = try await damaged(by: "UPDATE log SET \(change) WHERE account = 2 AND revision = 6")
        #expect(try await database.loaded(account)?.head == 6)
        do {
            let loaded = try await database.loaded(other)
            // Where only the account's number is wrong, the entry is still known to be this one's, and is what it was.
            #expect(change.hasPrefix("account") && loaded?.head == 6)
        } catch let fault as StorageFault {
            guard change.hasPrefix("revision"), case .damaged(other, revision: 6, _) = fault else {
                Issue.record("\(fault)")
                return
            }
        }
        await database.closed()
    }

    @Test func `a flipped bit of the sum itself harms nobody`() async throws {
        let database = try await damaged(by: "UPDATE log SET place_sum = (place_sum | 4) - (place_sum & 4) WHERE seq = 12")
        #expect(try await database.loaded(other)?.head == 6)
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
