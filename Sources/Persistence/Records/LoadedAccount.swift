public import Redux

/// All that brings an account's store into memory, read at one instant and verified.
public struct LoadedAccount: Sendable {
    /// The account's own row.
    public var record: AccountRecord
    /// Ascending by id; ended ones are gone, expired ones are still here.
    public var sessions: [SessionRecord]
    /// The newest undamaged snapshot that is not older than the newest base; nil folds from the initial state.
    public var snapshot: SnapshotRecord?
    /// Every entry after the snapshot's revision, gapless, ascending, each verified by the hash chain.
    public var tail: [LogEntry]
    /// The chain value after the last entry, 16 bytes.
    public var chain: [UInt8]
    /// Ascending by time; none older than the caller asked for.
    public var idempotency: [IdempotencyRecord]
    /// When the newest entry that is kept was stamped; 0 for an empty log.
    public var lastAt: Milliseconds
    /// The effects that wait to be run, dead ones included: their names, and the keys under which they are replaced.
    public var outbox: [(id: OutboxID, key: String?)]
    /// Postponed items that wait.
    public var postponedCount: Int
    /// The sum of the tail's `approximateBytes`.
    public var tailBytes: Int
    /// Revisions of stored snapshots that were found damaged and passed over.
    public var damagedSnapshots: [Revision]
    /// The tail begins with entries that another version of the model accepted.
    public var isTailOfOtherVersion: Bool

    /// The account's newest revision.
    public var head: Revision { tail.last?.revision ?? snapshot?.revision ?? 0 }
}

/// A page of an account's log.
public struct LogPage: Sendable {
    /// Ascending and gapless unless filtered by name; verified by the hash chain.
    public var entries: [LogEntry]
    /// The oldest revision that is still kept; nil for an empty log.
    public var oldest: Revision?
    /// The newest revision at the instant of reading; 0 for an empty log.
    public var newest: Revision
    /// The last revision that was looked at: where a page has room left and this is below `newest`, there may be more after it.
    public var through: Revision
}

/// How much an account takes in the database. Bytes are those of the values, without SQLite's own.
public struct AccountSizes: Hashable, Sendable {
    /// Entries that are kept; those trimmed away do not count.
    public var logEntries: Int
    /// Payloads, facts and names of those entries; trace contexts are not in it.
    public var logBytes: Int
    /// Stored states, bases included.
    public var snapshots: Int
    /// The states alone, as JSON.
    public var snapshotBytes: Int
    /// Effects in the outbox, dead ones included.
    public var outbox: Int
    /// Those of the outbox that are not tried any more.
    public var outboxDead: Int
    /// Sessions that have not been ended; expired ones count until they are cleared away.
    public var sessions: Int
    /// Answers remembered under idempotency keys, until they are cleared away.
    public var idempotency: Int
    /// Items that wait under a tag.
    public var postponed: Int
}
