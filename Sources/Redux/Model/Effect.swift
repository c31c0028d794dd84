/// Something to be done outside, as a value: stored with the action that asked for it, run after the commit, at least once.
public protocol WireEffect: Codable, Sendable {
    /// A short constant name of the kind, for the outbox and metrics.
    var kind: String { get }

    /// Whether effects of this kind run one after the other within an account, in the order in which they fall due.
    var isOrdered: Bool { get }
}

extension WireEffect {
    /// False: effects of an account may overlap.
    public var isOrdered: Bool { false }
}

/// An effect and when to run it.
public struct EffectRequest<Effect: WireEffect>: Sendable {
    /// What is to be done.
    public let effect: Effect
    /// Milliseconds after the action's stamp; 0 runs at once.
    public let delay: Milliseconds
    /// Names the effect within its account, so that a later request with the same key replaces it; nil never replaces.
    public let key: String?

    /// A request to run `effect` after `delay` milliseconds.
    public init(_ effect: Effect, delay: Milliseconds = 0, key: String? = nil) {
        self.effect = effect
        self.delay = delay
        self.key = key
    }
}

/// What an effect's executor is told about this run.
public struct EffectRun: Sendable {
    /// The same for every attempt: to be sent as the idempotency key.
    public let id: String
    /// The account whose action asked for it.
    public let account: AccountID
    /// The revision of the action that asked for it.
    public let revision: Revision
    /// From 1.
    public let attempt: Int
    /// The `traceparent` of the request whose action asked for it (W3C Trace Context); nil where there was none.
    public let trace: String?

    /// One attempt at an effect.
    public init(id: String, account: AccountID, revision: Revision, attempt: Int, trace: String? = nil) {
        self.id = id
        self.account = account
        self.revision = revision
        self.attempt = attempt
        self.trace = trace
    }
}

/// An effect that is not to be run any more, named within its account.
public enum EffectCancellation: Hashable, Sendable {
    /// The one that waits under this key.
    case key(String)
    /// The one that the action at a revision asked for, at this place among those it asked for.
    case place(Revision, ordinal: Int)
}

/// Thrown by `perform` where the world says when to come back; any other error leaves that to the service's back-off.
public protocol RetryAdvice: Error {
    /// One sentence for a person.
    var reason: String { get }
    /// Milliseconds to wait at least; nil where nothing was said.
    var retryAfter: Milliseconds? { get }
}

/// Thrown by `perform` where the effect will not be done, and the model has no fact that says so: the entry stays dead.
public struct EffectRefusal: Error, Hashable, Sendable {
    /// One sentence for a person.
    public let reason: String

    /// States why it will not be done.
    public init(_ reason: String) {
        self.reason = reason
    }
}

/// Why the service gives an effect up.
public enum EffectEnd: Hashable, Sendable {
    /// Its attempts have run out, or it is too old. Whether it was done all the same is not known.
    case exhausted(lastReason: String)
    /// A person has dropped it, and so answers for it that it was not done.
    case dropped
}
