import Accounts
import Counter
import Identity
import Persistence
import Redux
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Erasing an account` {
    private func erase<Model: AccountModel>(_ account: AccountID, on bench: Bench<Model>) async -> Result<Void, IdentityFault> {
        await withCheckedContinuation { done in bench.accounts.erase(account) { done.resume(returning: $0) } }
    }

    private func session<Model: AccountModel>(_ token: String, on bench: Bench<Model>) async throws -> Session? {
        let parsed = try #require(bench.accounts.mint.parse(token))
        return try await withCheckedContinuation { done in bench.accounts.authenticate(parsed) { done.resume(returning: $0) } }
            .get()?.1
    }

    @Test func `ends its tokens at once, leaves nothing of it, and touches no other`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, token) = try await bench.create()
        let (other, otherToken) = try await bench.create()
        for id in [handle.id, other.id] { _ = await bench.dispatch(.increase, to: id) }
        let known = try #require(try await session(token, on: bench))

        try await erase(handle.id, on: bench).get()
        #expect(!known.isLive(at: 0), "a connection that knows the session sees it dead")
        #expect(!handle.isCurrent)
        #expect(try await session(token, on: bench) == nil)
        #expect(await bench.dispatch(.increase, to: handle.id) == "noAccount")
        guard case .failure(.open(.noAccount)) = await erase(handle.id, on: bench) else {
            Issue.record("it was there to be erased twice")
            return
        }
        #expect(try await session(otherToken, on: bench) != nil)
        #expect(await bench.dispatch(.increase, to: other.id).hasPrefix("2 "))

        let again = try await bench.restarted(environment: .init())
        #expect(await again.dispatch(.increase, to: handle.id) == "noAccount")
        #expect(try await again.create().handle.id > other.id, "its number is not given out again")
        await again.end()
    }

    @Test func `answers what was accepted before it, and refuses what comes after`() async throws {
        let bench = try Bench<CounterModel>(loops: 1)
        let (handle, _) = try await bench.create()
        async let before = bench.dispatch(.increase, to: handle.id)
        let first = await before
        async let erased: Void = try erase(handle.id, on: bench).get()
        try await erased
        #expect(first == "1 true counter/increase@1")
        #expect(bench.accounts.counters.storesInMemory.current == 0)
        await bench.end()
    }

    @Test func `whose commit fails has erased nothing, and the token counts again`() async throws {
        // Commit 1 opens the account, 2 is its action, 3 the erasure.
        let bench = try Bench<CounterModel>(faults: .at(3, .full))
        let (handle, token) = try await bench.create()
        _ = await bench.dispatch(.increase, to: handle.id)
        guard case .failure(.commit(.full)) = await erase(handle.id, on: bench) else {
            Issue.record("it was erased")
            return
        }
        #expect(try await session(token, on: bench)?.isLive(at: 0) == true)
        #expect(await bench.dispatch(.increase, to: handle.id).hasPrefix("2 "))
        await bench.end()
    }

    @Test func `forgets what was still to be done for it`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        let (other, _) = try await bench.create()
        _ = await bench.dispatch(.asyncIncrease, to: handle.id)
        try await erase(handle.id, on: bench).get()
        _ = await bench.dispatch(.asyncIncrease, to: other.id)
        await bench.until {
            bench.time.advance(byMilliseconds: 100)
            return other.published.revision == 2
        }
        #expect(bench.accounts.counters.effectsRun.current == 1)
        await bench.end()
    }
}
