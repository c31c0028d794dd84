internal import Redux
internal import SQLite

/// A row of the log and the chain value stored with it.
struct LogRow {
    let entry: LogEntry
    /// Nil where it has not the size of one.
    let chain: Digest?

    /// The columns of a log entry, in the order `init` reads them.
    static let columns =
        "log.revision, log.at, log.id_high, log.id_low, log.name, log.version, log.cause, log.flags, log.payload, log.facts, log.trace, log.chain"
    static let columnCount: Int32 = 12

    /// Reads `columns`.
    init(_ row: borrowing Row, of account: AccountID) {
        entry = LogEntry(
            account: account, revision: row.integer(0), at: row.integer(1),
            id: ActionID(high: UInt64(bitPattern: row.integer(2)), low: UInt64(bitPattern: row.integer(3))),
            name: row.text(4) ?? "", version: Int(row.integer(5)), payload: row.bytes(8), facts: row.optionalBytes(9),
            cause: row.optionalInteger(6), flags: LogEntry.Flags(rawValue: UInt8(truncatingIfNeeded: row.integer(7))),
            trace: row.optionalBytes(10))
        chain = Digest(stored: row.bytes(11))
    }
}

/// A row of the snapshots, with what vouches for it.
struct SnapshotRow {
    let record: SnapshotRecord
    let chain: Digest?
    let hash: Digest?

    init(_ row: borrowing Row, of account: AccountID) {
        record = SnapshotRecord(
            account: account, revision: row.integer(0), schema: row.bytes(3), reducerVersion: Int(row.integer(2)),
            state: row.bytes(4),
            isBase: row.integer(1) != 0)
        chain = Digest(stored: row.bytes(5))
        hash = Digest(stored: row.bytes(6))
    }

    /// The chain value at its revision, where the snapshot is what was stored; nil where it is damaged.
    func verifiedChain(_ forms: inout Chain) -> Digest? {
        guard let chain, let hash, forms.hash(of: record, chain: chain) == hash else { return nil }
        return chain
    }
}

extension AccountRecord {
    /// Reads id, created, epoch_part, email, password_hash, profile; nil for an id that cannot be.
    init?(_ row: borrowing Row) {
        guard let id = AccountID(rawValue: row.integer(0)) else { return nil }
        self.init(
            id: id, created: row.integer(1), epochPart: UInt64(bitPattern: row.integer(2)), email: row.text(3),
            passwordHash: row.optionalBytes(4), profile: row.optionalBytes(5))
    }
}

extension SessionRecord {
    /// Reads id, token_hash, created, expires.
    init(_ row: borrowing Row, of account: AccountID) {
        self.init(
            id: row.integer(0), account: account, tokenHash: row.bytes(1), created: row.integer(2),
            expires: row.optionalInteger(3))
    }
}

extension IdempotencyRecord {
    /// Reads key, fingerprint, status, head, body, at.
    init(_ row: borrowing Row, of account: AccountID) {
        self.init(
            account: account, key: row.text(0) ?? "", fingerprint: row.bytes(1), status: Int(row.integer(2)), head: row.bytes(3),
            body: row.bytes(4), at: row.integer(5))
    }
}

extension OutboxEntry {
    /// What `init` reads of a row of the outbox, in its order.
    ///
    /// The trace context is that of the log entry, as far as the index has it.
    ///
    /// - Parameters:
    ///   - sum: the expression for the row's sum.
    ///   - index: the table that is the log's index.
    static func columns(sum: String, index: String = ReadConnection.indexTable) -> String {
        """
        account, revision, ordinal, kind, key, due, payload, attempt, dead, \(sum), (SELECT log.trace FROM \(index) AS entry
        JOIN log ON log.seq = entry.seq WHERE entry.account = outbox.account AND entry.revision = outbox.revision)
        """
    }

    /// Reads `columns`; nil for an account that cannot be.
    init?(_ row: borrowing Row) {
        guard let account = AccountID(rawValue: row.integer(0)) else { return nil }
        self.init(
            account: account, revision: row.integer(1), ordinal: Int(row.integer(2)), kind: row.text(3) ?? "", key: row.text(4),
            due: row.integer(5), payload: row.bytes(6), attempt: Int(row.integer(7)), deadReason: row.text(8),
            trace: row.optionalBytes(10))
    }
}

extension PostponedRecord {
    /// Reads id, tag, at, body.
    init(_ row: borrowing Row, of account: AccountID) {
        self.init(id: row.integer(0), account: account, tag: row.text(1) ?? "", body: row.bytes(3), at: row.integer(2))
    }
}
