import Redux
import Testing

/// A state of every shape that a reducer can be lifted into.
private struct Whole: Equatable {
    var left = 0
    var right = 0
    var byName: [String: Int] = [:]
    var list: [Int] = []
    var maybe: Int?
}

private enum WholeAction: Sendable {
    case left(Int)
    case right(Int)
    case named(String, Int)
    case at(Int, Int)
    case maybe(Int)
}

@Suite struct `A reducer` {
    /// Adds; negative numbers are refused, after the state is spoilt.
    private let adding = Reducer<Int, Int> { (state, action) throws(Refusal) in
        state += action
        if action < 0 { throw Refusal(.negative, "\(action)") }
    }

    private var lifted: Reducer<Whole, WholeAction> {
        .combine(
            adding.lift(state: \.left) { if case .left(let number) = $0 { number } else { nil } },
            adding.lift(state: \.right) { if case .right(let number) = $0 { number } else { nil } },
            adding.keyed(state: \.byName) { if case .named(let name, let number) = $0 { (name, number) } else { nil } },
            adding.offset(state: \.list) { if case .at(let offset, let number) = $0 { (offset, number) } else { nil } },
            adding.optional().lift(state: \.maybe) { if case .maybe(let number) = $0 { number } else { nil } })
    }

    private func reduced(_ state: Whole, _ action: WholeAction) throws -> Whole {
        var state = state
        try lifted.reduce(into: &state, action: action)
        return state
    }

    @Test func `applies an action`() throws {
        var state = 1
        try adding.reduce(into: &state, action: 2)
        #expect(state == 3)
    }

    @Test func `that is the identity accepts everything and changes nothing`() throws {
        var state = 1
        try Reducer<Int, Int>.identity.reduce(into: &state, action: -1)
        #expect(state == 1)
    }

    @Test func `that is combined runs from left to right, each seeing the one before`() throws {
        let doubling = Reducer<Int, Int> { (state, _) in state *= 2 }
        var state = 1
        try Reducer.combine(adding, doubling).reduce(into: &state, action: 2)
        #expect(state == 6)
        state = 1
        try Reducer.combine(doubling, adding).reduce(into: &state, action: 2)
        #expect(state == 4)
    }

    @Test func `that is combined refuses when any part does, and a store then keeps its state`() throws {
        let store = StoreCore(
            initialState: 1, reduce: Reducer.combine(Reducer { (state, _) in state *= 2 }, adding).reduce(into:action:))
        #expect(refusal { () throws(Refusal) in try store.dispatch(-1) } == .negative)
        #expect(store.state == 1)
    }

    @Test func `that is lifted changes its part alone`() throws {
        #expect(try reduced(Whole(), .left(2)) == Whole(left: 2))
        #expect(try reduced(Whole(), .right(3)) == Whole(right: 3))
    }

    @Test func `that is keyed changes the value of one key, and makes none`() throws {
        #expect(try reduced(Whole(byName: ["a": 1, "b": 1]), .named("a", 4)) == Whole(byName: ["a": 5, "b": 1]))
        #expect(try reduced(Whole(byName: ["b": 1]), .named("a", 4)) == Whole(byName: ["b": 1]))
    }

    @Test func `that works by offset changes one element, and none outside of the array`() throws {
        #expect(try reduced(Whole(list: [1, 2]), .at(1, 5)) == Whole(list: [1, 7]))
        for offset in [-1, 2, .max] {
            #expect(try reduced(Whole(list: [1, 2]), .at(offset, 5)) == Whole(list: [1, 2]))
        }
    }

    @Test func `that is optional changes what is there, and nil not at all`() throws {
        #expect(try reduced(Whole(maybe: 1), .maybe(5)) == Whole(maybe: 6))
        #expect(try reduced(Whole(maybe: nil), .maybe(5)) == Whole(maybe: nil))
    }

    @Test func `refuses through every lift`() {
        let full = Whole(byName: ["a": 1], list: [1], maybe: 1)
        for action in [WholeAction.left(-1), .named("a", -1), .at(0, -1), .maybe(-1)] {
            #expect(throws: Refusal.self, "\(action)") { try reduced(full, action) }
        }
    }

    @Test func `that is composed leaves a state it has nothing to do with, and observers skip it`() throws {
        let store = StoreCore(initialState: Whole(left: 1), isUnchanged: ==, reduce: lifted.reduce(into:action:))
        var heard: [Whole] = []
        store.subscribe { heard.append($0.state) }
        #expect(try store.dispatch(.named("absent", 4)) == .unchanged)
        #expect(try store.dispatch(.right(4)) == .changed)
        #expect(heard == [Whole(left: 1, right: 4)])
    }
}

@Suite struct `A parent reducer` {
    /// An account in whose absence nothing is delegated.
    private struct Account: Equatable {
        var isSignedIn = true
        var numbers: [Int] = []
    }

    private enum AccountAction: Sendable {
        case signedOut
        case add(Int)
    }

    @Test func `sees an action before its child, and may not delegate it`() throws {
        let child = Reducer<[Int], Int> { (state, action) in state.append(action) }
            .lift(state: \Account.numbers) { (action: AccountAction) in if case .add(let number) = action { number } else { nil }
            }
        let store = StoreCore<Account, AccountAction>(initialState: Account()) { (state, action) throws(Refusal) in
            if case .signedOut = action { state.isSignedIn = false }
            guard state.isSignedIn else { return }
            try child.reduce(into: &state, action: action)
        }
        try store.dispatch(.add(1))
        try store.dispatch(.signedOut)
        try store.dispatch(.add(2))
        #expect(store.state == Account(isSignedIn: false, numbers: [1]))
    }
}
