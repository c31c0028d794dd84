public import Redux

/// Names an effect for good: the action that asked for it, and the effect's place among those of that action.
public struct OutboxID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Whose action it was.
    public let account: AccountID
    /// That of the action that asked for it.
    public let revision: Revision
    /// From 0, in the order of asking.
    public let ordinal: Int

    /// The parts of a name; nothing is looked up.
    public init(account: AccountID, revision: Revision, ordinal: Int) {
        self.account = account
        self.revision = revision
        self.ordinal = ordinal
    }

    /// `ACCOUNT.REVISION.ORDINAL`, the effect's part of an idempotency key; unique within one database's history.
    public var description: String { "\(account).\(revision).\(ordinal)" }

    /// The order in which effects were asked for, account by account.
    public static func < (left: OutboxID, right: OutboxID) -> Bool {
        (left.account, left.revision, left.ordinal) < (right.account, right.revision, right.ordinal)
    }
}

/// A place in the order in which effects fall due, over all accounts.
public struct DuePlace: Hashable, Sendable, Comparable {
    /// The due time; may be past.
    public let due: Milliseconds
    /// Nil stands before every effect of this due time.
    public let id: OutboxID?

    /// Without an id, the place before every effect that is due then.
    public init(due: Milliseconds, id: OutboxID? = nil) {
        self.due = due
        self.id = id
    }

    /// Before every effect. Far enough from the bounds of 64 bits to be reckoned with.
    public static let start = DuePlace(due: .min / 2)

    /// By due time, then by `OutboxID`; a place without an id comes before those with one.
    public static func < (left: DuePlace, right: DuePlace) -> Bool {
        guard left.due == right.due else { return left.due < right.due }
        guard let other = right.id else { return false }
        return left.id.map { $0 < other } ?? true
    }
}

/// An effect that is to be run, or that has died and waits for a person.
public struct OutboxEntry: Hashable, Sendable {
    /// Whose effect it is.
    public var account: AccountID
    /// That of the action that asked for it.
    public var revision: Revision
    /// From 0, the effect's place among those of its action.
    public var ordinal: Int
    /// The effect's `kind`.
    public var kind: String
    /// Within its account, an entry replaces an earlier one with the same key; nil never replaces.
    public var key: String?
    /// Not to be run before.
    public var due: Milliseconds
    /// The effect's canonical JSON.
    public var payload: [UInt8]
    /// Attempts made so far.
    public var attempt: Int
    /// Why it is not tried any more; nil while it is.
    public var deadReason: String?
    /// The trace context of the request whose action asked for it, in the form of `LogEntry.trace`. Not stored: it is the log entry's.
    public var trace: [UInt8]?

    /// By default alive, never tried, replacing nothing and without a trace.
    public init(
        account: AccountID, revision: Revision, ordinal: Int, kind: String, key: String? = nil, due: Milliseconds,
        payload: [UInt8],
        attempt: Int = 0, deadReason: String? = nil, trace: [UInt8]? = nil
    ) {
        self.account = account
        self.revision = revision
        self.ordinal = ordinal
        self.kind = kind
        self.key = key
        self.due = due
        self.payload = payload
        self.attempt = attempt
        self.deadReason = deadReason
        self.trace = trace
    }

    /// Where it stands in the order of due times.
    public var place: DuePlace { DuePlace(due: due, id: id) }

    /// In place of the number of attempts: a person has dropped the entry, and what is left is to report it.
    public static let droppedAttempt = Int(Int32.max)

    /// Its name for good, made of account, revision and ordinal.
    public var id: OutboxID { OutboxID(account: account, revision: revision, ordinal: ordinal) }
}
