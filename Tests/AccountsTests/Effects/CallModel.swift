import Redux
import Synchronization

/// A model whose every action asks for a call to a service that the test answers for.
///
/// By their names, an `untold` call reports nothing, the outcome of a `more` call asks for another one, and cancelling `next` causes a call.
enum CallModel: AccountModel {
    struct State: Codable, Equatable, Sendable {
        /// What was reported, in order.
        var facts: [String] = []
    }

    struct Call: Codable, Hashable, Sendable {
        var name: String
        var key: String?
    }

    enum Action: WireAction, Equatable {
        case call(Call)
        /// Makes void what waits under a key.
        case cancel(String)
        case done(String)
        case failed(String)

        static let kinds: [ActionKind<Action>] = [
            .kind("call/make", .intention, summary: "", example: Call(name: "a")) { .call($0) },
            .kind("call/cancel", .intention, summary: "", example: Call(name: "a")) { .cancel($0.name) },
            .kind("call/done", .fact, summary: "", example: Call(name: "a")) { .done($0.name) },
            .kind("call/failed", .fact, summary: "", example: Call(name: "a")) { .failed($0.name) },
        ]

        var name: String {
            switch self {
            case .call: "call/make"
            case .cancel: "call/cancel"
            case .done: "call/done"
            case .failed: "call/failed"
            }
        }

        func encodePayload(to encoder: any Encoder) throws {
            switch self {
            case .call(let call): try call.encode(to: encoder)
            case .cancel(let name), .done(let name), .failed(let name): try Call(name: name).encode(to: encoder)
            }
        }
    }

    struct Effect: WireEffect, Hashable {
        var name: String
        var kind: String { name.hasPrefix("pay") ? "payment" : name.hasPrefix("in-order") ? "ordered" : "other" }
        var isOrdered: Bool { kind == "ordered" }
    }

    /// The service: keeps each call until the test answers it.
    final class Desk: Sendable {
        struct Away: RetryAdvice, Equatable {
            let reason = "away"
            var retryAfter: Milliseconds?
        }

        private struct Waiting {
            let name: String
            let id: String
            let answer: CheckedContinuation<Void, any Error>
        }
        private let calls = Mutex<(open: [Waiting], all: [String], ids: [String], traces: [String?])>(([], [], [], []))

        func call(_ name: String, _ run: EffectRun) async throws {
            try await withCheckedThrowingContinuation { answer in
                calls.withLock {
                    $0.open.append(Waiting(name: name, id: run.id, answer: answer))
                    $0.all.append("\(name)#\(run.attempt)")
                    $0.ids.append(run.id)
                    $0.traces.append(run.trace)
                }
            }
        }

        /// The calls that wait for an answer, in the order in which they came.
        var open: [String] { calls.withLock { $0.open.map(\.name) } }
        /// Every call with the number of its attempt.
        var all: [String] { calls.withLock(\.all) }
        var ids: [String] { calls.withLock(\.ids) }
        /// The trace context that came with each call.
        var traces: [String?] { calls.withLock(\.traces) }

        func answer(_ name: String, throwing error: (any Error)? = nil) {
            let call = calls.withLock { calls in
                calls.open.firstIndex { $0.name == name }.map { calls.open.remove(at: $0) }
            }
            if let error { call?.answer.resume(throwing: error) } else { call?.answer.resume() }
        }
    }

    struct Environment: Sendable {
        var desk = Desk()
    }

    typealias Facts = NoFacts

    static let name = "calls"
    static let reducerVersion = 1
    static let slices = [SliceSchema("facts")]
    static let refusals: [RefusalKind] = []
    static let views: [View<CallModel>] = []

    static func initialState(for account: AccountID) -> State { State() }

    static func reduce(into state: inout State, action: StampedAction) throws(Refusal) {
        switch action.action {
        case .call, .cancel: break
        case .done(let name): state.facts.append(name)
        case .failed(let name): state.facts.append("not " + name)
        }
    }

    static func effects(of action: StampedAction, previous: State, next: State) -> [EffectRequest<Effect>] {
        switch action.action {
        case .call(let call): [EffectRequest(Effect(name: call.name), key: call.key)]
        case .done(let name) where name.hasPrefix("more"): [EffectRequest(Effect(name: "after " + name))]
        default: []
        }
    }

    static func followUps(of action: StampedAction, previous: State, next: State) -> [Action] {
        action.action == .cancel("next") ? [.call(Call(name: "next"))] : []
    }

    static func cancellations(of action: StampedAction, previous: State, next: State) -> [EffectCancellation] {
        guard case .cancel(let key) = action.action else { return [] }
        return [.key(key)]
    }

    static func perform(_ effect: Effect, run: EffectRun, in environment: Environment) async throws -> Action? {
        try await environment.desk.call(effect.name, run)
        return effect.name.hasPrefix("untold") ? nil : .done(effect.name)
    }

    /// A payment of unknown outcome is not reported failed.
    static func failure(of effect: Effect, end: EffectEnd) -> Action? {
        effect.kind == "payment" && end != .dropped ? nil : .failed(effect.name)
    }
}
