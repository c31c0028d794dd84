/// Something to be done outside, as a value: stored with the action that asked for it, run after the commit, at least once.
public protocol WireEffect: Codable, Sendable {
    /// A short constant name of the kind, for the outbox and metrics.
    var kind: String { get }
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

    /// One attempt at an effect.
    public init(id: String, account: AccountID, revision: Revision, attempt: Int) {
        self.id = id
        self.account = account
        self.revision = revision
        self.attempt = attempt
    }
}
