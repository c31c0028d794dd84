import Redux
import Synchronization
import Testing

@testable import Persistence

@Suite struct GroupCommitTests {
    /// A database whose second commit waits at a gate, so that submissions pile up behind it.
    private func gated(_ folder: Folder) throws -> (Database, Gate, Gate) {
        let reached = Gate()
        let gate = Gate()
        let database = try Database.test(
            folder,
            faults: FaultInjection { commit in
                if commit == 2 {
                    reached.open()
                    gate.wait()
                }
                return nil
            })
        return (database, reached, gate)
    }

    @Test func `what arrives during a commit is one transaction, answered in order`() async throws {
        let folder = try Folder()
        let (database, reached, gate) = try gated(folder)
        let account = Sample.account(1)
        _ = await database.commit(.createAccount(Sample.record(account)))
        let order = Collected<Int>()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            database.submit([.append(Sample.entry(account, 1))]) { _ in order.add(1) }
            reached.wait()
            for revision in Revision(2)...100 {
                database.submit([.append(Sample.entry(account, revision))]) { result in
                    order.add(result.fault == nil ? Int(revision) : -1)
                    if revision == 100 { done.resume() }
                }
            }
            #expect(database.metrics.queueDepth == 99)
            gate.open()
        }
        #expect(order.values == Array(1...100))
        let metrics = database.metrics
        #expect(metrics.batches == 3)
        #expect(metrics.submissions == 101)
        #expect(metrics.lastBatchWrites == 99)
        #expect(metrics.queueDepth == 0)
        #expect(try await database.loaded(account)?.head == 100)
        await database.closed()
    }

    @Test func `a conflict takes back its own submission and no other`() async throws {
        let folder = try Folder()
        let (database, reached, gate) = try gated(folder)
        let accounts = (Int64(1)...3).map { Sample.account($0) }
        for account in accounts.prefix(1) { _ = await database.commit(.createAccount(Sample.record(account))) }
        let results = Collected<CommitFault?>()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            database.submit([.createAccount(Sample.record(accounts[1]))]) { _ in }
            reached.wait()
            let batches: [[Write]] = [
                [.append(Sample.entry(accounts[0], 1))],
                // Its first write is fine, its second is not: neither is kept.
                [.append(Sample.entry(accounts[1], 1)), .append(Sample.entry(accounts[0], 7))],
                // Built on what was taken back.
                [.append(Sample.entry(accounts[1], 2))],
                [.append(Sample.entry(accounts[1], 1)), .append(Sample.entry(accounts[0], 2))],
                [.createAccount(Sample.record(accounts[2]))],
            ]
            for (index, writes) in batches.enumerated() {
                database.submit(writes) { result in
                    results.add(result.fault)
                    if index == batches.count - 1 { done.resume() }
                }
            }
            gate.open()
        }
        #expect(results.values == [nil, .conflict(.revision), .conflict(.revision), nil, nil])
        #expect(database.metrics.batches == 3)
        #expect(database.metrics.refusedConflict == 2)
        #expect(try await database.loaded(accounts[0])?.tail.map(\.revision) == [1, 2])
        #expect(try await database.loaded(accounts[1])?.tail == [Sample.entry(accounts[1], 1)])
        #expect(try await database.loaded(accounts[2]) != nil)
        await database.closed()
    }

    @Test func `more than may wait is refused, and what was taken in is not`() async throws {
        let folder = try Folder()
        let reached = Gate()
        let gate = Gate()
        let database = try Database.test(
            folder,
            faults: FaultInjection { _ in
                reached.open()
                gate.wait()
                return nil
            }
        ) { $0.submissionsWaitingMax = 2 }
        let results = Collected<CommitFault?>()
        database.submit([.createAccount(Sample.record(Sample.account(1)))]) { results.add($0.fault) }
        reached.wait()
        for id in Int64(2)...4 { database.submit([.createAccount(Sample.record(Sample.account(id)))]) { results.add($0.fault) } }
        gate.open()
        await database.closed()
        #expect(results.values.filter { $0 == nil }.count == 3)
        #expect(results.values.filter { $0 == .overloaded }.count == 1)
    }

    @Test func `what waits at closing is committed, what comes later is told so`() async throws {
        let folder = try Folder()
        let (database, reached, gate) = try gated(folder)
        _ = await database.commit(.createAccount(Sample.record(Sample.account(1))))
        let results = Collected<CommitFault?>()
        database.submit([.append(Sample.entry(Sample.account(1), 1))]) { results.add($0.fault) }
        reached.wait()
        database.submit([.append(Sample.entry(Sample.account(1), 2))]) { results.add($0.fault) }
        async let closing: Void = database.closed()
        gate.open()
        await closing
        #expect(results.values == [nil, nil])
        #expect(await database.commit(.eraseAccount(Sample.account(1))).fault == .closed)
        await #expect(throws: StorageFault.closed) { try await database.loaded(Sample.account(1)) }
        let again = try Database.test(folder)
        #expect(try await again.loaded(Sample.account(1))?.head == 2)
        await again.closed()
    }

    @Test func `many writers at once: each account's log is gapless and its chain holds`() async throws {
        let folder = try Folder()
        let database = try Database.test(folder)
        let accounts = (Int64(1)...8).map { Sample.account($0) }
        for account in accounts { _ = await database.commit(.createAccount(Sample.record(account))) }
        await withTaskGroup(of: Void.self) { group in
            for account in accounts {
                group.addTask {
                    for revision in Revision(1)...50 { _ = await database.commit(.append(Sample.entry(account, revision))) }
                }
            }
        }
        for account in accounts {
            #expect(try await database.loaded(account)?.tail == (1...50).map { Sample.entry(account, $0) })
        }
        #expect(database.metrics.writes == 408)
        #expect(database.metrics.batches <= 408)
        await database.closed()
    }
}

@Suite struct InboxTests {
    private func submission(_ writes: Int) -> Submission {
        Submission([Write](repeating: .forgetIdempotency(before: 0), count: writes)) { _ in }
    }

    @Test func `a batch is bounded by its writes, but is never empty`() {
        var inbox = Inbox()
        _ = inbox.add([submission(3), submission(3), submission(20), submission(1)], limit: 10)
        #expect(inbox.take(writesMax: 8).map(\.writes.count) == [3, 3])
        #expect(inbox.take(writesMax: 8).map(\.writes.count) == [20])
        #expect(inbox.count == 1)
        #expect(inbox.take(writesMax: 8).map(\.writes.count) == [1])
        #expect(inbox.take(writesMax: 8).isEmpty)
    }

    @Test func `the writer is woken once, until it has found nothing`() {
        var inbox = Inbox()
        func add() -> Bool? { if case .queued(let mustWake) = inbox.add([submission(1)], limit: 10) { mustWake } else { nil } }
        #expect(add() == true)
        #expect(add() == false)
        _ = inbox.take(writesMax: 10)
        #expect(add() == false)
        _ = inbox.take(writesMax: 10)
        _ = inbox.take(writesMax: 10)
        #expect(add() == true)
        inbox.close()
        #expect(add() == nil)
        #expect(inbox.count == 1)
    }
}

@Suite struct CheckpointPolicyTests {
    @Test func `a long log is moved passively, and again once it has grown`() {
        var policy = CheckpointPolicy()
        #expect(policy.didCommit(frames: 511) == .none)
        #expect(policy.didCommit(frames: 512) == .passive)
        policy.didCheckpoint(isComplete: false)
        #expect(policy.didCommit(frames: 1_023) == .none)
        #expect(policy.didCommit(frames: 1_024) == .passive)
        policy.didCheckpoint(isComplete: true)
        #expect(policy.didCommit(frames: 12) == .none)
        #expect(policy.didCommit(frames: 512) == .passive)
    }

    @Test func `past the hard limit the writer waits for readers`() {
        var policy = CheckpointPolicy()
        #expect(policy.didCommit(frames: CheckpointPolicy.framesHardMax) == .truncate)
    }

    @Test func `an idle second is used once`() {
        var policy = CheckpointPolicy()
        #expect(policy.didTick() == .none)
        _ = policy.didCommit(frames: 3)
        #expect(policy.didTick() == .none)
        #expect(policy.didTick() == .passive)
        policy.didCheckpoint(isComplete: true)
        #expect(policy.didTick() == .none)
    }
}

@Suite struct HeadCacheTests {
    @Test func `it stays within its bound and forgets the unused first`() {
        var cache = HeadCache(headsMax: 8)
        let digest = Digest(of: [1])
        cache.store(Head(revision: 99, chain: digest), of: Sample.account(1_000))
        for id in Int64(1)...100 {
            cache.store(Head(revision: id, chain: digest), of: Sample.account(id))
            #expect(cache.head(of: Sample.account(1_000))?.revision == 99)
            #expect(cache.count <= 10)
        }
        #expect(cache.head(of: Sample.account(1)) == nil)
        #expect(cache.head(of: Sample.account(100))?.revision == 100)
        cache.forget(Sample.account(100))
        #expect(cache.head(of: Sample.account(100)) == nil)
    }
}
