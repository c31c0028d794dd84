public import Redux

/// The second account model, small enough to read at a glance: the service that runs it knows nothing of counters.
public enum CounterModel: AccountModel {
    /// `{"value": 0}`
    public struct State: Codable, Hashable, Sendable {
        /// Exact to 64 bits.
        public var value: Int64

        /// A counter that stands at `value`.
        public init(value: Int64 = 0) {
            self.value = value
        }
    }

    /// What was asked for with a delay, once it is due.
    public enum Effect: String, WireEffect {
        case increase
        case decrease

        /// `increase` or `decrease`.
        public var kind: String { rawValue }
    }

    /// A counter consults nothing.
    public struct Environment: Sendable {
        /// The only one there is.
        public init() {}
    }

    /// See `CounterAction`.
    public typealias Action = CounterAction
    /// A counter's reducer needs to know nothing of the world.
    public typealias Facts = NoFacts

    /// How long `counter/asyncIncrease` takes, in milliseconds.
    public static let increaseDelay: Milliseconds = 1000
    /// How long `counter/asyncDecrease` takes, in milliseconds.
    public static let decreaseDelay: Milliseconds = 500

    /// As in `serve --model counter`.
    public static let name = "counter"
    /// The first.
    public static let reducerVersion = 1
    /// One slice: the number.
    public static let slices = [SliceSchema("value")]
    /// One refusal: `counter-overflow`.
    public static let refusals: [RefusalKind] = [.counterOverflow]
    /// One view: `counter`, the number alone.
    public static let views: [View<CounterModel>] = [
        View("counter", summary: "The number the counter stands at.") { state, _ in state.value }
    ]

    /// Every counter starts at 0.
    public static func initialState(for account: AccountID) -> State { State() }

    /// Counts. An intention that would pass the bounds of 64 bits is refused, a fact that would is a no-op.
    public static func reduce(into state: inout State, action: StampedAction) throws(Refusal) {
        switch action.action {
        case .increase: state.value = try sum(state.value, 1)
        case .decrease: state.value = try sum(state.value, -1)
        // Whether there is room is known when they fall due; asking changes nothing.
        case .asyncIncrease, .asyncDecrease: break
        case .increased: state.value = (try? sum(state.value, 1)) ?? state.value
        case .decreased: state.value = (try? sum(state.value, -1)) ?? state.value
        }
    }

    /// A delayed action asks for its effect. Each has its own: none replaces another.
    public static func effects(of action: StampedAction, previous: State, next: State) -> [EffectRequest<Effect>] {
        switch action.action {
        case .asyncIncrease: [EffectRequest(.increase, delay: increaseDelay)]
        case .asyncDecrease: [EffectRequest(.decrease, delay: decreaseDelay)]
        case .increase, .decrease, .increased, .decreased: []
        }
    }

    /// The delay is over, and that was all the work: reports the fact.
    public static func perform(_ effect: Effect, run: EffectRun, in environment: Environment) async -> Action? {
        switch effect {
        case .increase: .increased
        case .decrease: .decreased
        }
    }

    private static func sum(_ value: Int64, _ step: Int64) throws(Refusal) -> Int64 {
        let (sum, overflow) = value.addingReportingOverflow(step)
        guard !overflow else {
            throw Refusal(.counterOverflow, "The counter stands at \(value), as far as it goes.")
        }
        return sum
    }
}

extension RefusalKind {
    /// The counter stands at a bound of 64-bit integers.
    public static let counterOverflow = RefusalKind("counter-overflow", title: "The counter can go no further.")
}
