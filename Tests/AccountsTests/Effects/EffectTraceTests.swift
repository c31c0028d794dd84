import Persistence
import Redux
import Testing

@testable import Accounts

@Suite(.timeLimit(.minutes(10))) struct `The trace of an effect` {
    static let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func `is that of the request which asked for it, also after a restart`() async throws {
        let world = CallModel.Environment()
        var limits = AccountLimits()
        limits.effects.stopMilliseconds = 0
        let bench = try Bench<CallModel>(environment: world, limits: limits)
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(.call(.init(name: "traced")), to: handle.id) { $0.trace = LogEntry.trace(Self.trace) }
        _ = await bench.dispatch(.call(.init(name: "untraced")), to: handle.id)
        await bench.until { world.desk.open.count == 2 }
        #expect(world.desk.traces.compactMap { $0 } == [Self.trace])
        #expect(bench.accounts.counters.effectsRunning.current == 2)

        let later = CallModel.Environment()
        let again = try await bench.restarted(environment: later)
        for name in ["traced", "untraced"] { world.desk.answer(name) }
        await again.until { later.desk.open.count == 2 }
        #expect(later.desk.traces.compactMap { $0 } == [Self.trace], "read with the log's entry")
        for name in ["traced", "untraced"] { later.desk.answer(name) }
        await again.until { again.accounts.counters.effectsRun.current == 2 }
        await again.until { again.accounts.counters.effectsRunning.current == 0 }
        await again.end()
    }
}
