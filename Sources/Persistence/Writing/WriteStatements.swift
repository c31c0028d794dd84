internal import SQLite

/// Every statement the writer runs, prepared once.
final class WriteStatements {
    let transaction: TransactionStatements
    let savepoint: Statement
    let release: Statement
    let rollbackTo: Statement
    let putMeta: Statement

    let insertAccount: Statement
    let updateAccount: Statement
    let accountExists: Statement
    /// One per table beside the log, each taking the account's id.
    let erase: [Statement]

    let insertSession: Statement
    let updateSession: Statement
    let deleteSession: Statement

    let insertLog: Statement
    let entryAt: Statement
    let deleteEntry: Statement
    let insertIndex: Statement
    /// For an entry that may have been trimmed or erased meanwhile: it stays away then.
    let insertIndexIfKept: Statement
    let lastIndexed: Statement
    let indexedSequence: Statement
    let trimIndexedLog: Statement
    let trimIndex: Statement
    let newestBase: Statement
    let putSnapshot: Statement
    let pruneSnapshots: Statement
    let olderSnapshots: Statement
    let snapshotAt: Statement
    let forgetSnapshots: Statement

    let insertEffect: Statement
    let deleteEffect: Statement
    let deleteEffectByKey: Statement
    let rescheduleEffect: Statement
    let buryEffect: Statement

    let insertAnswer: Statement
    let deleteAnswer: Statement
    let forgetAnswers: Statement

    let insertPostponed: Statement
    let deletePostponed: Statement

    init(_ connection: Connection) throws(SQLiteError) {
        func prepare(_ sql: String) throws(SQLiteError) -> Statement { try Statement(connection, sql) }
        transaction = try TransactionStatements(connection)
        savepoint = try prepare("SAVEPOINT submission")
        release = try prepare("RELEASE submission")
        rollbackTo = try prepare("ROLLBACK TO submission")
        putMeta = try prepare("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)")

        insertAccount = try prepare(
            "INSERT INTO account (id, created, epoch_part, email, password_hash, profile, sum) VALUES (?, ?, ?, ?, ?, ?, ?)")
        updateAccount = try prepare("UPDATE account SET email = ?2, password_hash = ?3, profile = ?4, sum = ?5 WHERE id = ?1")
        accountExists = try prepare("SELECT 1 FROM account WHERE id = ?")
        var erasing: [Statement] = []
        for table in ["snapshot", "outbox", "session", "idempotency", "postponed"] {
            erasing.append(try prepare("DELETE FROM \(table) WHERE account = ?"))
        }
        erasing.append(try prepare("DELETE FROM account WHERE id = ?"))
        erase = erasing

        insertSession = try prepare(
            "INSERT INTO session (id, account, token_hash, created, expires, sum) VALUES (?, ?, ?, ?, ?, ?)")
        updateSession = try prepare(
            "UPDATE session SET token_hash = ?3, expires = ?4, created = ?5, sum = ?6 WHERE id = ?1 AND account = ?2")
        deleteSession = try prepare("DELETE FROM session WHERE id = ? AND account = ?")

        insertLog = try prepare(
            """
            INSERT INTO log (seq, account, revision, at, id_high, id_low, name, version, cause, flags, payload, facts, trace, chain,
            place_sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        entryAt = try prepare("SELECT revision, chain, at FROM log WHERE seq = ?")
        deleteEntry = try prepare("DELETE FROM log WHERE seq = ?")
        insertIndex = try prepare(RecentLog.insertIndex)
        insertIndexIfKept = try prepare(
            "INSERT OR IGNORE INTO log_index (account, revision, seq) SELECT ?1, ?2, seq FROM log WHERE seq = ?3")
        lastIndexed = try prepare("SELECT seq FROM log_index WHERE account = ? ORDER BY revision DESC LIMIT 1")
        indexedSequence = try prepare("SELECT seq FROM log_index WHERE account = ? AND revision = ?")
        trimIndexedLog = try prepare(
            "DELETE FROM log WHERE seq IN (SELECT seq FROM log_index WHERE account = ? AND revision <= ?)")
        trimIndex = try prepare("DELETE FROM log_index WHERE account = ? AND revision <= ?")
        newestBase = try prepare(
            "SELECT revision, chain FROM snapshot WHERE account = ? AND is_base = 1 ORDER BY revision DESC LIMIT 1")
        putSnapshot = try prepare(
            """
            INSERT OR REPLACE INTO snapshot (account, revision, is_base, reducer_version, schema, state, chain, hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """)
        pruneSnapshots = try prepare(
            """
            DELETE FROM snapshot WHERE account = ?1 AND is_base = 0 AND revision IN
            (SELECT revision FROM snapshot WHERE account = ?1 ORDER BY revision DESC LIMIT 8 OFFSET 2)
            AND (revision < ?2 OR EXISTS (SELECT 1 FROM snapshot AS earlier WHERE earlier.account = ?1
            AND earlier.revision >= snapshot.revision / ?2 * ?2 AND earlier.revision < snapshot.revision))
            """)

        olderSnapshots = try prepare(
            "SELECT revision FROM snapshot WHERE account = ? AND revision < ? ORDER BY revision DESC")
        snapshotAt = try prepare(
            """
            SELECT revision, is_base, reducer_version, schema, state, chain, hash FROM snapshot WHERE account = ? AND revision = ?
            """)
        forgetSnapshots = try prepare("DELETE FROM snapshot WHERE account = ? AND revision < ?")

        insertEffect = try prepare(
            """
            INSERT INTO outbox (account, revision, ordinal, kind, key, due, attempt, dead, payload, sum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        deleteEffect = try prepare("DELETE FROM outbox WHERE account = ? AND revision = ? AND ordinal = ?")
        deleteEffectByKey = try prepare("DELETE FROM outbox WHERE account = ? AND key = ?")
        rescheduleEffect = try prepare(
            "UPDATE outbox SET due = ?4, attempt = ?5, dead = NULL WHERE account = ?1 AND revision = ?2 AND ordinal = ?3")
        buryEffect = try prepare("UPDATE outbox SET dead = ?4 WHERE account = ?1 AND revision = ?2 AND ordinal = ?3")

        // An answer past its time may still be there: it gives way.
        insertAnswer = try prepare(
            """
            INSERT INTO idempotency (account, key, at, fingerprint, status, head, body, sum)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?9)
            ON CONFLICT (account, key) DO UPDATE SET at = excluded.at, fingerprint = excluded.fingerprint,
            status = excluded.status, head = excluded.head, body = excluded.body, sum = excluded.sum WHERE idempotency.at <= ?8
            """)
        deleteAnswer = try prepare("DELETE FROM idempotency WHERE account = ? AND key = ?")
        forgetAnswers = try prepare(
            "DELETE FROM idempotency WHERE rowid IN (SELECT rowid FROM idempotency WHERE at < ? ORDER BY at LIMIT ?)")

        insertPostponed = try prepare("INSERT INTO postponed (id, account, tag, at, body, sum) VALUES (?, ?, ?, ?, ?, ?)")
        deletePostponed = try prepare("DELETE FROM postponed WHERE id = ? AND account = ?")
    }
}
