import Redux
import Testing

@testable import Persistence

@Suite struct RoundTripTests {
    let folder: Folder
    let database: Database
    let account = Sample.account(1)

    init() throws {
        folder = try Folder()
        database = try Database.test(folder)
    }

    @Test func `an account comes back with all that is its own`() async throws {
        let other = Sample.account(2)
        let results = [
            await database.commit(
                .createAccount(Sample.record(account, email: "a@b.c")), .createSession(Sample.session(1, of: account))),
            await database.commit(.createAccount(Sample.record(other)), .createSession(Sample.session(2, of: other))),
            await database.commit(
                .append(Sample.entry(account, 1)), .enqueue(Sample.effect(account, 1)), .remember(Sample.answer(account, "k1"))),
            await database.commit(.append(Sample.entry(account, 2)), .append(Sample.entry(account, 3))),
            await database.commit(.append(Sample.entry(other, 1))),
            await database.commit(.postpone(PostponedRecord(id: 1, account: account, tag: "t", body: [1], at: 9))),
        ]
        #expect(results.allSatisfy { $0.fault == nil })

        let loaded = try #require(try await database.loaded(account))
        #expect(loaded.record == Sample.record(account, email: "a@b.c"))
        #expect(loaded.sessions == [Sample.session(1, of: account)])
        #expect(loaded.snapshot == nil)
        #expect(loaded.tail == (1...3).map { Sample.entry(account, $0) })
        #expect(loaded.head == 3)
        #expect(loaded.idempotency == [Sample.answer(account, "k1")])
        #expect(loaded.outbox.count == 1)
        #expect(loaded.postponedCount == 1)
        #expect(loaded.tailBytes == loaded.tail.reduce(0) { $0 + $1.approximateBytes })
        await database.closed()
    }

    @Test func `an unknown account is nil, and so is what hangs on it`() async throws {
        #expect(try await database.loaded(account) == nil)
        #expect(try await database.value { $0.sizes(of: account, then: $1) } == nil)
        #expect(try await database.page(account).entries == [])
        #expect(await database.commit(.append(Sample.entry(account, 1))).fault == .conflict(.account))
        await database.closed()
    }

    @Test func `with a snapshot only what follows it is read`() async throws {
        _ = await database.commit(.createAccount(Sample.record(account)))
        for revision in Revision(1)...5 { _ = await database.commit(.append(Sample.entry(account, revision))) }
        #expect(await database.commit(.snapshot(Sample.snapshot(account, 3))).fault == nil)
        let loaded = try #require(try await database.loaded(account))
        #expect(loaded.snapshot == Sample.snapshot(account, 3))
        #expect(loaded.tail.map(\.revision) == [4, 5])
        #expect(await database.commit(.snapshot(Sample.snapshot(account, 5))).fault == nil)
        #expect(try await database.loaded(account)?.tail == [])
        #expect(try await database.loaded(account)?.head == 5)
        await database.closed()
    }

    @Test func `two snapshots are kept, and every base`() async throws {
        _ = await database.commit(.createAccount(Sample.record(account)))
        for revision in Revision(1)...6 {
            _ = await database.commit(
                .append(Sample.entry(account, revision)), .snapshot(Sample.snapshot(account, revision, isBase: revision == 2)))
        }
        var kept: [Revision] = []
        var revision = Revision.max
        while let found = try await database.value({ $0.snapshot(of: account, atOrBefore: revision, then: $1) }) {
            kept.append(found.revision)
            revision = found.revision - 1
        }
        #expect(kept == [6, 5, 2])
        await database.closed()
    }

    @Test func `a snapshot ahead of the log is refused`() async throws {
        _ = await database.commit(.createAccount(Sample.record(account)))
        #expect(await database.commit(.snapshot(Sample.snapshot(account, 1))).fault == .conflict(.revision))
        await database.closed()
    }

    @Test func `pages of the log are bounded and can be filtered`() async throws {
        _ = await database.commit(.createAccount(Sample.record(account)))
        for revision in Revision(1)...9 { _ = await database.commit(.append(Sample.entry(account, revision))) }
        let page = try await database.page(account, after: 2, limit: 3)
        #expect(page.entries == [3, 4, 5].map { Sample.entry(account, $0) })
        #expect((page.oldest, page.newest, page.through) == (1, 9, 5))
        #expect(try await database.page(account, after: 2, before: 5).entries.map(\.revision) == [3, 4])
        let even = try await database.page(account, after: 3, name: "counter/decrease", limit: 2)
        #expect(even.entries.map(\.revision) == [4, 6])
        #expect(try await database.page(account, after: 9).entries == [])
        #expect(try await database.page(account, after: 0, limit: 0).newest == 9)
        #expect(try await database.value { $0.entry(of: account, revision: 4, then: $1) } == Sample.entry(account, 4))
        #expect(try await database.value { $0.entry(of: account, revision: 10, then: $1) } == nil)
        #expect(try await database.value { $0.entry(of: account, revision: 0, then: $1) } == nil)
        await database.closed()
    }

    @Test func `the log is trimmed behind a base only`() async throws {
        _ = await database.commit(.createAccount(Sample.record(account)))
        for revision in Revision(1)...6 { _ = await database.commit(.append(Sample.entry(account, revision))) }
        #expect(await database.commit(.trim(account, through: 3)).fault == .conflict(.revision))
        _ = await database.commit(.snapshot(Sample.snapshot(account, 4, isBase: true)))
        #expect(await database.commit(.trim(account, through: 5)).fault == .conflict(.revision))
        #expect(await database.commit(.trim(account, through: 3)).fault == nil)
        let page = try await database.page(account)
        #expect(page.entries.map(\.revision) == [4, 5, 6])
        #expect(page.oldest == 4)
        #expect(try await database.value { $0.entry(of: account, revision: 3, then: $1) } == nil)
        let loaded = try #require(try await database.loaded(account))
        #expect(loaded.snapshot?.revision == 4)
        #expect(loaded.tail.map(\.revision) == [5, 6])
        // All of the log may go, and the account goes on all the same.
        _ = await database.commit(.snapshot(Sample.snapshot(account, 6, isBase: true)), .trim(account, through: 6))
        #expect(try await database.page(account).oldest == nil)
        await database.closed()
        let again = try Database.test(folder)
        #expect(await again.commit(.append(Sample.entry(account, 7))).fault == nil)
        #expect(try await again.loaded(account)?.head == 7)
        await again.closed()
    }

    @Test func `effects come by due time, are put off, buried, replaced and settled`() async throws {
        let other = Sample.account(2)
        _ = await database.commit(.createAccount(Sample.record(account)), .createAccount(Sample.record(other)))
        _ = await database.commit(
            .append(Sample.entry(account, 1)), .enqueue(Sample.effect(account, 1, 0, due: 30)),
            .enqueue(Sample.effect(account, 1, 1, due: 10)), .append(Sample.entry(other, 1)),
            .enqueue(Sample.effect(other, 1, 0, due: 20)))
        #expect(try await database.due(upTo: 25).map(\.id.description) == ["1.1.1", "2.1.0"])
        #expect(try await database.value { $0.nextDue(after: 25, then: $1) } == 30)
        _ = await database.commit(.reschedule(OutboxID(account: account, revision: 1, ordinal: 1), due: 40, attempt: 1))
        _ = await database.commit(.bury(OutboxID(account: other, revision: 1, ordinal: 0), reason: "gave up"))
        #expect(try await database.due(upTo: 100).map(\.due) == [30, 40])
        #expect(try await database.value { $0.outbox(of: other, then: $1) }.map(\.deadReason) == ["gave up"])
        _ = await database.commit(.settle(OutboxID(account: account, revision: 1, ordinal: 0)))
        #expect(try await database.value { $0.outbox(of: account, then: $1) }.map(\.attempt) == [1])

        _ = await database.commit(
            .append(Sample.entry(account, 2)), .enqueue(Sample.effect(account, 2, 0, key: "search", due: 50)))
        _ = await database.commit(
            .append(Sample.entry(account, 3)), .enqueue(Sample.effect(account, 3, 0, key: "search", due: 60)))
        #expect(try await database.value { $0.outbox(of: account, then: $1) }.map(\.revision) == [1, 3])
        _ = await database.commit(.cancelEffect(account, key: "search"), .cancelEffect(account, key: "nothing"))
        #expect(try await database.value { $0.outbox(of: account, then: $1) }.map(\.revision) == [1])
        await database.closed()
    }

    @Test func `postponed items come first in, first out`() async throws {
        _ = await database.commit(.createAccount(Sample.record(account)))
        let items = ["a", "b", "a"].enumerated().map { index, tag in
            PostponedRecord(id: database.nextPostponedID(), account: account, tag: tag, body: [UInt8(index)], at: 7)
        }
        for item in items { _ = await database.commit(.postpone(item)) }
        #expect(try await database.value { $0.postponed(of: account, tag: "a", then: $1) } == [items[0], items[2]])
        _ = await database.commit(.unpostpone(id: items[0].id, account: account))
        #expect(try await database.value { $0.postponed(of: account, tag: nil, then: $1) } == [items[1], items[2]])
        await database.closed()
    }

    @Test func `answers are kept for a day, then their keys are free`() async throws {
        let day = IdempotencyRecord.keptMilliseconds
        _ = await database.commit(.createAccount(Sample.record(account)))
        #expect(await database.commit(.remember(Sample.answer(account, "k", at: 1_000))).fault == nil)
        #expect(await database.commit(.remember(Sample.answer(account, "k", at: 999 + day))).fault == .conflict(.idempotencyKey))
        #expect(await database.commit(.remember(Sample.answer(account, "k", at: 1_000 + day))).fault == nil)
        #expect(try await database.loaded(account)?.idempotency.map(\.at) == [1_000 + day])
        #expect(try await database.loaded(account, since: 1_001 + day)?.idempotency == [])
        _ = await database.commit(.remember(Sample.answer(account, "old", at: 5)), .forgetIdempotency(before: 6))
        #expect(try await database.loaded(account)?.idempotency.map(\.key) == ["k"])
        _ = await database.commit(.forgetAnswer(account, key: "k"))
        #expect(try await database.loaded(account)?.idempotency == [])
        await database.closed()
    }

    @Test func `sessions are renewed and ended, and their numbers never come again`() async throws {
        _ = await database.commit(.createAccount(Sample.record(account)))
        let first = SessionRecord(id: database.nextSessionID(), account: account, tokenHash: [1], created: 1)
        var second = SessionRecord(id: database.nextSessionID(), account: account, tokenHash: [2], created: 1)
        _ = await database.commit(.createSession(first), .createSession(second))
        second.tokenHash = [3]
        second.expires = 77
        _ = await database.commit(.renewSession(second))
        #expect(try await database.value { $0.sessions(of: account, then: $1) } == [first, second])
        _ = await database.commit(.endSession(id: second.id, account: account))
        #expect(try await database.loaded(account)?.sessions == [first])
        await database.closed()
        let again = try Database.test(folder)
        #expect(again.nextSessionID() == second.id + 1)
        await again.closed()
    }

    @Test func `an email address belongs to one account`() async throws {
        let other = Sample.account(2)
        _ = await database.commit(.createAccount(Sample.record(account, email: "a@b.c")))
        #expect(await database.commit(.createAccount(Sample.record(other, email: "a@b.c"))).fault == .conflict(.email))
        #expect(await database.commit(.createAccount(Sample.record(other))).fault == nil)
        #expect(await database.commit(.updateAccount(Sample.record(other, email: "a@b.c"))).fault == .conflict(.email))
        #expect(await database.commit(.updateAccount(Sample.record(other, email: "d@e.f"))).fault == nil)
        #expect(try await database.value { $0.account(withEmail: "d@e.f", then: $1) }?.id == other)
        #expect(try await database.value { $0.account(withEmail: "x", then: $1) } == nil)
        #expect(await database.commit(.createAccount(Sample.record(account))).fault == .conflict(.account))
        #expect(await database.commit(.updateAccount(Sample.record(Sample.account(9)))).fault == .conflict(.account))
        await database.closed()
    }

    @Test func `accounts are listed in pages`() async throws {
        for id in Int64(1)...5 { _ = await database.commit(.createAccount(Sample.record(Sample.account(id)))) }
        #expect(try await database.value { $0.accounts(after: nil, limit: 2, then: $1) }.map(\.id.rawValue) == [1, 2])
        #expect(
            try await database.value { $0.accounts(after: Sample.account(2), limit: 9, then: $1) }.map(\.id.rawValue) == [
                3, 4, 5,
            ])
        await database.closed()
    }

    @Test func `an erased account is gone whole, and its number never comes again`() async throws {
        let id = database.nextAccountID()
        _ = await database.commit(.createAccount(Sample.record(id, email: "a@b.c")), .createSession(Sample.session(1, of: id)))
        _ = await database.commit(
            .append(Sample.entry(id, 1)), .snapshot(Sample.snapshot(id, 1)), .enqueue(Sample.effect(id, 1)),
            .remember(Sample.answer(id, "k")), .postpone(PostponedRecord(id: 1, account: id, tag: "t", body: [], at: 0)))
        let sizes = try #require(try await database.value { $0.sizes(of: id, then: $1) })
        #expect(
            (sizes.logEntries, sizes.snapshots, sizes.outbox, sizes.sessions, sizes.idempotency, sizes.postponed) == (
                1, 1, 1, 1, 1, 1
            ))
        #expect(sizes.logBytes > 0 && sizes.snapshotBytes == Sample.snapshot(id, 1).state.count)
        #expect(await database.commit(.eraseAccount(id)).fault == nil)
        #expect(try await database.loaded(id) == nil)
        #expect(try await database.page(id).oldest == nil)
        #expect(try await database.due(upTo: .max) == [])
        #expect(await database.commit(.append(Sample.entry(id, 2))).fault == .conflict(.account))
        await database.closed()
        let again = try Database.test(folder)
        #expect(again.nextAccountID().rawValue == id.rawValue + 1)
        await again.closed()
    }
}
