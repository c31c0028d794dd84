import Redux
import Testing

@Suite struct `A middleware` {
    typealias Link = Middleware<[Int], Int>

    @Test func `the first sees an action first and its result last`() throws {
        var trace: [String] = []
        func tracing(_ name: String) -> Link {
            Link { (_, action, next) throws(Refusal) in
                trace.append("\(name) before \(action)")
                try next(action)
                trace.append("\(name) after \(action)")
            }
        }
        let store = makeLine(middleware: [tracing("outer"), tracing("inner")])
        try store.dispatch(1)
        #expect(trace == ["outer before 1", "inner before 1", "inner after 1", "outer after 1"])
    }

    @Test func `sees the state before and after`() throws {
        var seen: [[Int]] = []
        let store = makeLine(
            [1],
            middleware: [
                Link { (context, action, next) throws(Refusal) in
                    seen.append(context.state)
                    try next(action)
                    seen.append(context.state)
                }
            ])
        try store.dispatch(2)
        #expect(seen == [[1], [1, 2]])
    }

    @Test func `may change an action, and observers hear the changed one`() throws {
        let store = makeLine(middleware: [.map { $0 * 10 }])
        var heard: [Int?] = []
        store.subscribe { heard.append($0.action) }
        try store.dispatch(4)
        #expect(store.state == [40])
        #expect(heard == [40])
    }

    @Test func `may keep an action for itself`() throws {
        let store = makeLine(middleware: [Link { (_, action, next) throws(Refusal) in if action != 3 { try next(action) } }])
        var heard = 0
        store.subscribe { _ in heard += 1 }
        #expect(try store.dispatch(3) == .swallowed)
        #expect(try store.dispatch(4) == .changed)
        #expect(store.state == [4])
        #expect(heard == 1)
    }

    @Test func `may refuse before the reducer`() {
        let store = makeLine(middleware: [.map { (_) throws(Refusal) in throw Refusal(.negative, "no") }])
        #expect(refusal { () throws(Refusal) in try store.dispatch(1) } == .negative)
        #expect(store.state == [])
    }

    @Test func `may refuse after the reducer, and nothing has happened then`() throws {
        let store = makeLine(
            middleware: [
                Link { (context, action, next) throws(Refusal) in
                    try next(action)
                    context.dispatch(100)
                    if action == 3 { throw Refusal(.negative, "not three") }
                }
            ],
            onDrop: { action, refusal in Issue.record("\(action) dropped: \(refusal)") })
        var heard: [Int?] = []
        store.subscribe { heard.append($0.action) }
        #expect(refusal { () throws(Refusal) in try store.dispatch(3) } == .negative)
        #expect(store.state == [], "neither the action nor its follow-up")
        #expect(heard == [])
    }

    @Test func `may offer another action after a refusal`() throws {
        let store = makeLine(
            middleware: [
                Link { (_, action, next) throws(Refusal) in
                    do throws(Refusal) { try next(action) } catch { try next(-action) }
                }
            ])
        #expect(try store.dispatch(-5) == .changed)
        #expect(store.state == [5])
    }

    @Test func `may swallow a refusal`() throws {
        let store = makeLine(middleware: [Link { (_, action, next) throws(Refusal) in try? next(action) }])
        #expect(try store.dispatch(-5) == .swallowed)
        #expect(store.state == [])
    }

    @Test func `may not make two transitions of one action`() async {
        await #expect(processExitsWith: .failure) {
            let store = makeLine(
                middleware: [
                    Link { (_, action, next) throws(Refusal) in
                        try next(action)
                        try next(action)
                    }
                ])
            try store.dispatch(1)
        }
    }

    @Test func `a dispatch from it waits, and a log in it reads in order`() throws {
        var log: [Int] = []
        let store = makeLine(
            middleware: [
                .observe { action, _, _ in log.append(action) },
                Link { (context, action, next) throws(Refusal) in
                    if action == 1 { context.dispatch(2) }
                    try next(action)
                },
            ])
        try store.dispatch(1)
        #expect(store.state == [1, 2], "before next or after it: the follow-up comes second")
        #expect(log == [1, 2])
    }

    @Test func `follow-ups pass the whole chain again, with their depth`() throws {
        var depths: [Int: Int] = [:]
        let store = makeLine(
            middleware: [
                Link { (context, action, next) throws(Refusal) in
                    depths[action] = context.depth
                    try next(action)
                },
                .followUps { action, _, _ in action < 3 ? [action + 1] : [] },
            ])
        try store.dispatch(1)
        #expect(store.state == [1, 2, 3])
        #expect(depths == [1: 0, 2: 1, 3: 2])
    }

    @Test func `follow-ups are made from both states, in order`() throws {
        let store = makeLine(
            middleware: [
                .followUps { action, previous, state in action == 1 ? [previous.count + 10, state.count + 20] : [] }
            ])
        try store.dispatch(1)
        #expect(store.state == [1, 10, 21])
    }

    @Test func `observing sees accepted actions, and refusals apart`() throws {
        var accepted: [Int] = []
        var refused: [Int] = []
        let store = makeLine(
            middleware: [
                .observe { action, previous, state in
                    #expect(state == previous + [action])
                    accepted.append(action)
                },
                .observeRefusals { action, refusal in
                    #expect(refusal.kind == .negative)
                    refused.append(action)
                },
            ])
        try store.dispatch(1)
        #expect(throws: Refusal.self) { try store.dispatch(-2) }
        #expect(accepted == [1])
        #expect(refused == [-2])
    }

    @Test func `a context used between transitions dispatches at once`() throws {
        var kept: MiddlewareContext<[Int], Int>?
        var dropped: [Int] = []
        let store = makeLine(
            middleware: [
                Link { (context, action, next) throws(Refusal) in
                    kept = context
                    try next(action)
                }
            ],
            onDrop: { action, _ in dropped.append(action) })
        try store.dispatch(1)
        kept?.dispatch(2)
        kept?.dispatch(-3)
        #expect(store.state == [1, 2])
        #expect(dropped == [-3])
    }
}
