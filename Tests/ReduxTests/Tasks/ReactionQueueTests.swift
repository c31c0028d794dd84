import Testing

@testable import Redux

@Suite struct `A queue of reactions` {
    private let queue = ReactionQueue<Int, Int>(StoreLimits(followUpsPerActionMax: 2))
    /// Names the store; another object would be another store.
    private final class Identity {}
    private let identity = Identity()
    private var store: ObjectIdentifier { ObjectIdentifier(identity) }

    /// Lets a dispatch in and its transition wait.
    private func dispatch(_ action: Int, from item: ReactionQueue<Int, Int>.Item? = nil) throws(Refusal) {
        let origin = item.map { ReactionScope.Origin(store: store, cause: $0.cause) }
        try queue.admit(1, from: origin, store: store)
        queue.append(Transition(action: action, previous: 0, state: action))
    }

    @Test func `gives what it took, in order, with its chain`() throws {
        try dispatch(1)
        try dispatch(2)
        let first = try #require(queue.next())
        try dispatch(3, from: first)
        let second = try #require(queue.next())
        let third = try #require(queue.next())
        #expect([first, second, third].map(\.transition.action) == [1, 2, 3])
        #expect([first, second, third].map(\.cause.depth) == [0, 0, 1])
        #expect(first.cause.root == third.cause.root)
        #expect(first.cause.root != second.cause.root)
        #expect(queue.isEmpty)
    }

    @Test func `remembers nothing of a chain that has ended`() throws {
        try dispatch(1)
        let first = try #require(queue.next())
        try dispatch(2, from: first)
        queue.finish(first)
        #expect(!queue.isIdle)
        let second = try #require(queue.next())
        queue.finish(second)
        #expect(queue.isIdle)
    }

    @Test func `counts all that a chain dispatches, however deep`() throws {
        try dispatch(1)
        let first = try #require(queue.next())
        try dispatch(2, from: first)
        let second = try #require(queue.next())
        try dispatch(3, from: second)
        let third = try #require(queue.next())
        let refusal = #expect(throws: Refusal.self) { try dispatch(4, from: third) }
        #expect(refusal?.kind == .feedbackLimit)
        #expect(queue.isEmpty)
    }

    @Test func `takes what comes from a chain that has ended for a new one of the same depth`() throws {
        try dispatch(1)
        let first = try #require(queue.next())
        queue.finish(first)
        try dispatch(2, from: first)
        let second = try #require(queue.next())
        #expect(second.cause.root != first.cause.root)
        #expect(second.cause.depth == 1)
    }

    @Test func `settles at once where nothing is left, and else when what was there is done`() throws {
        var settled: [String] = []
        queue.whenSettled { settled.append("before") }
        #expect(settled == ["before"])
        try dispatch(1)
        queue.whenSettled { settled.append("first") }
        try dispatch(2)
        queue.whenSettled { settled.append("second") }
        let first = try #require(queue.next())
        try dispatch(3, from: first)
        queue.finish(first)
        #expect(settled == ["before"], "what the first caused is still waiting")
        let second = try #require(queue.next())
        queue.finish(second)
        #expect(settled == ["before"])
        queue.finish(try #require(queue.next()))
        #expect(settled == ["before", "first", "second"])
        #expect(queue.isIdle)
    }
}

@Suite struct `A first-in first-out queue` {
    @Test(arguments: (1...50).map { UInt64($0) &* 0x2545_F491_4F6C_DD1D })
    func `behaves like an array taken from its front`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = FIFO<Int>()
        var model: [Int] = []
        for number in 0..<2000 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<11:
                queue.append(number)
                model.append(number)
            case 11..<19:
                #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()), "seed \(seed), step \(number)")
            default:
                let most = model.count + 2
                let left = Int.random(in: 0...most, using: &random)
                queue.truncate(to: left)
                model.removeLast(max(0, model.count - left))
            }
            #expect(queue.count == model.count, "seed \(seed), step \(number)")
            #expect(queue.isEmpty == model.isEmpty, "seed \(seed), step \(number)")
        }
    }

    @Test func `does not grow with what has passed through it`() {
        var queue = FIFO<Int>()
        queue.append(0)
        for number in 1...10_000 {
            queue.append(number)
            _ = queue.popFirst()
        }
        #expect(queue.slots.count < 200)
    }

    @Test func `lets go of what was taken`() {
        final class Token {}
        var queue = FIFO<Token>()
        weak var token: Token?
        do {
            let held = Token()
            token = held
            queue.append(held)
            queue.append(Token())
        }
        #expect(token != nil)
        _ = queue.popFirst()
        #expect(token == nil)
        #expect(queue.count == 1)
    }
}
