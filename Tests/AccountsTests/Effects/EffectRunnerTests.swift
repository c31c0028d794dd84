import Persistence
import Redux
import Runtime
import Testing

@testable import Accounts

@Suite(.timeLimit(.minutes(10))) struct `The effect runner` {
    private typealias Desk = CallModel.Desk

    private func bench(_ environment: CallModel.Environment, _ change: (inout EffectLimits) -> Void = { _ in }) throws
        -> Bench<CallModel>
    {
        var limits = AccountLimits()
        limits.effects.jitter = { 0 }
        // The clock of a test stands still: a stop waits for nothing.
        limits.effects.stopMilliseconds = 0
        change(&limits.effects)
        return try Bench(environment: environment, limits: limits)
    }

    private func call(_ name: String, key: String? = nil) -> CallModel.Action { .call(.init(name: name, key: key)) }

    private func outbox(_ bench: Bench<CallModel>, _ account: AccountID) async throws -> [OutboxEntry] {
        try await withCheckedContinuation { done in
            bench.accounts.database.outbox(of: account) { done.resume(returning: $0) }
        }.get()
    }

    private func facts(_ handle: AccountHandle) throws -> String {
        let body = String(decoding: try handle.published.body(), as: UTF8.self)
        return String(body.drop { $0 != "[" }.prefix { $0 != "]" }.dropFirst())
    }

    @Test func `keeps the order of a kind that asks for it`() async throws {
        let world = CallModel.Environment()
        let bench = try bench(world)
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("in-order 1"), call("in-order 2"), call("free"), to: handle.id)
        await bench.until { world.desk.open.count == 2 }
        #expect(world.desk.open.sorted() == ["free", "in-order 1"])
        world.desk.answer("in-order 1")
        await bench.until { world.desk.open.contains("in-order 2") }
        world.desk.answer("in-order 2")
        world.desk.answer("free")
        await bench.until { (try? await outbox(bench, handle.id).isEmpty) == true }
        await bench.end()
    }

    @Test func `a newer save never overtakes the older call, whose answer comes to nothing`() async throws {
        let world = CallModel.Environment()
        let bench = try bench(world)
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("old", key: "k"), to: handle.id)
        await bench.until { world.desk.open == ["old"] }
        _ = await bench.dispatch(call("newer", key: "k"), to: handle.id)
        _ = await bench.dispatch(call("newest", key: "k"), to: handle.id)
        for _ in 0..<50 { _ = await bench.open(handle.id); await Task.yield() }
        #expect(world.desk.open == ["old"], "the newer waits for the older call to end")
        world.desk.answer("old")
        await bench.until { world.desk.open == ["newest"] }
        #expect(bench.accounts.counters.effectsLate.current == 1)
        world.desk.answer("newest")
        await bench.until { (try? facts(handle)) == #""newest""# }
        #expect(world.desk.all == ["old#1", "newest#1"])
        #expect(try await outbox(bench, handle.id).isEmpty)
        await bench.end()
    }

    @Test func `an older call that fails is not tried again once it is replaced`() async throws {
        let world = CallModel.Environment()
        let bench = try bench(world)
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("old", key: "k"), to: handle.id)
        await bench.until { world.desk.open == ["old"] }
        _ = await bench.dispatch(call("new", key: "k"), to: handle.id)
        world.desk.answer("old", throwing: Desk.Away())
        await bench.until { world.desk.open == ["new"] }
        world.desk.answer("new")
        await bench.until { (try? facts(handle)) == #""new""# }
        bench.time.advance(byMilliseconds: 10_000_000)
        for _ in 0..<50 { _ = await bench.open(handle.id); await Task.yield() }
        #expect(world.desk.all == ["old#1", "new#1"])
        await bench.end()
    }

    @Test func `a cancelled effect is not run, and the answer of one that runs comes to nothing`() async throws {
        let world = CallModel.Environment()
        let bench = try bench(world) { $0.runningPerAccountMax = 1 }
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("runs", key: "a"), call("waits", key: "b"), to: handle.id)
        await bench.until { world.desk.open == ["runs"] }
        _ = await bench.dispatch(.cancel("a"), .cancel("b"), to: handle.id)
        #expect(try await outbox(bench, handle.id).isEmpty)
        _ = await bench.dispatch(call("last"), to: handle.id)
        world.desk.answer("runs")
        await bench.until { world.desk.open == ["last"] }
        world.desk.answer("last")
        await bench.until { (try? facts(handle)) == #""last""# }
        #expect(bench.accounts.counters.effectsLate.current == 1)
        #expect(world.desk.all == ["runs#1", "last#1"])
        await bench.end()
    }

    @Test func `fails, waits, and succeeds under the same id`() async throws {
        let world = CallModel.Environment()
        let bench = try bench(world)
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("a"), to: handle.id)
        await bench.until { world.desk.open == ["a"] }
        world.desk.answer("a", throwing: Desk.Away(retryAfter: 5_000))
        await bench.until { (try? await outbox(bench, handle.id).first?.attempt) == 1 }
        bench.time.advance(byMilliseconds: 4_999)
        for _ in 0..<50 { _ = await bench.open(handle.id); await Task.yield() }
        #expect(world.desk.open.isEmpty, "the service asked for five seconds")
        bench.time.advance(byMilliseconds: 1)
        await bench.until { world.desk.open == ["a"] }
        world.desk.answer("a")
        await bench.until { (try? facts(handle)) == #""a""# }
        #expect(world.desk.all == ["a#1", "a#2"])
        #expect(Set(world.desk.ids).count == 1)
        await bench.end()
    }

    @Test func `is given up after its attempts: the failure is reported, the entry stays dead`() async throws {
        let world = CallModel.Environment()
        let bench = try bench(world) { $0.attemptsMax = 3 }
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("a"), to: handle.id)
        for attempt in 1...3 {
            await bench.until { world.desk.open == ["a"] }
            world.desk.answer("a", throwing: Desk.Away())
            if attempt < 3 { await bench.until { (try? await outbox(bench, handle.id).first?.attempt) == attempt } }
            bench.time.advance(byMilliseconds: 60_000)
        }
        await bench.until { (try? facts(handle)) == #""not a""# }
        let entry = try #require(try await outbox(bench, handle.id).first)
        #expect(entry.deadReason == "away")
        #expect(bench.accounts.counters.effectsDead.current == 1)
        // Dead after a restart, too.
        let again = try await bench.restarted(environment: world)
        again.time.advance(byMilliseconds: 10_000_000)
        for _ in 0..<50 { _ = await again.open(handle.id); await Task.yield() }
        #expect(world.desk.open.isEmpty)
        await again.end()
    }

    @Test func `a payment of unknown outcome is tried on; a late success still counts`() async throws {
        let world = CallModel.Environment()
        let bench = try bench(world) { $0.attemptsMax = 2 }
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("pay"), to: handle.id)
        for attempt in 1...9 {
            await bench.until { world.desk.open == ["pay"] }
            world.desk.answer("pay", throwing: Desk.Away())
            await bench.until { (try? await outbox(bench, handle.id).first?.attempt) == attempt }
            bench.time.advance(byMilliseconds: 60_000)
        }
        // So much time has passed that the store may have left memory.
        #expect(try facts(await bench.open(handle.id).get()).isEmpty, "not reported failed")
        await bench.until { world.desk.open == ["pay"] }
        world.desk.answer("pay")
        await bench.until { (try? facts(await bench.open(handle.id).get())) == #""pay""# }
        #expect(try await outbox(bench, handle.id).isEmpty)
        await bench.end()
    }

    @Test func `a payment that is too old is dead, not failed; dropped by hand, it is failed`() async throws {
        let world = CallModel.Environment()
        let bench = try bench(world) {
            $0.attemptsMax = 1
            $0.ageMillisecondsMax = 1_000_000
        }
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("pay"), to: handle.id)
        await bench.until { world.desk.open == ["pay"] }
        bench.time.advance(byMilliseconds: 1_000_001)
        world.desk.answer("pay", throwing: Desk.Away())
        await bench.until { (try? await outbox(bench, handle.id).first?.deadReason) == "away" }
        #expect(try facts(handle).isEmpty)
        let entry = try #require(try await outbox(bench, handle.id).first)
        await withCheckedContinuation { done in
            let write = Write.reschedule(
                entry.id, due: bench.time.wallMilliseconds, attempt: OutboxEntry.droppedAttempt)
            bench.accounts.database.submit([write]) { _ in done.resume() }
        }
        let again = try await bench.restarted(environment: world)
        let loaded = try await again.open(handle.id).get()
        await again.until { (try? facts(loaded)) == #""not pay""# }
        #expect(world.desk.all == ["pay#1"], "it was not called again")
        await again.end()
    }

    @Test func `an erased account's effects are not run, and their answers counted`() async throws {
        let world = CallModel.Environment()
        let bench = try bench(world) { $0.runningPerAccountMax = 1 }
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("runs"), call("waits"), to: handle.id)
        await bench.until { world.desk.open == ["runs"] }
        let erased = await withCheckedContinuation { done in bench.accounts.erase(handle.id) { done.resume(returning: $0) } }
        try erased.get()
        let (other, _) = try await bench.create()
        _ = await bench.dispatch(call("other"), to: other.id)
        await bench.until { world.desk.open.contains("other") }
        world.desk.answer("runs")
        await bench.until { bench.accounts.counters.effectsLate.current == 1 }
        world.desk.answer("other")
        await bench.until { (try? facts(other)) == #""other""# }
        #expect(world.desk.all == ["runs#1", "other#1"])
        await bench.end()
    }

    @Test func `more than a page, and more than memory holds, all run in the end`() async throws {
        let world = CallModel.Environment()
        let bench = try bench(world) {
            $0.fetchMax = 8
            $0.entriesInMemoryMax = 12
            $0.runningPerAccountMax = 4
        }
        let (handle, _) = try await bench.create()
        let names = (0..<60).map { "call \($0)" }
        for name in names { _ = await bench.dispatch(call(name), to: handle.id) }
        var done = 0
        while done < names.count {
            await bench.until { !world.desk.open.isEmpty }
            for name in world.desk.open {
                world.desk.answer(name)
                done += 1
            }
            bench.time.advance(byMilliseconds: 1_000)
        }
        await bench.until { (try? await outbox(bench, handle.id).isEmpty) == true }
        #expect(Set(world.desk.all).count == names.count)
        #expect(world.desk.all.count == names.count, "each once")
        await bench.end()
    }
}
