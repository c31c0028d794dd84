import Accounts
import Counter
import Persistence
import Redux
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A clock that jumps` {
    private func entries(_ bench: Bench<CounterModel>, _ account: AccountID) async throws -> [LogEntry] {
        try await withCheckedContinuation { done in
            bench.accounts.database.entries(of: account, limit: 100) { done.resume(returning: $0) }
        }.get().entries
    }

    @Test(arguments: [-86_400_000, 31_536_000_000, -1] as [Int64])
    func `leaves order and revisions alone, and no stamp goes back`(_ jump: Int64) async throws {
        var bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(.increase, to: handle.id)
        bench.time.setWall(milliseconds: bench.time.wallMilliseconds + jump)
        _ = await bench.dispatch(.increase, to: handle.id)
        // Nor over a restart, when the last stamp is read from the log.
        bench = try await bench.restarted(environment: .init())
        #expect(await bench.dispatch(.increase, to: handle.id) == "3 true counter/increase@3")
        let entries = try await entries(bench, handle.id)
        #expect(entries.map(\.revision) == [1, 2, 3])
        #expect(entries.map(\.at) == entries.map(\.at).sorted())
        #expect(entries.map { $0.flags.contains(.skewed) } == [false, jump < 0, jump < 0])
        await bench.end()
    }

    @Test(arguments: [-86_400_000, 31_536_000_000] as [Int64])
    func `neither loses a delayed effect nor runs it twice`(_ jump: Int64) async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        let account = handle.id
        _ = await bench.dispatch(.asyncIncrease, to: account)
        bench.time.setWall(milliseconds: bench.time.wallMilliseconds + jump)
        await bench.until {
            bench.time.advance(byMilliseconds: jump < 0 ? 600_000 : 500)
            // Looked up anew each time: a store that is idle for so long leaves memory.
            return (try? await bench.open(account).get().published.revision) == 2
        }
        bench.time.advance(byMilliseconds: 20_000)
        await bench.writerIdle()
        #expect(try bench.value(of: await bench.open(account).get()) == "1")
        #expect(bench.accounts.counters.effectsRun.current == 1)
        await bench.end()
    }

    @Test func `set back does not let an idempotency key run twice`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        let key = IdempotencyKey(key: "k", fingerprint: [1])
        _ = await bench.dispatch(.increase, to: handle.id) { $0.key = key }
        bench.time.setWall(milliseconds: bench.time.wallMilliseconds - 3_600_000)
        #expect(await bench.dispatch(.increase, to: handle.id) { $0.key = key }.hasPrefix("replayed 1 "))
        // After its 24 hours it may be used anew.
        bench.time.advance(byMilliseconds: 3_600_000 + 86_400_000)
        #expect(await bench.dispatch(.increase, to: handle.id) { $0.key = key }.hasPrefix("2 "))
        await bench.end()
    }
}
