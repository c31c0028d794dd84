import Redux
import Testing

@Suite struct `Observers hear` {
    @Test func `the action, the state before and the state after`() throws {
        let store = makeLine([1])
        var heard: [StoreEvent<[Int], Int>] = []
        store.subscribe { heard.append($0) }
        try store.dispatch(2)
        #expect(heard == [.transition(Transition(action: 2, previous: [1], state: [1, 2]))])
    }

    @Test func `each transition in the order of subscribing`() throws {
        let store = makeLine()
        var heard: [String] = []
        for name in ["a", "b", "c"] { store.subscribe { heard.append("\(name)\($0.state.count)") } }
        try store.dispatch(1)
        try store.dispatch(2)
        #expect(heard == ["a1", "b1", "c1", "a2", "b2", "c2"])
    }

    @Test func `nothing of a transition that changed nothing`() throws {
        let store = makeLine(isUnchanged: ==)
        var heard: [Int?] = []
        store.subscribe { heard.append($0.action) }
        try store.dispatch(0)
        try store.dispatch(1)
        #expect(heard == [1])
    }

    @Test func `nothing after unsubscribing, which may be done twice`() throws {
        let store = makeLine()
        var heard = 0
        let id = store.subscribe { _ in heard += 1 }
        #expect(store.unsubscribe(id))
        #expect(!store.unsubscribe(id))
        try store.dispatch(1)
        #expect(heard == 0)
    }

    @Test func `nothing once another has unsubscribed them inside the notification`() throws {
        let store = makeLine()
        var heard: [String] = []
        var later: ObserverID?
        store.subscribe { _ in
            heard.append("first")
            if let later { store.unsubscribe(later) }
        }
        later = store.subscribe { _ in heard.append("second") }
        store.subscribe { _ in heard.append("third") }
        try store.dispatch(1)
        try store.dispatch(2)
        #expect(heard == ["first", "third", "first", "third"])
    }

    @Test func `this event once more when they unsubscribe themselves, and the others all of it`() throws {
        let store = makeLine()
        var heard: [String] = []
        var own: ObserverID?
        own = store.subscribe { _ in
            heard.append("once")
            if let own { store.unsubscribe(own) }
        }
        store.subscribe { _ in heard.append("always") }
        try store.dispatch(1)
        try store.dispatch(2)
        #expect(heard == ["once", "always", "always"])
    }

    @Test func `from the next event on when they subscribe inside a notification`() throws {
        let store = makeLine()
        var heard: [Int?] = []
        var isFirst = true
        store.subscribe { _ in
            guard isFirst else { return }
            isFirst = false
            store.subscribe { heard.append($0.action) }
        }
        try store.dispatch(1)
        #expect(heard == [])
        try store.dispatch(2)
        #expect(heard == [2])
    }

    @Test func `an action dispatched by one of them after all have heard the first`() throws {
        let store = makeLine()
        var heard: [String] = []
        store.subscribe { event in
            heard.append("a\(event.state)")
            if event.action == 1 { _ = try? store.dispatch(2) }
        }
        store.subscribe { heard.append("b\($0.state)") }
        try store.dispatch(1)
        #expect(heard == ["a[1]", "b[1]", "a[1, 2]", "b[1, 2]"])
    }

    @Test func `the current state at once when they ask for it`() throws {
        let store = makeLine([5])
        var heard: [StoreEvent<[Int], Int>] = []
        store.subscribe(replay: true) { heard.append($0) }
        #expect(heard == [.current([5])])
        try store.dispatch(6)
        #expect(heard.map(\.state) == [[5], [5, 6]])
    }

    @Test func `the replay at the end of a running notification, then what follows`() throws {
        let store = makeLine()
        var heard: [String] = []
        var isFirst = true
        store.subscribe { event in
            heard.append("a\(event.state)")
            guard isFirst else { return }
            isFirst = false
            store.subscribe(replay: true) { heard.append("new\($0.state)") }
            _ = try? store.dispatch(2)
        }
        store.subscribe { heard.append("b\($0.state)") }
        try store.dispatch(1)
        #expect(heard == ["a[1]", "b[1]", "new[1]", "a[1, 2]", "b[1, 2]", "new[1, 2]"])
    }

    @Test func `no replay once they are unsubscribed again`() throws {
        let store = makeLine()
        var heard = 0
        store.subscribe { _ in
            let id = store.subscribe(replay: true) { _ in heard += 1 }
            store.unsubscribe(id)
        }
        try store.dispatch(1)
        #expect(heard == 0)
    }

    @Test func `the accepted state, not the one a middleware still works on`() throws {
        var subscribe: () -> Void = {}
        var heard: [[Int]] = []
        let store = makeLine(
            [1],
            middleware: [
                Middleware { (_, action, next) throws(Refusal) in
                    try next(action)
                    if action == 2 { subscribe() }
                }
            ])
        subscribe = { store.subscribe(replay: true) { heard.append($0.state) } }
        try store.dispatch(2)
        #expect(heard == [[1], [1, 2]], "the replay, then the transition")
        subscribe = {}
    }

    @Test func `what is dispatched during a replay, afterwards`() {
        let store = makeLine([1])
        var heard: [[Int]] = []
        store.subscribe(replay: true) { event in
            heard.append(event.state)
            if event.action == nil { #expect((try? store.dispatch(2)) == .queued) }
        }
        #expect(heard == [[1], [1, 2]])
        #expect(!store.isInTransition)
    }
}

/// As the service uses it, after a commit and without a store.
@Suite struct `A list of observers by itself` {
    @Test func `queues what is notified inside a notification, first in first out`() {
        let observers = Observers<Int>()
        var heard: [String] = []
        observers.subscribe { event in
            heard.append("a\(event)")
            if event == 1 {
                observers.notify(2)
                observers.notify(3)
            }
        }
        observers.subscribe { heard.append("b\($0)") }
        observers.notify(1)
        #expect(heard == ["a1", "b1", "a2", "b2", "a3", "b3"])
        #expect(!observers.isNotifying)
    }

    @Test func `knows how many it has, inside a notification as well`() {
        let observers = Observers<Int>()
        #expect(observers.isEmpty)
        let first = observers.subscribe { _ in }
        var counted = -1
        observers.subscribe { _ in
            observers.unsubscribe(first)
            counted = observers.count
        }
        observers.notify(1)
        #expect(counted == 1)
        #expect(observers.count == 1)
        #expect(!observers.isEmpty)
    }

    @Test func `replays the event it is given`() {
        let observers = Observers<Int>()
        var heard: [Int] = []
        observers.subscribe(replay: 7) { heard.append($0) }
        observers.notify(8)
        #expect(heard == [7, 8])
    }

    @Test func `forgets an event that nobody hears`() {
        let observers = Observers<Int>()
        observers.notify(1)
        var heard: [Int] = []
        observers.subscribe { heard.append($0) }
        #expect(heard == [])
    }

    @Test func `releases an unsubscribed observer after the notification`() {
        final class Token {}
        let observers = Observers<Int>()
        weak var token: Token?
        var id: ObserverID?
        do {
            let held = Token()
            token = held
            id = observers.subscribe { _ in _ = held }
        }
        observers.subscribe { _ in if let id { observers.unsubscribe(id) } }
        #expect(token != nil)
        observers.notify(1)
        #expect(token == nil)
        #expect(observers.count == 1)
    }

    @Test func `is empty once its only observer has unsubscribed itself`() {
        let observers = Observers<Int>()
        var id: ObserverID?
        id = observers.subscribe { _ in if let id { observers.unsubscribe(id) } }
        observers.notify(1)
        #expect(observers.isEmpty, "no place is kept for it")
    }

    @Test func `traps when observers notify each other without end`() async {
        await #expect(processExitsWith: .failure) {
            let observers = Observers<Int>()
            observers.subscribe { event in
                observers.notify(event)
                observers.notify(event)
            }
            observers.notify(1)
        }
    }
}
