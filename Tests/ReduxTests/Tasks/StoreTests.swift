import Redux
import Runtime
import Testing

/// The line of numbers as a store for tasks.
typealias LineStore = Store<[Int], Int>

func makeStore(
    _ initial: [Int] = [], limits: StoreLimits = StoreLimits(), middleware: sending [Middleware<[Int], Int>] = [],
    reactions: [Reaction<[Int], Int>] = [], onDrop: @escaping @Sendable (Int, Refusal) -> Void = { _, _ in }
) -> LineStore {
    LineStore(
        initialState: initial, executor: SerialQueue(label: "store"), limits: limits, middleware: middleware,
        reactions: reactions,
        isUnchanged: ==, onDrop: onDrop, reduce: appendToLine)
}

@Suite(.timeLimit(.minutes(1))) struct `A store for tasks` {
    @Test func `applies what is dispatched, and says what became of it`() async throws {
        let store = makeStore([1])
        #expect(try await store.dispatch(2) == .changed)
        #expect(try await store.dispatch(0) == .unchanged)
        #expect(await store.state == [1, 2])
    }

    @Test func `throws the refusal of an action`() async {
        let store = makeStore([1])
        let refusal = await #expect(throws: Refusal.self) { try await store.dispatch(-2) }
        #expect(refusal?.kind == .negative)
        #expect(await store.state == [1])
    }

    @Test func `applies a batch whole or not at all`() async throws {
        let store = makeStore()
        try await store.dispatch(batch: [1, 2])
        let refusal = await #expect(throws: BatchRefusal.self) { try await store.dispatch(batch: [3, -4]) }
        #expect(refusal?.index == 1)
        #expect(await store.state == [1, 2])
    }

    @Test func `returns once all synchronous follow-ups are done`() async throws {
        let store = makeStore(middleware: [.followUps { action, _, _ in action < 5 ? [action + 1] : [] }])
        try await store.dispatch(1)
        #expect(await store.state == [1, 2, 3, 4, 5])
    }

    @Test func `runs on the executor it is given, which it keeps alive`() async throws {
        let queue = SerialQueue(label: "mine")
        let store = LineStore(
            initialState: [], executor: queue,
            reduce: { (state, action) throws(Refusal) in
                queue.checkIsolated()
                state.append(action)
            })
        try await store.dispatch(1)
        #expect(await store.state == [1])
    }

    @Test func `an observer inside dispatches by its isolation, and the action waits`() async throws {
        let store = makeStore()
        let outcomes = Journal<DispatchOutcome?>()
        await store.subscribe { [unowned store] event in
            guard event.action == 1 else { return }
            outcomes.note(try? store.assumeIsolated { store throws in try store.dispatch(2) })
        }
        try await store.dispatch(1)
        #expect(outcomes.entries == [.queued])
        #expect(await store.state == [1, 2])
    }

    @Test func `its observers come and go`() async throws {
        let store = makeStore([1])
        let heard = Journal<[Int]>()
        let id = await store.subscribe(replay: true) { heard.note($0.state) }
        try await store.dispatch(2)
        #expect(await store.unsubscribe(id))
        try await store.dispatch(3)
        #expect(heard.entries == [[1], [1, 2]])
    }

    @Test func `streams its states, from the current one on`() async throws {
        let store = makeStore([1])
        var states = await store.states().makeAsyncIterator()
        #expect(await states.next() == [1])
        try await store.dispatch(2)
        try await store.dispatch(0)
        try await store.dispatch(3)
        #expect(await states.next() == [1, 2])
        #expect(await states.next() == [1, 2, 3], "no repetition of an unchanged state")
    }

    @Test func `keeps the newest states for a slow reader`() async throws {
        let store = makeStore()
        var states = await store.states(buffering: 2).makeAsyncIterator()
        for number in 1...5 { try await store.dispatch(number) }
        #expect(await states.next() == [1, 2, 3, 4])
        #expect(await states.next() == [1, 2, 3, 4, 5])
    }

    @Test func `ends its streams when it goes`() async {
        var store: LineStore? = makeStore([1])
        let states = await store?.states()
        store = nil
        var seen: [[Int]] = []
        if let states { for await state in states { seen.append(state) } }
        #expect(seen == [[1]])
    }
}

@Suite(.timeLimit(.minutes(1))) struct `From any number of tasks` {
    /// What 100 tasks dispatch: each counts from 0 up.
    struct Tally: Sendable {
        var next: [Int]
        var total = 0
        var disorder = 0

        static func reduce(into state: inout Tally, action: (task: Int, number: Int)) throws(Refusal) {
            if state.next[action.task] != action.number { state.disorder += 1 }
            state.next[action.task] = action.number + 1
            state.total += 1
        }
    }

    @Test func `a hundred times a thousand actions are all there, those of each task in order`() async throws {
        let tasks = 100
        let actions = 1000
        let store = Store<Tally, (task: Int, number: Int)>(
            initialState: Tally(next: Array(repeating: 0, count: tasks)), executor: SerialQueue(label: "tally"),
            reduce: Tally.reduce)
        let priorities: [TaskPriority] = [.background, .low, .medium, .high]
        try await withThrowingTaskGroup { group in
            for task in 0..<tasks {
                group.addTask(priority: priorities[task % priorities.count]) {
                    for number in 0..<actions { try await store.dispatch((task, number)) }
                }
            }
            try await group.waitForAll()
        }
        let tally = await store.state
        #expect(tally.total == tasks * actions)
        #expect(tally.disorder == 0)
        #expect(tally.next == Array(repeating: actions, count: tasks))
    }

    @Test func `each reaction sees exactly its own transition, in order`() async throws {
        // A store that reads the two states around an await mixes up the transitions of different tasks.
        let seen = Journal<(action: Int, state: [Int], previous: [Int])>()
        let store = makeStore(reactions: [{ _, action, state, previous in seen.note((action, state, previous)) }])
        await withTaskGroup { group in
            for task in 1...50 {
                group.addTask { for number in 0..<10 { _ = try? await store.dispatch(task * 100 + number) } }
            }
        }
        await store.settle()
        var expected: [Int] = []
        for (action, state, previous) in seen.entries {
            #expect(previous == expected)
            expected.append(action)
            #expect(state == expected)
        }
        #expect(expected.count == 500)
        #expect(await store.state == expected)
    }

    @Test func `jobs of mixed priorities are applied in the order of their arrival`() async throws {
        // A default actor would let the urgent ones pass.
        let store = makeStore()
        var tasks: [Task<Void, any Error>] = []
        for number in 1...200 {
            // Runs up to its first suspension, the hop to the store, before the next one starts.
            tasks.append(
                Task.immediate(priority: number.isMultiple(of: 2) ? .high : .background) { try await store.dispatch(number) })
        }
        for task in tasks { try await task.value }
        #expect(await store.state == Array(1...200))
    }
}
