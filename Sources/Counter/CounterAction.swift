public import Redux

/// What can happen to a counter.
public enum CounterAction: Hashable, Sendable {
    /// One more, at once.
    case increase
    /// One less, at once.
    case decrease
    /// One more, `CounterModel.increaseDelay` later.
    case asyncIncrease
    /// One less, `CounterModel.decreaseDelay` later.
    case asyncDecrease
    /// The fact that an `asyncIncrease` has fallen due.
    case increased
    /// The fact that an `asyncDecrease` has fallen due.
    case decreased
}

extension CounterAction: WireAction {
    /// Every kind, in the order of the documents.
    public static let kinds: [ActionKind<CounterAction>] = [
        .kind("counter/increase", summary: "Adds one.", .increase),
        .kind("counter/decrease", summary: "Takes one away.", .decrease),
        .kind("counter/asyncIncrease", summary: "Adds one after a second.", .asyncIncrease),
        .kind("counter/asyncDecrease", summary: "Takes one away after half a second.", .asyncDecrease),
        .kind("counter/increased", .fact, summary: "A delayed addition has fallen due.", .increased),
        .kind("counter/decreased", .fact, summary: "A delayed subtraction has fallen due.", .decreased),
    ]

    /// The name on the wire.
    public var name: String {
        switch self {
        case .increase: "counter/increase"
        case .decrease: "counter/decrease"
        case .asyncIncrease: "counter/asyncIncrease"
        case .asyncDecrease: "counter/asyncDecrease"
        case .increased: "counter/increased"
        case .decreased: "counter/decreased"
        }
    }

    /// Writes the empty payload that all of them have.
    public func encodePayload(to encoder: any Encoder) throws {
        try NoPayload().encode(to: encoder)
    }
}
