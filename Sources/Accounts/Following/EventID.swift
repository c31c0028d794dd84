public import Redux

/// The id of an event on the wire: `EPOCH.REVISION`, for a view followed by `.HASH` of its value.
///
/// All a resumption needs is in it: nothing is remembered of a client that has gone.
public struct EventID: Hashable, Sendable, CustomStringConvertible {
    /// Names the history the revision belongs to: base64url, so without a dot.
    public var epoch: String
    /// The account's, as the client has it once it has the event.
    public var revision: Revision
    /// Names a view's value, so that the same value is not sent again.
    public var valueHash: String?

    /// Makes an id of its parts; `valueHash` is nil except for a view.
    public init(epoch: String, revision: Revision, valueHash: String? = nil) {
        self.epoch = epoch
        self.revision = revision
        self.valueHash = valueHash
    }

    /// Reads the text form; nil for any other.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, !parts[0].isEmpty, let revision = Revision(parts[1]), revision >= 0 else {
            return nil
        }
        self.init(epoch: String(parts[0]), revision: revision, valueHash: parts.count == 3 ? String(parts[2]) : nil)
    }

    /// The text form, which `init(_:)` reads.
    public var description: String { "\(epoch).\(revision)" + (valueHash.map { ".\($0)" } ?? "") }
}

/// Where a follower wants to go on.
public enum Resumption: Hashable, Sendable {
    /// From now, with a snapshot first.
    case fresh
    /// After this event, which it has seen.
    case after(EventID)
    /// After this revision of the account's present epoch.
    case afterRevision(Revision)
    /// After an event whose id says nothing here.
    case unknown
}

/// Why a follower cannot go on where it wants to, and is given a snapshot instead.
public enum ResetReason: String, Sendable {
    /// The id is of another history of the account, before a restore.
    case epoch
    /// What followed it is not kept any more.
    case trimmed
    /// The id is not one of this account's.
    case unknown
}

/// Why a stream of events ends, in the service's `bye`.
public enum ByeReason: String, Sendable {
    /// The service is stopping.
    case shutdown
    /// It has lasted as long as a stream may; simply reconnect.
    case lifetime
    /// The session has ended: reconnecting will not do.
    case session
    /// The account's history cannot be read.
    case unreadable
    /// The account cannot be served now.
    case unavailable
}
