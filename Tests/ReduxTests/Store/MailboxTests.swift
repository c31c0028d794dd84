import Redux
import Testing

@Suite struct `The mailbox` {
    @Test func `keeps the order of dispatch`() throws {
        let store = makeLine()
        store.subscribe { event in
            switch event.action {
            case 1: for number in [10, 20, 30] { _ = try? store.dispatch(number) }
            case 10: _ = try? store.dispatch(11)
            default: break
            }
        }
        try store.dispatch(1)
        #expect(store.state == [1, 10, 20, 30, 11], "what a follow-up causes comes after what was waiting")
    }

    @Test func `a dispatch from an observer is queued, and has run when the outer one returns`() throws {
        let store = makeLine()
        var outcome: DispatchOutcome?
        store.subscribe { if $0.action == 1 { outcome = try? store.dispatch(2) } }
        #expect(try store.dispatch(1) == .changed)
        #expect(outcome == .queued)
        #expect(store.state == [1, 2])
    }

    @Test func `what is dispatched while it empties is not left lying`() throws {
        let store = makeLine()
        store.subscribe { event in
            // The last entry of the mailbox dispatches once more.
            if let action = event.action, action < 5 { _ = try? store.dispatch(action + 1) }
        }
        try store.dispatch(1)
        #expect(store.state == [1, 2, 3, 4, 5])
    }

    @Test func `is emptied in a loop, whatever the length of the chain`() throws {
        // 100,000 nested calls would overflow the stack of any thread.
        let length = 100_000
        let limits = StoreLimits(followUpsPerActionMax: length, followUpDepthMax: length)
        let store = StoreCore<Int, Int>(initialState: 0, limits: limits) { (state, _) in state += 1 }
        store.subscribe { if $0.state <= length { _ = try? store.dispatch(0) } }
        try store.dispatch(0)
        #expect(store.state == length + 1)
    }

    @Test func `a refused follow-up is reported and stops nothing`() throws {
        var dropped: [Int: RefusalKind] = [:]
        let store = makeLine(onDrop: { dropped[$0] = $1.kind })
        store.subscribe { event in
            if event.action == 1 { for number in [-5, 6] { _ = try? store.dispatch(number) } }
        }
        try store.dispatch(1)
        #expect(store.state == [1, 6])
        #expect(dropped == [-5: .negative])
    }

    @Test func `a refused follow-up takes what its middleware dispatched with it`() throws {
        let store = makeLine(
            middleware: [
                Middleware { (context, action, next) throws(Refusal) in
                    if action == -2 { context.dispatch(3) }
                    try next(action)
                    if action == 1 {
                        context.dispatch(-2)
                        context.dispatch(4)
                    }
                }
            ])
        try store.dispatch(1)
        #expect(store.state == [1, 4])
    }

    @Test func `has one outcome for the dispatcher of a queued action, and no exception for its refusal`() throws {
        let store = makeLine()
        var outcome: Result<DispatchOutcome, Refusal>?
        store.subscribe { event in
            guard event.action == 1 else { return }
            outcome = Result { () throws(Refusal) in try store.dispatch(-1) }
        }
        try store.dispatch(1)
        #expect(outcome == .success(.queued))
    }

    @Test func `a store used again after a long chain starts afresh`() throws {
        let store = makeLine(limits: StoreLimits(followUpsPerActionMax: 3, followUpDepthMax: 3))
        store.subscribe { event in
            if let action = event.action, action % 10 < 4 { _ = try? store.dispatch(action + 1) }
        }
        try store.dispatch(1)
        try store.dispatch(11)
        #expect(store.state == [1, 2, 3, 4, 11, 12, 13, 14])
        #expect(store.depth == 0)
    }
}

@Suite struct `An endless feedback loop` {
    @Test func `is stopped by its length, thrown and reported`() throws {
        var dropped: [RefusalKind] = []
        var thrown: [RefusalKind] = []
        let store = makeLine(limits: StoreLimits(followUpDepthMax: 16), onDrop: { dropped.append($1.kind) })
        store.subscribe { _ in
            do throws(Refusal) { try store.dispatch(1) } catch { thrown.append(error.kind) }
        }
        try store.dispatch(1)
        #expect(store.state.count == 1 + 16)
        #expect(dropped == [.feedbackLimit])
        #expect(thrown == [.feedbackLimit])
    }

    @Test func `is stopped by its number`() throws {
        var dropped = 0
        let store = makeLine(
            limits: StoreLimits(followUpsPerActionMax: 256, followUpDepthMax: 16),
            onDrop: { _, refusal in
                #expect(refusal.kind == .feedbackLimit)
                dropped += 1
            })
        store.subscribe { _ in
            _ = try? store.dispatch(1)
            _ = try? store.dispatch(1)
        }
        try store.dispatch(1)
        #expect(store.state.count == 1 + 256)
        #expect(dropped == 2 * 257 - 256, "each of 257 transitions asked for two more")
    }

    @Test func `of two middlewares is stopped as well`() throws {
        var dropped = 0
        let store = makeLine(
            middleware: [
                .followUps { action, _, _ in action == 1 ? [2] : [] },
                .followUps { action, _, _ in action == 2 ? [1] : [] },
            ],
            onDrop: { _, _ in dropped += 1 })
        try store.dispatch(1)
        #expect(store.state.count == 17)
        #expect(dropped == 1)
    }

    @Test func `of reports is stopped`() throws {
        var reports = 0
        var store: Line?
        let made = makeLine(
            limits: StoreLimits(followUpsPerActionMax: 4, followUpDepthMax: 1),
            onDrop: { _, _ in
                reports += 1
                // A report that dispatches, which is dropped, which would be reported.
                _ = try? store?.dispatch(9)
            })
        store = made
        made.subscribe { if $0.action != 9 { _ = try? made.dispatch(2) } }
        try made.dispatch(1)
        #expect(made.state == [1, 2])
        #expect(reports == 1)
        store = nil
    }

    @Test func `of refused reports is a chain like any other`() throws {
        var reports: [Int] = []
        var store: Line?
        let made = makeLine(onDrop: { action, _ in
            reports.append(action)
            if reports.count < 50 { _ = try? store?.dispatch(action - 1) }
        })
        store = made
        made.subscribe { if $0.action == 1 { _ = try? made.dispatch(-1) } }
        try made.dispatch(1)
        #expect(made.state == [1])
        #expect(reports.count == StoreLimits().followUpDepthMax, "each report but the last, which is past the bound")
        store = nil
    }
}

@Suite struct `Each limit of a store` {
    /// A limit's refusal, and a store brought just past it.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let kind: RefusalKind
        let limits: StoreLimits
        /// How many of the three follow-ups one action causes fit.
        let accepted: Int
    }

    @Test(arguments: [
        Case(testDescription: "mailboxActionsMax", kind: .mailboxFull, limits: StoreLimits(mailboxActionsMax: 2), accepted: 2),
        Case(
            testDescription: "followUpsPerActionMax", kind: .feedbackLimit, limits: StoreLimits(followUpsPerActionMax: 2),
            accepted: 2),
        Case(testDescription: "followUpDepthMax", kind: .feedbackLimit, limits: StoreLimits(followUpDepthMax: 0), accepted: 0),
    ]) func `has its own refusal`(_ limit: Case) throws {
        var dropped: [RefusalKind] = []
        let store = makeLine(
            limits: limit.limits, middleware: [.followUps { action, _, _ in action == 1 ? [2, 3, 4] : [] }],
            onDrop: { dropped.append($1.kind) })
        try store.dispatch(1)
        #expect(store.state == Array([1, 2, 3, 4].prefix(1 + limit.accepted)))
        #expect(dropped == Array(repeating: limit.kind, count: 3 - limit.accepted))
    }

    @Test func `refusals of stores have their own slugs`() {
        #expect(RefusalKind.ofStores.map(\.slug) == ["feedback-limit", "mailbox-full", "batch-too-large", "postponed-full"])
    }
}
