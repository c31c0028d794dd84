package import Redux

/// Names an effect for good: the action that asked for it, and the effect's place among those of that action.
package struct OutboxID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let account: AccountID
    package let revision: Revision
    package let ordinal: Int

    package init(account: AccountID, revision: Revision, ordinal: Int) {
        self.account = account
        self.revision = revision
        self.ordinal = ordinal
    }

    /// `ACCOUNT.REVISION.ORDINAL`, the effect's part of an idempotency key; unique within one database's history.
    package var description: String { "\(account).\(revision).\(ordinal)" }

    /// The order in which effects were asked for, account by account.
    package static func < (left: OutboxID, right: OutboxID) -> Bool {
        (left.account, left.revision, left.ordinal) < (right.account, right.revision, right.ordinal)
    }
}

/// A place in the order in which effects fall due, over all accounts.
package struct DuePlace: Hashable, Sendable, Comparable {
    package let due: Milliseconds
    /// Nil stands before every effect of this due time.
    package let id: OutboxID?

    package init(due: Milliseconds, id: OutboxID? = nil) {
        self.due = due
        self.id = id
    }

    /// Before every effect. Far enough from the bounds of 64 bits to be reckoned with.
    package static let start = DuePlace(due: .min / 2)

    package static func < (left: DuePlace, right: DuePlace) -> Bool {
        guard left.due == right.due else { return left.due < right.due }
        guard let other = right.id else { return false }
        return left.id.map { $0 < other } ?? true
    }
}

/// An effect that is to be run, or that has died and waits for a person.
package struct OutboxEntry: Hashable, Sendable {
    package var account: AccountID
    package var revision: Revision
    /// From 0, the effect's place among those of its action.
    package var ordinal: Int
    /// The effect's `kind`.
    package var kind: String
    /// Within its account, an entry replaces an earlier one with the same key; nil never replaces.
    package var key: String?
    /// Not to be run before.
    package var due: Milliseconds
    /// The effect's canonical JSON.
    package var payload: [UInt8]
    /// Attempts made so far.
    package var attempt: Int
    /// Why it is not tried any more; nil while it is.
    package var deadReason: String?
    /// The trace context of the request whose action asked for it, in the form of `LogEntry.trace`. Not stored: it is the log entry's.
    package var trace: [UInt8]?

    package init(
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
    package var place: DuePlace { DuePlace(due: due, id: id) }

    /// In place of the number of attempts: a person has dropped the entry, and what is left is to report it.
    package static let droppedAttempt = Int(Int32.max)

    package var id: OutboxID { OutboxID(account: account, revision: revision, ordinal: ordinal) }
}
