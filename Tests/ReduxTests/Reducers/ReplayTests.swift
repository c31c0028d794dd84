import Counter
import Redux
import Testing

@Suite struct `Replay` {
    @Test func `is the fold over recorded actions`() throws {
        var state = [0]
        try replay([1, 2, 3], into: &state, reduce: appendToLine)
        #expect(state == [0, 1, 2, 3])
    }

    @Test func `of a refused action fails, and names it`() {
        var state: [Int] = []
        let failure = #expect(throws: ReplayFailure.self) { try replay([1, -2, 3], into: &state, reduce: appendToLine) }
        #expect(failure?.index == 1)
        #expect(failure?.refusal.kind == .negative)
    }

    /// Generated sequences of single actions, batches, refusals and follow-ups; the seed is in the failure's message.
    @Test(arguments: (1...200).map { UInt64($0) &* 0x2545_F491_4F6C_DD1D })
    func `of what observers heard gives the store's state`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = makeLine(middleware: [.followUps { action, _, _ in action % 7 == 3 ? [action + 1, -action] : [] }])
        var recorded: [Int] = []
        store.subscribe { event in
            if let action = event.action {
                recorded.append(action)
                if action % 11 == 5 { _ = try? store.dispatch(action * 2) }
            }
        }
        for _ in 0..<Int.random(in: 0...60, using: &random) {
            if Int.random(in: 0..<4, using: &random) == 0 {
                try? store.dispatch(
                    batch: (0..<Int.random(in: 0...6, using: &random)).map { _ in Int.random(in: -3...60, using: &random) })
            } else {
                _ = try? store.dispatch(Int.random(in: -20...60, using: &random))
            }
        }
        var state: [Int] = []
        try replay(recorded, into: &state, reduce: appendToLine)
        #expect(state == store.state, "seed \(seed)")
        // The same in two parts: a snapshot and the tail after it.
        let middle = recorded.count / 2
        var tailed: [Int] = []
        try replay(recorded[..<middle], into: &tailed, reduce: appendToLine)
        try replay(recorded[middle...], into: &tailed, reduce: appendToLine)
        #expect(tailed == store.state, "seed \(seed)")
    }

    @Test(arguments: (1...100).map { UInt64($0) &* 0x9E37_79B9_7F4A_7C15 })
    func `of a model's log gives the model's state`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let account = try #require(AccountID(rawValue: 1))
        // Near the bound, so that refusals and no-ops occur.
        let initial = CounterModel.State(value: .max - 2)
        var log: [CounterModel.StampedAction] = []
        let store = StoreCore<CounterModel.State, CounterModel.StampedAction>(
            initialState: initial, middleware: [.observe { action, _, _ in log.append(action) }], reduce: CounterModel.reduce)
        var refused = 0
        let actions: [CounterAction] = [.increase, .increase, .decrease, .increased, .decreased, .asyncIncrease, .asyncDecrease]
        for revision in 1...80 {
            let action = try #require(actions.randomElement(using: &random))
            let stamp = Stamp(
                revision: Revision(revision), at: Milliseconds(revision), id: ActionID(high: seed, low: UInt64(revision)),
                account: account)
            do throws(Refusal) { try store.dispatch(Stamped(action, stamp: stamp)) } catch { refused += 1 }
        }
        var state = initial
        try CounterModel.replay(log, into: &state)
        #expect(state == store.state, "seed \(seed)")
        #expect(log.count + refused == 80, "seed \(seed)")
    }
}

@Suite struct `A memo` {
    @Test func `computes once for equal inputs in a row`() {
        var computed: [Int] = []
        let double = Memo<Int, Int> {
            computed.append($0); return $0 * 2
        }
        #expect([double(1), double(1), double(2), double(2), double(1)] == [2, 2, 4, 4, 2])
        #expect(computed == [1, 2, 1])
    }

    @Test func `goes by the exact inputs, not by what they look like`() {
        struct Input: Equatable {
            var numbers: [Int]
            var query: String
        }
        var count = 0
        let memo = Memo<Input, Int> {
            count += 1; return $0.numbers.count + $0.query.count
        }
        #expect(memo(Input(numbers: [1], query: "a")) == 2)
        #expect(memo(Input(numbers: [2], query: "a")) == 2)
        #expect(memo(Input(numbers: [2], query: "b")) == 2)
        #expect(memo(Input(numbers: [2], query: "b")) == 2)
        #expect(count == 3)
    }

    @Test func `computes again after it was told to forget`() {
        var count = 0
        let memo = Memo<Int, Int> {
            count += 1; return $0
        }
        _ = memo(1)
        memo.reset()
        _ = memo(1)
        #expect(count == 2)
    }
}
