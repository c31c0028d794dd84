import Redux
import Testing

@Suite struct `A batch` {
    @Test func `is applied whole, each action seeing the one before`() throws {
        let store = StoreCore<Int, Int>(initialState: 1) { (state, action) throws(Refusal) in state = state * 10 + action }
        try store.dispatch(batch: [2, 3, 4])
        #expect(store.state == 1234)
    }

    @Test func `is refused whole, with the index of the action at fault`() {
        let store = makeLine([1])
        var heard = 0
        store.subscribe { _ in heard += 1 }
        let error = #expect(throws: BatchRefusal.self) { try store.dispatch(batch: [2, 3, -4, 5]) }
        #expect(error?.index == 2)
        #expect(error?.refusal.kind == .negative)
        #expect(store.state == [1])
        #expect(heard == 0)
    }

    @Test func `is announced after it is accepted, one transition each`() throws {
        let store = makeLine()
        var heard: [StoreEvent<[Int], Int>] = []
        var states: [[Int]] = []
        store.subscribe {
            heard.append($0); states.append(store.state)
        }
        try store.dispatch(batch: [1, 2])
        #expect(
            heard == [
                .transition(Transition(action: 1, previous: [], state: [1])),
                .transition(Transition(action: 2, previous: [1], state: [1, 2])),
            ])
        #expect(states == [[1, 2], [1, 2]])
    }

    @Test func `holds its middleware's follow-ups until it is accepted`() throws {
        let store = makeLine(middleware: [.followUps { action, _, _ in action < 10 ? [action * 10] : [] }])
        try store.dispatch(batch: [1, 2, 3])
        #expect(store.state == [1, 2, 3, 10, 20, 30])
    }

    @Test func `drops its middleware's follow-ups if it is refused`() throws {
        let store = makeLine(
            middleware: [.followUps { action, _, _ in action < 10 ? [action * 10] : [] }],
            onDrop: { action, _ in Issue.record("\(action) reported") })
        #expect(throws: BatchRefusal.self) { try store.dispatch(batch: [1, 2, -3]) }
        #expect(store.state == [])
        try store.dispatch(50)
        #expect(store.state == [50], "nothing was left lying")
    }

    @Test func `puts observers' actions behind its middleware's`() throws {
        let store = makeLine(middleware: [.followUps { action, _, _ in action < 10 ? [action * 10] : [] }])
        store.subscribe { if let action = $0.action, action < 10 { _ = try? store.dispatch(action * 100) } }
        try store.dispatch(batch: [1, 2])
        #expect(store.state == [1, 2, 10, 20, 100, 200])
    }

    @Test func `shows a subscriber in the middle what has been announced so far`() throws {
        let store = makeLine()
        var heard: [[Int]] = []
        store.subscribe { if $0.action == 1 { store.subscribe(replay: true) { heard.append($0.state) } } }
        try store.dispatch(batch: [1, 2, 3])
        #expect(heard == [[1], [1, 2], [1, 2, 3]])
    }

    @Test func `announces no transition that changed nothing, and none that was swallowed`() throws {
        let store = makeLine(
            middleware: [Middleware { (_, action, next) throws(Refusal) in if action != 7 { try next(action) } }], isUnchanged: ==
        )
        var heard: [Int?] = []
        store.subscribe { heard.append($0.action) }
        try store.dispatch(batch: [1, 0, 7, 2])
        #expect(heard == [1, 2])
        #expect(store.state == [1, 2])
    }

    @Test func `without actions does nothing`() throws {
        let store = makeLine()
        try store.dispatch(batch: [])
        #expect(store.state == [])
    }

    @Test func `has at most a hundred actions`() throws {
        let store = makeLine()
        try store.dispatch(batch: Array(1...100))
        let error = #expect(throws: BatchRefusal.self) { try store.dispatch(batch: Array(1...101)) }
        #expect(error?.refusal.kind == .batchTooLarge)
        #expect(error?.index == 100)
        #expect(store.state.count == 100)
    }

    @Test func `gives each of its actions a budget of follow-ups`() throws {
        var dropped = 0
        let store = makeLine(
            limits: StoreLimits(followUpsPerActionMax: 2),
            middleware: [.followUps { action, _, _ in action < 10 ? [10, 11, 12] : [] }], onDrop: { _, _ in dropped += 1 })
        try store.dispatch(batch: [1, 2])
        #expect(store.state == [1, 2, 10, 11, 10, 11])
        #expect(dropped == 2)
    }

    @Test func `from inside a transition waits in the mailbox, whole`() throws {
        let store = makeLine()
        store.subscribe { event in
            guard event.action == 1 else { return }
            do throws(BatchRefusal) {
                try store.dispatch(batch: [2, 3])
            } catch {
                Issue.record(error)
            }
            #expect(store.state == [1])
        }
        try store.dispatch(1)
        #expect(store.state == [1, 2, 3])
    }

    @Test func `from inside a transition reports the action at fault, and nothing of it happens`() throws {
        var dropped: [Int] = []
        let store = makeLine(onDrop: { action, _ in dropped.append(action) })
        store.subscribe { if $0.action == 1 { try? store.dispatch(batch: [2, -3, 4]) } }
        try store.dispatch(1)
        #expect(store.state == [1])
        #expect(dropped == [-3])
    }

    @Test func `from inside a transition counts all its actions as follow-ups`() throws {
        var dropped: [RefusalKind] = []
        let store = makeLine(limits: StoreLimits(followUpsPerActionMax: 2), onDrop: { dropped.append($1.kind) })
        store.subscribe { if $0.action == 1 { try? store.dispatch(batch: [2, 3, 4]) } }
        try store.dispatch(1)
        #expect(store.state == [1])
        #expect(dropped == [.feedbackLimit])
    }
}
