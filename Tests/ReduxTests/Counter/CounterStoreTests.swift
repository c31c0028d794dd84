import Counter
import Redux
import Runtime
import Testing

/// The counter in process: the model's effects as a reaction, with the test's clock for its delays.
@Suite(.timeLimit(.minutes(1))) struct `A counter's delayed actions` {
    typealias CounterStore = Store<CounterModel.State, CounterModel.StampedAction>

    let clock = ManualClock()

    /// Each effect waits in a task of its own, as the service's outbox lets them: none holds up another.
    func makeStore(_ value: Int64 = 0, done: Journal<CounterAction> = Journal()) -> CounterStore {
        let effects: Reaction<CounterModel.State, CounterModel.StampedAction> = { [clock] store, action, state, previous in
            for request in CounterModel.effects(of: action, previous: previous, next: state) {
                Task {
                    await clock.wait(request.delay)
                    let run = EffectRun(id: "effect", account: action.stamp.account, revision: action.stamp.revision, attempt: 1)
                    guard let fact = await CounterModel.perform(request.effect, run: run, in: .init()) else { return }
                    var stamp = action.stamp
                    stamp.cause = action.stamp.revision
                    _ = try? await store.dispatch(Stamped(fact, stamp: stamp))
                    done.note(fact)
                    // Tells the test that this one is through.
                    await clock.wait(.max / 2)
                }
            }
        }
        return CounterStore(
            initialState: CounterModel.State(value: value), executor: SerialQueue(label: "counter"), reactions: [effects],
            reduce: CounterModel.reduce)
    }

    @Test func `add one after a second, not before`() async throws {
        let store = makeStore()
        try await store.dispatch(`The counter`.stamped(.asyncIncrease))
        await clock.hasWaiters(1)
        clock.advance(by: 999)
        #expect(await store.state.value == 0)
        clock.advance(by: 1)
        await clock.hasWaiters(1)
        #expect(await store.state.value == 1)
    }

    @Test func `take one away after half a second, and overtake the slower`() async throws {
        let done = Journal<CounterAction>()
        let store = makeStore(done: done)
        try await store.dispatch(`The counter`.stamped(.asyncIncrease))
        try await store.dispatch(`The counter`.stamped(.asyncDecrease))
        await clock.hasWaiters(2)
        clock.advance(by: 500)
        await clock.hasWaiters(2)
        #expect(await store.state.value == -1)
        clock.advance(by: 500)
        await clock.hasWaiters(2)
        #expect(await store.state.value == 0)
        #expect(done.entries == [.decreased, .increased])
    }

    @Test func `come to nothing at the bound, without a refusal`() async throws {
        let done = Journal<CounterAction>()
        let store = makeStore(.max, done: done)
        try await store.dispatch(`The counter`.stamped(.asyncIncrease))
        await clock.hasWaiters(1)
        clock.advance(by: 1000)
        await clock.hasWaiters(1)
        #expect(await store.state.value == .max)
        #expect(done.entries == [.increased])
    }

    @Test func `leave the immediate ones alone`() async throws {
        let store = makeStore()
        try await store.dispatch(`The counter`.stamped(.asyncIncrease))
        try await store.dispatch(`The counter`.stamped(.increase))
        try await store.dispatch(`The counter`.stamped(.decrease))
        #expect(await store.state.value == 0)
        await clock.hasWaiters(1)
        clock.advance(by: 1000)
        await clock.hasWaiters(1)
        #expect(await store.state.value == 1)
    }
}
