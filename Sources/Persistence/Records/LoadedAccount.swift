package import Redux

/// All that brings an account's store into memory, read at one instant and verified.
package struct LoadedAccount: Sendable {
    package var record: AccountRecord
    /// Ascending by id; ended ones are gone, expired ones are still here.
    package var sessions: [SessionRecord]
    /// The newest undamaged snapshot that is not older than the newest base; nil folds from the initial state.
    package var snapshot: SnapshotRecord?
    /// Every entry after the snapshot's revision, gapless, ascending, each verified by the hash chain.
    package var tail: [LogEntry]
    /// The chain value after the last entry, 16 bytes.
    package var chain: [UInt8]
    /// Ascending by time; none older than the caller asked for.
    package var idempotency: [IdempotencyRecord]
    /// When the newest entry that is kept was stamped; 0 for an empty log.
    package var lastAt: Milliseconds
    /// Effects that wait to be run, dead ones included.
    package var outboxCount: Int
    /// Postponed items that wait.
    package var postponedCount: Int
    /// The sum of the tail's `approximateBytes`.
    package var tailBytes: Int
    /// Revisions of stored snapshots that were found damaged and passed over.
    package var damagedSnapshots: [Revision]
    /// The tail begins with entries that another version of the model accepted.
    package var isTailOfOtherVersion: Bool

    /// The account's newest revision.
    package var head: Revision { tail.last?.revision ?? snapshot?.revision ?? 0 }
}

/// A page of an account's log.
package struct LogPage: Sendable {
    /// Ascending and gapless unless filtered by name; verified by the hash chain.
    package var entries: [LogEntry]
    /// The oldest revision that is still kept; nil for an empty log.
    package var oldest: Revision?
    /// The newest revision at the instant of reading; 0 for an empty log.
    package var newest: Revision
    /// The last revision that was looked at: where a page has room left and this is below `newest`, there may be more after it.
    package var through: Revision
}

/// How much an account takes in the database. Bytes are those of the values, without SQLite's own.
package struct AccountSizes: Hashable, Sendable {
    package var logEntries: Int
    package var logBytes: Int
    package var snapshots: Int
    package var snapshotBytes: Int
    package var outbox: Int
    /// Those of the outbox that are not tried any more.
    package var outboxDead: Int
    package var sessions: Int
    package var idempotency: Int
    package var postponed: Int
}
