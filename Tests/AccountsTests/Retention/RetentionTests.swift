import Accounts
import Counter
import Persistence
import Redux
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Retention of the log` {
    private func bench(in folder: String? = nil, _ change: (inout AccountLimits) -> Void) throws -> Bench<CounterModel> {
        var limits = AccountLimits()
        change(&limits)
        return try Bench(in: folder ?? Bench<CounterModel>.newFolder(), environment: .init(), limits: limits)
    }

    private func increase(_ bench: Bench<CounterModel>, _ account: AccountID, batches: Int) async {
        for _ in 0..<batches {
            let actions = [CounterAction](repeating: .increase, count: 100)
            _ = await bench.dispatch(DispatchRequest(actions, render: Bench<CounterModel>.render), to: account)
        }
    }

    private func page(_ bench: Bench<CounterModel>, _ account: AccountID) async throws -> LogPage {
        try await withCheckedContinuation { done in
            bench.accounts.database.entries(of: account, limit: 10_000) { done.resume(returning: $0) }
        }.get()
    }

    @Test func `keeps everything where nothing is set`() async throws {
        let bench = try bench { _ in }
        let (handle, _) = try await bench.create()
        await increase(bench, handle.id, batches: 12)
        let page = try await page(bench, handle.id)
        #expect(page.oldest == 1 && page.entries.count == 1200)
        await bench.end()
    }

    @Test func `by count keeps at least as many, forgets what a stored state covers, and says what is gone`() async throws {
        let bench = try bench { $0.logActionsKeptMin = 250 }
        let (handle, _) = try await bench.create()
        let (other, _) = try await bench.create()
        await increase(bench, other.id, batches: 2)
        await increase(bench, handle.id, batches: 30)
        let page = try await page(bench, handle.id)
        let oldest = try #require(page.oldest)
        #expect(oldest > 1)
        #expect(page.newest == 3000 && page.newest - oldest + 1 >= 250)
        #expect(page.newest - oldest <= 250 + Database.snapshotSpacing + 256, "it goes in steps, not never")
        // What is kept can be read as it was; what is gone is said to be gone.
        for revision in [oldest - 1, oldest, 2_900, 3_000] {
            #expect(await bench.value(of: handle.id, at: revision) == "\(revision)")
        }
        for revision in [0, 1, oldest - 2] { #expect(await bench.value(of: handle.id, at: revision) == "unavailable") }
        #expect(try await self.page(bench, other.id).oldest == 1, "another account's log is its own")
        #expect(try bench.findings() == [])
        #expect(await bench.dispatch(.increase, to: handle.id).hasPrefix("3001 "))

        let again = try await bench.restarted(environment: .init())
        #expect(try again.value(of: await again.open(handle.id).get()) == "3001")
        #expect(try again.findings() == [])
        await again.end()
    }

    @Test func `by age forgets what was stamped before, and never the newest entry`() async throws {
        let bench = try bench { $0.logKeptMilliseconds = 86_400_000 }
        let (handle, _) = try await bench.create()
        await increase(bench, handle.id, batches: 4)
        #expect(try await page(bench, handle.id).oldest == 1)
        bench.time.advance(byMilliseconds: 2 * 86_400_000)
        await increase(bench, handle.id, batches: 2)
        let page = try await page(bench, handle.id)
        // States are stored every 128 actions or more, which batches of a hundred make 200.
        #expect(page.oldest == 401 && page.newest == 600)
        #expect(await bench.value(of: handle.id, at: 400) == "400")
        #expect(await bench.value(of: handle.id, at: 399) == "unavailable")
        bench.time.advance(byMilliseconds: 20 * 86_400_000)
        await increase(bench, handle.id, batches: 2)
        #expect(try await self.page(bench, handle.id).oldest == 601)
        #expect(try bench.findings() == [])
        await bench.end()
    }
}
