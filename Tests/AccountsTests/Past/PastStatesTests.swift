import Accounts
import Counter
import Persistence
import Redux
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Past states` {
    private func state(_ bench: Bench<CounterModel>, _ account: AccountID, at revision: Revision) async -> String {
        let result = await withCheckedContinuation { done in
            bench.accounts.past.state(of: account, at: revision) { done.resume(returning: $0) }
        }
        switch result {
        case .success(let point): return "\(point.state.value) at \(point.revision)"
        case .failure(let fault): return "\(fault)"
        }
    }

    private func increase(_ bench: Bench<CounterModel>, _ account: AccountID, times: Int) async {
        for start in stride(from: 0, to: times, by: 100) {
            let actions = [CounterAction](repeating: .increase, count: min(100, times - start))
            _ = await bench.dispatch(DispatchRequest(actions, render: Bench<CounterModel>.render), to: account)
        }
    }

    private func start(_ bench: Bench<CounterModel>, _ account: AccountID, at revision: Revision) async throws -> PastStart? {
        try await withCheckedContinuation { done in
            bench.accounts.database.pastStart(of: account, at: revision) { done.resume(returning: $0) }
        }.get()
    }

    @Test func `are as they were, and none is far from a stored snapshot`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        await increase(bench, handle.id, times: 5000)
        for revision in [0, 1, 127, 128, 1023, 1024, 1025, 2500, 3071, 4095, 4999, 5000] as [Revision] {
            #expect(await state(bench, handle.id, at: revision) == "\(revision) at \(revision)")
        }
        for revision in stride(from: 0, through: 5000, by: 97) {
            let snapshot = try await start(bench, handle.id, at: Revision(revision))?.snapshot?.revision ?? 0
            // A snapshot is written when the tail passes 128 actions, so at most two batches late.
            #expect(Revision(revision) - snapshot <= Database.snapshotSpacing + 228)
        }
        await bench.end()
    }

    @Test func `end with the head and with the account`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        await increase(bench, handle.id, times: 3)
        #expect(await state(bench, handle.id, at: 4) == "noSuchRevision")
        #expect(await state(bench, AccountID(rawValue: 99)!, at: 0) == "noAccount")
        await bench.end()
    }

    @Test func `before a base are served only where the fold leads to what is stored`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        await increase(bench, handle.id, times: 10)
        let states = bench.accounts.history.states
        func store(_ value: Int64, at revision: Revision, trim: Revision? = nil) async throws {
            let base = try states.snapshot(.init(value: value), of: handle.id, at: revision, isBase: true)
            var writes: [Write] = [.snapshot(base)]
            if let trim { writes.append(.trim(handle.id, through: trim)) }
            try await withCheckedContinuation { done in
                bench.accounts.database.submit(writes) { done.resume(returning: $0) }
            }.get()
        }
        // A base that agrees with its past vouches for it; one that does not (after a migration, say) does not.
        try await store(6, at: 6)
        #expect(await state(bench, handle.id, at: 5) == "5 at 5")
        try await store(90, at: 9)
        #expect(await state(bench, handle.id, at: 8) == "unavailable")
        #expect(await state(bench, handle.id, at: 6) == "6 at 6", "what is stored needs no fold")
        #expect(await state(bench, handle.id, at: 10) == "91 at 10")
        try await store(90, at: 9, trim: 8)
        #expect(await state(bench, handle.id, at: 3) == "unavailable")
        #expect(await state(bench, handle.id, at: 9) == "90 at 9")
        await bench.end()
    }
}
