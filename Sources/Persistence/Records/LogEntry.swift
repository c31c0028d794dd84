package import Redux

/// One accepted action as the log keeps it; the rows of an account, in order of `revision`, are its history.
///
/// `payload`, `facts` and `trace` are opaque bytes here (canonical JSON by convention). Every member is covered by the account's hash chain.
package struct LogEntry: Hashable, Sendable {
    /// What is noted about a transition beside its outcome.
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The state after the action differs from the one before.
        package static let changed = Flags(rawValue: 1)
        /// The clock stood before the account's last stamp.
        package static let skewed = Flags(rawValue: 2)
        /// The action is one of an atomic batch of several.
        package static let batched = Flags(rawValue: 4)
    }

    package var account: AccountID
    package var revision: Revision
    package var at: Milliseconds
    package var id: ActionID
    /// The action's wire name (`domain/event`).
    package var name: String
    /// The version of the payload's form.
    package var version: Int
    package var payload: [UInt8]
    /// What middleware looked up for the reducer; nil where it needed nothing.
    package var facts: [UInt8]?
    /// The revision of the action that caused this one.
    package var cause: Revision?
    package var flags: Flags
    /// The request's trace context, where there was one.
    package var trace: [UInt8]?

    package init(
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
    package var approximateBytes: Int {
        64 + name.utf8.count + payload.count + (facts?.count ?? 0) + (trace?.count ?? 0)
    }
}
