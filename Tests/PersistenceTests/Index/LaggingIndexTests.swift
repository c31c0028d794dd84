import Redux
import SQLite
import Testing

@testable import Persistence

/// The log is the same wherever the line stands between what the index has and what it lacks.
@Suite struct LaggingIndexTests {
    /// What an account should be.
    private struct Expected {
        var entries: [LogEntry] = []
        var head: Revision = 0
    }

    /// Numbers that follow from a seed (SplitMix64).
    private struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    private func open(_ folder: Folder, _ generationMax: Int) throws -> Database {
        try Database.test(folder) { $0.indexGeneration = generationMax }
    }

    private func expectSound(_ folder: Folder, _ comment: Comment = "") throws {
        let inspector = try Inspector.open(path: folder.database, model: nil)
        let findings = try inspector.checkStructure() + inspector.walkAll { _ in { _ in nil } }
        #expect(findings.isEmpty, "\(findings) \(comment)")
    }

    private func check(_ database: Database, _ id: AccountID, _ expected: Expected?, _ dice: inout Dice) async throws {
        let loaded = try await database.loaded(id)
        guard let expected else {
            #expect(loaded == nil)
            #expect(try await database.page(id).newest == 0)
            return
        }
        #expect(loaded?.head == expected.head)
        #expect(loaded?.lastAt == (expected.entries.last?.at ?? 0))
        if let tail = loaded?.tail { #expect(tail == Array(expected.entries.suffix(tail.count))) }
        let page = try await database.page(id)
        #expect(page.entries == expected.entries)
        #expect(page.oldest == expected.entries.first?.revision && page.newest == (expected.entries.last?.revision ?? 0))
        let after = Revision.random(in: 0...(expected.head + 1), using: &dice)
        let limit = Int.random(in: 1...5, using: &dice)
        #expect(
            try await database.page(id, after: after, limit: limit).entries
                == Array(expected.entries.filter { $0.revision > after }.prefix(limit)))
        let sizes = try #require(try await database.value { $0.sizes(of: id, then: $1) })
        #expect(sizes.logEntries == expected.entries.count)
        #expect(
            sizes.logBytes
                == expected.entries.reduce(0) { $0 + $1.payload.count + ($1.facts?.count ?? 0) + $1.name.utf8.count })
        for effect in try await database.value({ $0.outbox(of: id, then: $1) }) {
            // The trace context is the log entry's, as long as that is kept.
            #expect(effect.trace == expected.entries.first { $0.revision == effect.id.revision }?.trace)
        }
    }

    @Test(arguments: [(1, 1), (2, 3), (3, 8), (4, 20), (5, 1), (6, 4), (7, 9), (8, 1_000)] as [(UInt64, Int)])
    func `appended, trimmed, erased, refused and opened again in any order`(seed: UInt64, generationMax: Int) async throws {
        let folder = try Folder()
        var dice = Dice(state: seed)
        var database = try open(folder, generationMax)
        var accounts: [AccountID: Expected] = [:]
        var gone: [AccountID] = []
        for step in 1...250 {
            let id = accounts.keys.sorted().randomElement(using: &dice)
            switch Int.random(in: 0..<16, using: &dice) {
            case 0:
                let new = database.nextAccountID()
                #expect(await database.commit(.createAccount(Sample.record(new))).fault == nil)
                accounts[new] = Expected()
            case 1 where id != nil:
                // The newest stored state as a base, and what lies before it goes, or a part of it.
                let head = accounts[id!]!.head
                guard head > 0 else { continue }
                let through = Revision.random(in: 0...head, using: &dice)
                let base = Write.snapshot(Sample.snapshot(id!, head, isBase: true))
                #expect(await database.commit(base, .trim(id!, through: through)).fault == nil)
                accounts[id!]!.entries.removeAll { $0.revision <= through }
            case 2 where id != nil && step % 3 == 0:
                #expect(await database.commit(.eraseAccount(id!)).fault == nil)
                accounts[id!] = nil
                gone.append(id!)
            case 3:
                await database.closed()
                try expectSound(folder)
                database = try open(folder, Int.random(in: 1...max(1, generationMax), using: &dice))
            case 4 where id != nil:
                // Refused as a whole, beside one that is not.
                let head = accounts[id!]!.head
                let other = accounts.keys.sorted().randomElement(using: &dice)!
                let fits = Sample.entry(other, accounts[other]!.head + 1)
                async let refused = database.commit(.append(Sample.entry(id!, head + 1)), .append(Sample.entry(id!, head + 3)))
                #expect(await refused.fault == .conflict(.revision))
                #expect(await database.commit(.append(fits)).fault == nil)
                accounts[other]!.entries.append(fits)
                accounts[other]!.head += 1
            default:
                guard !accounts.isEmpty else { continue }
                var waiting: [Submission] = []
                for _ in 0..<Int.random(in: 1...6, using: &dice) {
                    let id = accounts.keys.sorted().randomElement(using: &dice)!
                    let entry = Sample.entry(id, accounts[id]!.head + 1)
                    accounts[id]!.entries.append(entry)
                    accounts[id]!.head += 1
                    let effect = Write.enqueue(Sample.effect(id, entry.revision))
                    waiting.append(Submission([.append(entry), effect]) { #expect($0.fault == nil) })
                }
                // One that cannot be, among them: the others are in the same transaction, each on its own.
                if Bool.random(using: &dice) {
                    waiting.append(Submission([.append(Sample.entry(Sample.account(999), 1))]) { _ in })
                }
                database.submit(waiting)
                #expect(await database.commit(.forgetIdempotency(before: 0)).fault == nil)
            }
            if let id, step % 3 == 0 { try await check(database, id, accounts[id], &dice) }
        }
        for (id, expected) in accounts { try await check(database, id, expected, &dice) }
        for id in gone { try await check(database, id, nil, &dice) }
        await database.closed()
        try expectSound(folder)
    }

    @Test func `a reader meets every acknowledged entry while they move into the index`() async throws {
        let folder = try Folder()
        let database = try open(folder, 1)
        let ids = (1...4).map { Sample.account(Int64($0)) }
        for id in ids { _ = await database.commit(.createAccount(Sample.record(id))) }
        let inspector = try Inspector.open(path: folder.database, model: nil)
        for round in Revision(1)...150 {
            async let first = database.loaded(ids[0])
            async let second = database.page(ids[1], after: max(0, round - 5))
            for id in ids { database.submit([.append(Sample.entry(id, round))]) { #expect($0.fault == nil) } }
            #expect(try await (first?.head ?? 0) >= round - 1)
            #expect(try await second.newest >= round - 1)
            _ = await database.commit(.forgetIdempotency(before: 0))
            #expect(try await database.loaded(ids[2])?.head == round)
            // From outside, by what the file says alone.
            if round % 10 == 0 { #expect(try inspector.walk(Sample.record(ids[3])) { _ in nil } == []) }
        }
        await database.closed()
    }

    @Test func `a database that was never closed is read from the end of its log`() async throws {
        let folder = try Folder()
        let database = try open(folder, 5)
        let id = Sample.account(1)
        _ = await database.commit(.createAccount(Sample.record(id)))
        for revision in Revision(1)...23 { _ = await database.commit(.append(Sample.entry(id, revision))) }
        let copy = try Folder()
        for name in folder.names where !name.hasSuffix(".lock") && !name.hasSuffix("-shm") {
            try copy.write(folder.read(name), to: name)
        }
        await database.closed()
        let again = try open(copy, 5)
        #expect(try await again.loaded(id)?.tail.map(\.revision) == Array(1...23))
        #expect(await again.commit(.append(Sample.entry(id, 24))).fault == nil)
        #expect(try await again.page(id, after: 20).entries.map(\.revision) == [21, 22, 23, 24])
        await again.closed()
        try expectSound(copy)
    }

    @Test func `many short lives, and one long import, leave no start more to read than one life did`() async throws {
        let folder = try Folder()
        let id = Sample.account(1)
        var revision: Revision = 0
        for life in 1...30 {
            let database = try open(folder, 8)
            if life == 1 { _ = await database.commit(.createAccount(Sample.record(id))) }
            for _ in 1...3 {
                revision += 1
                _ = await database.commit(.append(Sample.entry(id, revision)))
            }
            await database.closed()
            #expect(try lacking(folder) <= 8 + 3)
        }
        let database = try open(folder, 8)
        let many = (revision + 1...revision + 500).map { Write.append(Sample.entry(id, $0)) }
        let all = await withCheckedContinuation { waiting in database.submit(many) { waiting.resume(returning: $0) } }
        #expect(all.fault == nil)
        await database.closed()
        await (try open(folder, 8)).closed()
        #expect(try lacking(folder) == 0)
        try expectSound(folder)
    }

    /// Entries that a start has to read.
    private func lacking(_ folder: Folder) throws -> Int64 {
        let connection = try Connection(path: folder.database, access: .readOnly)
        let statement = try Statement(
            connection, "SELECT COUNT(*) FROM log WHERE seq > (SELECT value FROM meta WHERE key = 'indexed_through')")
        return try #require(try statement.first { row in row.integer(0) })
    }

    @Test func `of an account whose log has lost its beginning the owner is still known`() async throws {
        let folder = try Folder()
        let database = try open(folder, 1_000)
        let id = Sample.account(1)
        _ = await database.commit(.createAccount(Sample.record(id)), .createSession(Sample.session(1, of: id)))
        for revision in Revision(1)...3 { _ = await database.commit(.append(Sample.entry(id, revision))) }
        do {
            // Beside the running service, which knows that the entry should be there.
            let connection = try Connection(path: folder.database, access: .readWrite)
            try connection.execute("DELETE FROM log WHERE revision = 1")
        }
        await #expect(throws: StorageFault.self) { try await database.loaded(id) }
        let aside = try await database.value { $0.aside(of: id, then: $1) }
        #expect(aside?.newest == 3 && aside?.sessions.count == 1)
        await database.closed()
    }

    @Test(arguments: 0..<16) func `a flipped bit in how far the index is loses nothing`(bit: Int) async throws {
        let folder = try Folder()
        let ids = (1...2).map { Sample.account(Int64($0)) }
        do {
            let database = try open(folder, 4)
            for id in ids { _ = await database.commit(.createAccount(Sample.record(id))) }
            for revision in Revision(1)...9 {
                for id in ids { _ = await database.commit(.append(Sample.entry(id, revision))) }
            }
            await database.closed()
        }
        do {
            let connection = try Connection(path: folder.database, access: .readWrite)
            let mask = 1 << (bit / 2)
            let key = bit % 2 == 0 ? "indexed_through" : "indexed_through_again"
            try connection.execute(
                "UPDATE meta SET value = (value | \(mask)) - (value & \(mask)) WHERE key = '\(key)'")
            #expect(connection.changes == 1)
        }
        let findings = try Inspector.open(path: folder.database, model: nil).checkStructure()
        #expect(findings.map(\.description) == ["database: how far the log's index is, is not what was stored"])
        let database = try open(folder, 4)
        for id in ids {
            #expect(try await database.loaded(id)?.head == 9)
            #expect(await database.commit(.append(Sample.entry(id, 10))).fault == nil)
            #expect(try await database.page(id).entries.map(\.revision) == Array(1...10))
        }
        await database.closed()
        let again = try open(folder, 4)
        for id in ids { #expect(try await again.loaded(id)?.head == 10) }
        await again.closed()
    }

    @Test func `the numbers of what was refused are free again, and no commit is missed for them`() async throws {
        let folder = try Folder()
        let id = Sample.account(1)
        let first = try open(folder, 2)
        _ = await first.commit(.createAccount(Sample.record(id)))
        _ = await first.commit(.append(Sample.entry(id, 1)))
        #expect(await first.commit(.append(Sample.entry(id, 2)), .append(Sample.entry(id, 9))).fault == .conflict(.revision))
        #expect(await first.commit(.createSession(Sample.session(5, of: id)), .append(Sample.entry(id, 9))).fault != nil)
        await first.closed()
        let again = try open(folder, 2)
        #expect(try await again.loaded(id)?.head == 1)
        #expect(again.nextSessionID() == 1)
        await again.closed()
    }

    @Test func `the index is filled in the order of accounts, and says how far it is`() async throws {
        let folder = try Folder()
        let database = try open(folder, 6)
        let ids = (1...3).map { Sample.account(Int64($0)) }
        for id in ids { _ = await database.commit(.createAccount(Sample.record(id))) }
        for revision in Revision(1)...10 {
            for id in ids.reversed() { _ = await database.commit(.append(Sample.entry(id, revision))) }
        }
        await database.closed()
        let connection = try Connection(path: folder.database, access: .readOnly)
        func number(_ sql: String) throws -> Int64 {
            try #require(try Statement(connection, sql).first { row in row.integer(0) })
        }
        let through = try number("SELECT value FROM meta WHERE key = 'indexed_through'")
        #expect(through >= 12 && through <= 24, "30 entries, of which at most two generations and what they wait for are left")
        #expect(try number("SELECT COUNT(*) FROM log WHERE seq <= \(through) AND seq NOT IN (SELECT seq FROM log_index)") == 0)
        #expect(try number("SELECT COUNT(*) FROM log") == 30)
        #expect(try number("SELECT COUNT(*) FROM log_index") < 30)
        #expect(
            try number(
                """
                SELECT COUNT(*) FROM log_index JOIN log USING (seq)
                WHERE log.account = log_index.account AND log.revision = log_index.revision
                """
            ) == number("SELECT COUNT(*) FROM log_index"))
    }

    @Test(arguments: [
        ("DELETE FROM log WHERE account = 1 AND revision = 2", "account 1, revision 2: the log entry is missing"),
        ("UPDATE log_index SET seq = 999 WHERE account = 1 AND revision = 3", "account 1, revision 3: the log entry is missing"),
        (
            "UPDATE log_index SET seq = 1 WHERE account = 1 AND revision = 3",
            "account 1, revision 3: the log goes on with revision 1"
        ),
        ("DELETE FROM log_index WHERE account = 1 AND revision = 2", "account 1, revision 2: the log goes on with revision 3"),
    ])
    func `an index that does not agree with the log is found, and harms no other account`(
        sql: String, finding: String
    ) async throws {
        let folder = try Folder()
        let database = try open(folder, 4)
        let ids = (1...2).map { Sample.account(Int64($0)) }
        for id in ids { _ = await database.commit(.createAccount(Sample.record(id))) }
        for revision in Revision(1)...8 {
            for id in ids { _ = await database.commit(.append(Sample.entry(id, revision))) }
        }
        await database.closed()
        do {
            let connection = try Connection(path: folder.database, access: .readWrite)
            try connection.execute(sql)
            #expect(connection.changes == 1)
        }
        let inspector = try Inspector.open(path: folder.database, model: nil)
        #expect(try inspector.walk(Sample.record(ids[0])) { _ in nil }.map(\.description) == [finding])
        #expect(try inspector.walk(Sample.record(ids[1])) { _ in nil } == [])
        if sql.contains("log_index") { #expect(try !inspector.checkStructure().isEmpty) }
        let again = try open(folder, 4)
        await #expect(throws: StorageFault.self) { try await again.loaded(ids[0]) }
        #expect(try await again.loaded(ids[1])?.head == 8)
        await again.closed()
    }
}
