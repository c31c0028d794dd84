internal import Redux
internal import SQLite

extension ReadConnection {
    /// Everything a store needs, verified; nil where there is no such account.
    func load(
        _ id: AccountID, idempotencySince: Milliseconds, otherVersionThrough boundary: Int64 = 0
    ) -> Result<LoadedAccount?, StorageFault> {
        atOneInstant(of: id) { () throws(ReadFault) in
            guard let record = try sqlite({ () throws(SQLiteError) in try self.record(of: id) }) else { return nil }
            let start = try self.start(of: id)
            let (tail, chain) = try tail(of: id, after: start.head)
            let lastAt = if let last = tail.last { last.at } else { try newestAt(of: id) }
            let isTailOfOtherVersion = try isOfOtherVersion(tail.first, through: boundary)
            return try sqlite { () throws(SQLiteError) in
                LoadedAccount(
                    record: record, sessions: try sessions(of: id), snapshot: start.snapshot, tail: tail, chain: chain.bytes,
                    idempotency: try answers(of: id, since: idempotencySince),
                    lastAt: lastAt, outbox: try outboxNames(of: id),
                    postponedCount: try count(postponedCount, id), tailBytes: tail.reduce(0) { $0 + $1.approximateBytes },
                    damagedSnapshots: start.damaged, isTailOfOtherVersion: isTailOfOtherVersion)
            }
        }
    }

    /// The account's own row.
    func record(of id: AccountID) throws(SQLiteError) -> AccountRecord? {
        try account.bind(1, id.rawValue)
        return try accounts(account).first
    }

    /// Whether an entry is one of those up to a sequence number that another version of the model wrote.
    private func isOfOtherVersion(_ entry: LogEntry?, through boundary: Int64) throws(ReadFault) -> Bool {
        // Nobody asks in a database that only ever had one version.
        guard let entry, boundary > 0, let sequence = try sequence(of: entry.account, at: entry.revision) else { return false }
        return sequence <= boundary
    }

    /// What waits in the account's outbox, by name: its effects are not read, so that a damaged one is no reason against the account.
    private func outboxNames(of id: AccountID) throws(SQLiteError) -> [(id: OutboxID, key: String?)] {
        try outboxNames.bind(1, id.rawValue)
        return try outboxNames.all { row in
            (OutboxID(account: id, revision: row.integer(0), ordinal: Int(row.integer(1))), row.text(2))
        }
    }

    private func count(_ statement: Statement, _ id: AccountID) throws(SQLiteError) -> Int {
        try statement.bind(1, id.rawValue)
        return Int(try statement.first { row in row.integer(0) } ?? 0)
    }

    // MARK: Where folding starts

    /// A snapshot to fold from, or the initial state.
    struct Start {
        var snapshot: SnapshotRecord?
        var head: Head
        var damaged: [Revision] = []
    }

    /// The newest undamaged snapshot, but none older than the newest base: what lies before that is not the history of what follows.
    func start(of id: AccountID) throws(ReadFault) -> Start {
        var start = Start(snapshot: nil, head: Head(revision: 0, chain: chain.seed(of: id)))
        let base = try sqlite { () throws(SQLiteError) in
            try newestBase.bind(1, id.rawValue)
            return try newestBase.first { row in row.optionalInteger(0) } ?? nil
        }
        try sqlite { () throws(SQLiteError) in
            try snapshots.bind(1, id.rawValue)
            try snapshots.bind(2, Int64.max)
            try snapshots.forEach { row in
                let stored = SnapshotRow(row, of: id)
                guard stored.record.revision >= base ?? 0 else { return false }
                guard let value = stored.verifiedChain(&chain) else {
                    start.damaged.append(stored.record.revision)
                    return true
                }
                start.snapshot = stored.record
                start.head = Head(revision: stored.record.revision, chain: value)
                return false
            }
        }
        if let base, start.snapshot == nil {
            throw .damaged(id, base, "its base snapshot is not what was stored")
        }
        return start
    }

    /// Every entry after a head, gapless, each vouched for by the chain; and the chain's value after the last.
    func tail(of id: AccountID, after head: Head) throws(ReadFault) -> (entries: [LogEntry], chain: Digest) {
        var entries: [LogEntry] = []
        var head = head
        var fault: ReadFault?
        try forEachEntry(of: id, from: head.revision + 1) { row in
            fault = follow(&head, row)
            entries.append(row.entry)
            return fault == nil
        }
        if let fault { throw fault }
        return (entries, head.chain)
    }

    /// Moves a head on by one entry; the fault where the entry does not follow, or is not what was stored.
    func follow(_ head: inout Head, _ row: LogRow) -> ReadFault? {
        let expected = head.revision + 1
        let account = row.entry.account
        guard row.entry.revision == expected else {
            return .damaged(account, expected, "the log goes on with revision \(row.entry.revision)")
        }
        let value = chain.value(after: head.chain, row.entry)
        guard value == row.chain else { return .damaged(account, expected, "the log entry is not what was stored") }
        head = Head(revision: expected, chain: value)
        return nil
    }
}
