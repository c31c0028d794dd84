import Redux
import Testing

@Suite struct `A store` {
    @Test func `starts with its initial state`() {
        #expect(makeLine([7]).state == [7])
    }

    @Test func `applies actions in order`() throws {
        let store = makeLine()
        for number in 1...5 { try store.dispatch(number) }
        #expect(store.state == [1, 2, 3, 4, 5])
    }

    @Test func `a refusal leaves the state as it was`() throws {
        let store = makeLine([1])
        #expect(refusal { () throws(Refusal) in try store.dispatch(-1) } == .negative)
        #expect(store.state == [1])
        try store.dispatch(2)
        #expect(store.state == [1, 2])
    }

    @Test func `tells nobody of a refusal`() {
        let store = makeLine()
        var heard = 0
        store.subscribe { _ in heard += 1 }
        #expect(throws: Refusal.self) { try store.dispatch(-1) }
        #expect(heard == 0)
    }

    @Test func `says whether a transition changed anything`() throws {
        let store = makeLine(isUnchanged: ==)
        #expect(try store.dispatch(1) == .changed)
        #expect(try store.dispatch(0) == .unchanged)
    }

    @Test func `takes every transition for a change where nobody compares`() throws {
        #expect(try makeLine().dispatch(0) == .changed)
    }

    @Test func `is in a transition while it announces one, and not after it`() throws {
        let store = makeLine()
        var inside: [Bool] = []
        store.subscribe { _ in inside.append(store.isInTransition) }
        try store.dispatch(1)
        #expect(inside == [true])
        #expect(!store.isInTransition)
        #expect(throws: Refusal.self) { try store.dispatch(-1) }
        #expect(!store.isInTransition)
    }

    @Test func `takes another state in place, without telling`() throws {
        let store = makeLine([1, 2])
        var heard: [Int?] = []
        store.subscribe { heard.append($0.action) }
        store.replace(state: [9])
        #expect(store.state == [9])
        #expect(throws: Refusal.self) { try store.dispatch(-1) }
        #expect(store.state == [9], "a refusal goes back to the state that was put in place")
        try store.dispatch(3)
        #expect(store.state == [9, 3])
        #expect(heard == [3])
    }

    @Test func `takes no other state inside a transition`() async {
        await #expect(processExitsWith: .failure) {
            let store = makeLine()
            store.subscribe { _ in store.replace(state: []) }
            try store.dispatch(1)
        }
    }

    @Test func `does not keep itself alive`() throws {
        weak var gone: Line?
        do {
            let store = makeLine(middleware: [.observe { _, _, _ in }])
            try store.dispatch(1)
            gone = store
            #expect(gone != nil)
        }
        #expect(gone == nil)
    }
}
