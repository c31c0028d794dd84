public import Redux

/// One accepted action as the log keeps it; the rows of an account, in order of `revision`, are its history.
///
/// `payload`, `facts` and `trace` are opaque bytes here (canonical JSON by convention). Every member is covered by the account's hash chain.
public struct LogEntry: Hashable, Sendable {
    /// What is noted about a transition beside its outcome.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// As it is stored, so that a bit never changes its meaning.
        public let rawValue: UInt8

        /// Bits as they were stored; unknown ones are kept.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The state after the action differs from the one before.
        public static let changed = Flags(rawValue: 1)
        /// The clock stood before the account's last stamp.
        public static let skewed = Flags(rawValue: 2)
        /// The action is one of an atomic batch of several.
        public static let batched = Flags(rawValue: 4)
    }

    /// Whose history it is part of.
    public var account: AccountID
    /// One more than the entry before; the account's first has 1, or the one after its base.
    public var revision: Revision
    /// The action's stamp; never before the last entry's of the account.
    public var at: Milliseconds
    /// The action's own id, made when it was accepted.
    public var id: ActionID
    /// The action's wire name (`domain/event`).
    public var name: String
    /// The version of the payload's form.
    public var version: Int
    /// The action's members, in the form that `version` names.
    public var payload: [UInt8]
    /// What middleware looked up for the reducer; nil where it needed nothing.
    public var facts: [UInt8]?
    /// The revision of the action that caused this one.
    public var cause: Revision?
    /// None set where the action changed nothing and nothing was out of the ordinary.
    public var flags: Flags
    /// The request's trace context, where there was one.
    public var trace: [UInt8]?

    /// By default a payload of version 1, without facts, cause, flags or trace.
    public init(
        account: AccountID, revision: Revision, at: Milliseconds, id: ActionID, name: String, version: Int = 1, payload: [UInt8],
        facts: [UInt8]? = nil, cause: Revision? = nil, flags: Flags = [], trace: [UInt8]? = nil
    ) {
        self.account = account
        self.revision = revision
        self.at = at
        self.id = id
        self.name = name
        self.version = version
        self.payload = payload
        self.facts = facts
        self.cause = cause
        self.flags = flags
        self.trace = trace
    }

    /// About how many bytes the entry takes in the log; what tails are measured in.
    public var approximateBytes: Int {
        64 + name.utf8.count + payload.count + (facts?.count ?? 0) + (trace?.count ?? 0)
    }
}
