internal import Redux
internal import SQLite

extension ReadConnection {
    /// Reads rows whose sum is in their last column, and refuses all of them where one is not what was stored.
    ///
    /// The fault is one of SQLite's kind, so that it sets apart the account whose rows were asked for, as a broken page would.
    private func checked<Record>(
        _ statement: Statement, _ what: String, sum column: Int32, _ read: (borrowing Row) -> Record?,
        sumOf: (inout Chain, Record) -> Digest
    ) throws(SQLiteError) -> [Record] {
        var records: [Record] = []
        var isDamaged = false
        try statement.forEach { row in
            guard let record = read(row) else { return true }
            if let stored = row.optionalBytes(column), Digest(stored: stored) != sumOf(&chain, record) {
                isDamaged = true
                return false
            }
            records.append(record)
            return true
        }
        guard !isDamaged else {
            throw SQLiteError(extended: 11, message: "\(what) is not what was stored", operation: "read")
        }
        return records
    }

    /// Accounts as a bound statement finds them.
    func accounts(_ statement: Statement) throws(SQLiteError) -> [AccountRecord] {
        try checked(statement, "the account's own row", sum: 6, { AccountRecord($0) }, sumOf: { $0.sum(of: $1) })
    }

    /// The account's sessions, ascending by id.
    func sessions(of id: AccountID) throws(SQLiteError) -> [SessionRecord] {
        try sessions.bind(1, id.rawValue)
        return try checked(sessions, "a session", sum: 4, { SessionRecord($0, of: id) }, sumOf: { $0.sum(of: $1) })
    }

    /// The account's answers under idempotency keys, none older than an instant.
    func answers(of id: AccountID, since: Milliseconds) throws(SQLiteError) -> [IdempotencyRecord] {
        try answers.bind(1, id.rawValue)
        try answers.bind(2, since)
        return try checked(
            answers, "an answer under an idempotency key", sum: 6, { IdempotencyRecord($0, of: id) }, sumOf: { $0.sum(of: $1) })
    }

    /// Effects as a bound statement finds them.
    func effects(_ statement: Statement) throws(SQLiteError) -> [OutboxEntry] {
        var entries = try checked(statement, "an effect", sum: 9, { OutboxEntry($0) }, sumOf: { $0.sum(of: $1) })
        try completeTraces(of: &entries)
        return entries
    }

    /// Adds the trace contexts that the log's index did not find.
    func completeTraces(of entries: inout [OutboxEntry]) throws(SQLiteError) {
        for index in entries.indices where entries[index].trace == nil {
            entries[index].trace = try trace(of: entries[index].account, at: entries[index].revision)
        }
    }

    /// Effects that are due, whichever account's: one that is damaged is not run, and is no other account's trouble.
    func soundEffects(_ statement: Statement) throws(SQLiteError) -> [OutboxEntry] {
        var entries: [OutboxEntry] = []
        try statement.forEach { row in
            guard let entry = OutboxEntry(row) else { return true }
            if let stored = row.optionalBytes(9), Digest(stored: stored) != chain.sum(of: entry) { return true }
            entries.append(entry)
            return true
        }
        try completeTraces(of: &entries)
        return entries
    }

    /// Postponed items of an account as a bound statement finds them.
    func postponed(_ statement: Statement, of id: AccountID) throws(SQLiteError) -> [PostponedRecord] {
        try checked(
            statement, "a postponed action", sum: 4, { PostponedRecord($0, of: id) }, sumOf: { $0.sum(of: $1) })
    }
}

extension Inspector {
    /// What is wrong with an account's rows beside its log.
    func checkRows(of id: AccountID) throws(StorageFault) -> [Finding] {
        let reader = reader
        var findings: [Finding] = []
        func note<Value>(_ result: Result<Value, StorageFault>) throws(StorageFault) {
            switch result {
            case .success: break
            case .failure(.damaged(_, _, let reason)): findings.append(Finding(account: id, revision: nil, reason: reason))
            case .failure(let fault): throw fault
            }
        }
        try note(reader.plain(of: id) { () throws(SQLiteError) in try reader.record(of: id) })
        try note(reader.plain(of: id) { () throws(SQLiteError) in try reader.sessions(of: id) })
        try note(reader.plain(of: id) { () throws(SQLiteError) in try reader.answers(of: id, since: 0) })
        try note(reader.outbox(of: id))
        try note(reader.postponed(of: id, tag: nil))
        return findings
    }
}
