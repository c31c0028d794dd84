internal import Redux
internal import SQLite

/// A read-only connection and every statement run on it, prepared once.
final class ReadConnection {
    let connection: Connection
    let transaction: TransactionStatements
    let account: Statement
    let accountByEmail: Statement
    let accountsAfter: Statement
    let accountIDsAfter: Statement
    let sessions: Statement
    let expiredSessions: Statement
    let newestBase: Statement
    let baseAtOrBefore: Statement
    let snapshots: Statement
    let snapshotsAfter: Statement
    let instantNow: Statement?
    let indexedEntries: Statement
    let indexedBounds: Statement
    let indexedSequence: Statement
    let indexedSize: Statement
    let entryAt: Statement
    let stampAt: Statement
    let sizeAt: Statement
    let traceAt: Statement
    let answers: Statement
    let outboxNames: Statement
    let outbox: Statement
    let due: Statement
    let nextDue: Statement
    let postponedCount: Statement
    let postponed: Statement
    let sizes: [Statement]
    /// Reused by each verification.
    var chain = Chain()

    /// What the log's index may lack; nil where it is always complete.
    let recent: RecentLog?
    /// Whether it is this connection's own, which it keeps up to date itself.
    private let ownsRecent: Bool
    /// How far the own one has been read.
    private var scanned = LogInstant()
    /// What was found wrong on the way.
    private(set) var damage = RecentLog.Damage()
    /// Why the end of the log could not be read: then nothing can be said of any account's.
    private(set) var scanFault: SQLiteError?
    private let schema: Int64
    /// How far the log and its index are in the transaction that is open.
    private(set) var instant = LogInstant()

    /// The table that is the log's index.
    static let indexTable = "log_index"

    /// Reads a database of this schema version: before 2 rows have no sums, before 3 the log's index is SQLite's own and never behind.
    ///
    /// - Parameter recent: what the writer in this process knows of the end of the log; without it the connection reads that end itself.
    init(path: String, schema: Int64 = Schema.version, recent shared: RecentLog? = nil) throws(SQLiteError) {
        let sum = schema >= 2 ? "sum" : "NULL"
        let index = schema >= 3 ? Self.indexTable : "log"
        recent = schema >= 3 ? shared ?? RecentLog(indexedThrough: 0, generationMax: .max) : nil
        ownsRecent = shared == nil
        self.schema = schema
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
        accountIDsAfter = try prepare("SELECT id FROM account WHERE id > ? ORDER BY id LIMIT ?")
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
        instantNow = schema >= 3 ? try LogInstant.statement(connection) : nil
        indexedEntries = try prepare(
            """
            SELECT \(LogRow.columns), entry.revision FROM \(index) AS entry LEFT JOIN log ON log.seq = entry.seq
            WHERE entry.account = ? AND entry.revision >= ? ORDER BY entry.revision LIMIT ?
            """)
        indexedBounds = try prepare(
            """
            SELECT (SELECT revision FROM \(index) WHERE account = ?1 ORDER BY revision LIMIT 1),
            (SELECT revision FROM \(index) WHERE account = ?1 ORDER BY revision DESC LIMIT 1)
            """)
        indexedSequence = try prepare("SELECT seq FROM \(index) WHERE account = ? AND revision = ?")
        let size = "length(log.payload) + ifnull(length(log.facts), 0) + length(log.name)"
        indexedSize = try prepare(
            "SELECT COUNT(*), SUM(\(size)) FROM \(index) AS entry JOIN log ON log.seq = entry.seq WHERE entry.account = ?")
        entryAt = try prepare("SELECT \(LogRow.columns) FROM log WHERE seq = ?")
        stampAt = try prepare("SELECT at FROM log WHERE seq = ?")
        sizeAt = try prepare("SELECT \(size) FROM log WHERE seq = ?")
        traceAt = try prepare("SELECT trace FROM log WHERE seq = ?")
        answers = try prepare(
            "SELECT key, fingerprint, status, head, body, at, \(sum) FROM idempotency WHERE account = ? AND at >= ? ORDER BY at, rowid"
        )
        outboxNames = try prepare("SELECT revision, ordinal, key FROM outbox WHERE account = ?")
        let effect = "SELECT \(OutboxEntry.columns(sum: sum, index: index)) FROM outbox"
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
            try prepare("SELECT COUNT(*), SUM(length(state)) FROM snapshot WHERE account = ?"),
            try prepare("SELECT COUNT(*), COUNT(dead) FROM outbox WHERE account = ?"),
            try prepare("SELECT COUNT(*), 0 FROM session WHERE account = ?"),
            try prepare("SELECT COUNT(*), 0 FROM idempotency WHERE account = ?"),
            try prepare("SELECT COUNT(*), 0 FROM postponed WHERE account = ?"),
        ]
    }

    /// Runs reads that all see one instant; `body` may be run more than once.
    ///
    /// What SQLite says is wrong with a page or a read is the account's trouble where one is concerned, and nobody else's.
    func atOneInstant<Value>(
        of account: AccountID?, _ body: () throws(ReadFault) -> Value
    ) -> Result<Value, StorageFault> {
        for _ in 1...Self.beginningsMax {
            do throws(ReadFault) {
                // Ends the read on every way out: an open one would keep the write-ahead log from starting afresh.
                defer { transaction.abandon() }
                try sqlite { () throws(SQLiteError) in try begin() }
                return .success(try body())
            } catch {
                switch error {
                case .outdated: continue
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
        return .failure(.failed("the log goes on faster than it is read"))
    }

    /// How often a read begins that is overtaken each time by a whole generation of entries.
    private static let beginningsMax = 64

    /// Begins a read, and finds out how far the log is in it.
    private func begin() throws(SQLiteError) {
        try transaction.read()
        guard let instantNow, let recent else {
            // Without the index that its statements count on it would go through the whole log for each account.
            guard try connection.pragma("user_version") == String(schema) else {
                throw SQLiteError(extended: 17, message: "its tables have changed meanwhile; start again", operation: "read")
            }
            return
        }
        instant = try instantNow.first { row in LogInstant(row) } ?? LogInstant()
        guard ownsRecent, instant != scanned else { return }
        if instant.indexedThrough != scanned.indexedThrough {
            recent.restart(indexedThrough: instant.indexedThrough)
            damage = RecentLog.Damage()
            scanFault = nil
            scanned = LogInstant(sequence: instant.indexedThrough, indexedThrough: instant.indexedThrough)
        }
        do throws(SQLiteError) {
            let found = try recent.scan(connection, after: scanned.sequence)
            damage.unplaced += found.unplaced
            damage.corrected += found.corrected
            recent.didCommit(through: instant.sequence)
        } catch {
            recent.removeUncommitted()
            guard error.kind == .corrupt else { throw error }
            // What is no part of the log can be read all the same.
            scanFault = error
        }
        scanned = instant
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
    /// The transaction is older than what is known of the end of the log: it has to begin again.
    case outdated

    static func damaged(_ account: AccountID, _ revision: Revision?, _ reason: String) -> ReadFault {
        .storage(.damaged(account, revision: revision, reason: reason))
    }
}
