internal import Redux
internal import SQLite

/// A read-only connection and every statement run on it, prepared once.
final class ReadConnection {
    let connection: Connection
    let transaction: TransactionStatements
    let account: Statement
    let accountByEmail: Statement
    let accountsAfter: Statement
    let sessions: Statement
    let expiredSessions: Statement
    let newestBase: Statement
    let baseAtOrBefore: Statement
    let snapshots: Statement
    let snapshotsAfter: Statement
    let newestAt: Statement
    let entriesAfter: Statement
    let entriesFrom: Statement
    let logBounds: Statement
    let answers: Statement
    let outboxCount: Statement
    let outbox: Statement
    let due: Statement
    let nextDue: Statement
    let postponedCount: Statement
    let postponed: Statement
    let sizes: [Statement]
    /// Reused by each verification.
    var chain = Chain()

    /// The columns of a log entry, in the order `LogRow` reads them.
    static let logColumns = "revision, at, id_high, id_low, name, version, cause, flags, payload, facts, trace, chain"

    /// Reads a database of this schema version; an older one has no sums yet.
    init(path: String, schema: Int64 = Schema.version) throws(SQLiteError) {
        let sum = schema >= 2 ? "sum" : "NULL"
        let connection = try Connection(path: path, access: .readOnly)
        try connection.setUpAsReader()
        self.connection = connection
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(connection, sql) }
        transaction = try TransactionStatements(connection)
        account = try prepare("SELECT id, created, epoch_part, email, password_hash, profile, \(sum) FROM account WHERE id = ?")
        accountByEmail = try prepare(
            "SELECT id, created, epoch_part, email, password_hash, profile, \(sum) FROM account WHERE email = ?")
        accountsAfter = try prepare(
            "SELECT id, created, epoch_part, email, password_hash, profile FROM account WHERE id > ? ORDER BY id LIMIT ?")
        sessions = try prepare("SELECT id, token_hash, created, expires, \(sum) FROM session WHERE account = ? ORDER BY id")
        expiredSessions = try prepare(
            "SELECT account FROM session WHERE expires IS NOT NULL AND expires <= ? ORDER BY expires LIMIT ?")
        newestBase = try prepare("SELECT MAX(revision) FROM snapshot WHERE account = ? AND is_base = 1")
        snapshots = try prepare(
            """
            SELECT revision, is_base, reducer_version, schema, state, chain, hash FROM snapshot
            WHERE account = ? AND revision <= ? ORDER BY revision DESC
            """)
        baseAtOrBefore = try prepare("SELECT MAX(revision) FROM snapshot WHERE account = ? AND is_base = 1 AND revision <= ?")
        snapshotsAfter = try prepare(
            """
            SELECT revision, is_base, reducer_version, schema, state, chain, hash FROM snapshot
            WHERE account = ? AND revision > ? ORDER BY revision
            """)
        newestAt = try prepare("SELECT at FROM log WHERE account = ? ORDER BY revision DESC LIMIT 1")
        entriesAfter = try prepare("SELECT \(Self.logColumns) FROM log WHERE account = ? AND revision > ? ORDER BY revision")
        entriesFrom = try prepare(
            "SELECT \(Self.logColumns) FROM log WHERE account = ? AND revision >= ? ORDER BY revision LIMIT ?")
        logBounds = try prepare(
            """
            SELECT (SELECT revision FROM log WHERE account = ?1 ORDER BY revision LIMIT 1),
            (SELECT revision FROM log WHERE account = ?1 ORDER BY revision DESC LIMIT 1)
            """)
        answers = try prepare(
            "SELECT key, fingerprint, status, head, body, at, \(sum) FROM idempotency WHERE account = ? AND at >= ? ORDER BY at, rowid"
        )
        outboxCount = try prepare("SELECT COUNT(*) FROM outbox WHERE account = ?")
        let effect = "SELECT \(OutboxEntry.columns(sum: sum)) FROM outbox"
        outbox = try prepare("\(effect) WHERE account = ? ORDER BY revision, ordinal")
        due = try prepare(
            """
            \(effect) WHERE dead IS NULL AND due <= ?1 AND (due, account, revision, ordinal) > (?3, ?4, ?5, ?6)
            ORDER BY due, account, revision, ordinal LIMIT ?2
            """)
        nextDue = try prepare("SELECT due FROM outbox WHERE dead IS NULL AND due > ? ORDER BY due LIMIT 1")
        postponedCount = try prepare("SELECT COUNT(*) FROM postponed WHERE account = ?")
        postponed = try prepare(
            "SELECT id, tag, at, body, \(sum) FROM postponed WHERE account = ?1 AND (?2 IS NULL OR tag = ?2) ORDER BY id")
        sizes = [
            try prepare(
                "SELECT COUNT(*), SUM(length(payload) + ifnull(length(facts), 0) + length(name)) FROM log WHERE account = ?"),
            try prepare("SELECT COUNT(*), SUM(length(state)) FROM snapshot WHERE account = ?"),
            try prepare("SELECT COUNT(*), COUNT(dead) FROM outbox WHERE account = ?"),
            try prepare("SELECT COUNT(*), 0 FROM session WHERE account = ?"),
            try prepare("SELECT COUNT(*), 0 FROM idempotency WHERE account = ?"),
            try prepare("SELECT COUNT(*), 0 FROM postponed WHERE account = ?"),
        ]
    }

    /// Runs reads that all see one instant.
    ///
    /// What SQLite says is wrong with a page or a read is the account's trouble where one is concerned, and nobody else's.
    func atOneInstant<Value>(
        of account: AccountID?, _ body: () throws(ReadFault) -> Value
    ) -> Result<Value, StorageFault> {
        do throws(ReadFault) {
            try sqlite { () throws(SQLiteError) in try transaction.read() }
            // Ends the read on every way out: an open one would keep the write-ahead log from starting afresh.
            defer { transaction.abandon() }
            return .success(try body())
        } catch {
            switch error {
            case .storage(let fault): return .failure(fault)
            case .sqlite(let error):
                switch error.kind {
                case .corrupt, .ioError, .notADatabase:
                    guard let account else { return .failure(.failed(error.description)) }
                    return .failure(.damaged(account, revision: nil, reason: error.description))
                default: return .failure(.failed(error.description))
                }
            }
        }
    }

    /// Runs SQLite calls where other faults are thrown, too.
    func sqlite<Value>(_ body: () throws(SQLiteError) -> Value) throws(ReadFault) -> Value {
        do throws(SQLiteError) { return try body() } catch { throw .sqlite(error) }
    }
}

/// What can go wrong in the middle of a read.
enum ReadFault: Error {
    case sqlite(SQLiteError)
    case storage(StorageFault)

    static func damaged(_ account: AccountID, _ revision: Revision?, _ reason: String) -> ReadFault {
        .storage(.damaged(account, revision: revision, reason: reason))
    }
}
