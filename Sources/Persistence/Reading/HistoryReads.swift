internal import Redux
internal import SQLite

extension ReadConnection {
    /// Rows one read looks at, at most, so that no read transaction lasts long.
    static let rowsPerReadMax = 20_000

    /// A page of a log, with `after < revision < before`.
    func entries(
        of id: AccountID, after: Revision, before: Revision, name: String?, limit: Int
    ) -> Result<LogPage, StorageFault> {
        atOneInstant(of: id) { () throws(ReadFault) in
            let bounds = try bounds(of: id)
            var page = LogPage(entries: [], oldest: bounds?.oldest, newest: bounds?.newest ?? 0, through: max(0, after))
            guard let bounds, limit > 0, after < bounds.newest else { return page }
            let last = max(after, bounds.oldest - 1)
            var head = try knownHead(of: id, before: last)
            var fault: ReadFault?
            try forEachEntry(of: id, from: last + 1, limit: Self.rowsPerReadMax) { stored in
                guard stored.entry.revision < before else { return false }
                if head == nil {
                    // The first of a trimmed log: what came before is gone, and its own value has to be believed.
                    head = stored.chain.map { Head(revision: stored.entry.revision, chain: $0) }
                } else {
                    fault = follow(&head!, stored)
                }
                guard fault == nil else { return false }
                page.through = stored.entry.revision
                if name == nil || stored.entry.name == name { page.entries.append(stored.entry) }
                return page.entries.count < limit
            }
            if let fault { throw fault }
            return page
        }
    }

    /// The head at a revision, from the entry or the snapshot there; nil where neither is kept.
    private func knownHead(of id: AccountID, before revision: Revision) throws(ReadFault) -> Head? {
        if revision <= 0 { return Head(revision: 0, chain: chain.seed(of: id)) }
        var entry: LogRow?
        try forEachEntry(of: id, from: revision, limit: 1) { row in
            entry = row
            return false
        }
        if let entry, entry.entry.revision == revision { return entry.chain.map { Head(revision: revision, chain: $0) } }
        let value = try sqlite { () throws(SQLiteError) -> Digest? in
            try snapshots.bind(1, id.rawValue)
            try snapshots.bind(2, revision)
            guard let stored = try snapshots.first({ row in SnapshotRow(row, of: id) }), stored.record.revision == revision else {
                return nil
            }
            return stored.verifiedChain(&chain)
        }
        return value.map { Head(revision: revision, chain: $0) }
    }

    /// The newest undamaged snapshot at or before a revision.
    func snapshot(of id: AccountID, atOrBefore revision: Revision) -> Result<SnapshotRecord?, StorageFault> {
        atOneInstant(of: id) { () throws(ReadFault) in
            var found: SnapshotRecord?
            try sqlite { () throws(SQLiteError) in
                try snapshots.bind(1, id.rawValue)
                try snapshots.bind(2, revision)
                try snapshots.forEach { row in
                    let stored = SnapshotRow(row, of: id)
                    guard stored.verifiedChain(&chain) != nil else { return true }
                    found = stored.record
                    return false
                }
            }
            return found
        }
    }

    /// Effects that are due, in order.
    func dueEffects(after place: DuePlace, upTo instant: Milliseconds, limit: Int) -> Result<[OutboxEntry], StorageFault> {
        plain { () throws(SQLiteError) in
            try due.bind(1, instant)
            try due.bind(2, Int64(limit))
            try due.bind(3, place.due)
            try due.bind(4, place.id?.account.rawValue ?? 0)
            try due.bind(5, place.id?.revision ?? 0)
            try due.bind(6, Int64(place.id?.ordinal ?? 0))
            return try soundEffects(due)
        }
    }

    /// When the next effect after an instant is due.
    func nextDue(after instant: Milliseconds) -> Result<Milliseconds?, StorageFault> {
        plain { () throws(SQLiteError) in
            try nextDue.bind(1, instant)
            return try nextDue.first { row in row.integer(0) }
        }
    }

    /// An account's outbox.
    func outbox(of id: AccountID) -> Result<[OutboxEntry], StorageFault> {
        plain(of: id) { () throws(SQLiteError) in
            try outbox.bind(1, id.rawValue)
            return try effects(outbox)
        }
    }

    /// An account's postponed items.
    func postponed(of id: AccountID, tag: String?) -> Result<[PostponedRecord], StorageFault> {
        plain(of: id) { () throws(SQLiteError) in
            try postponed.bind(1, id.rawValue)
            try postponed.bind(2, tag)
            return try postponed(postponed, of: id)
        }
    }

    /// The account with an email address.
    func account(withEmail email: String) -> Result<AccountRecord?, StorageFault> {
        plain { () throws(SQLiteError) in
            try accountByEmail.bind(1, email)
            return try accounts(accountByEmail).first
        }
    }

    /// Accounts whose sessions have ended by themselves, each once.
    func accountsWithExpiredSessions(upTo instant: Milliseconds, limit: Int) -> Result<[AccountID], StorageFault> {
        plain { () throws(SQLiteError) in
            try expiredSessions.bind(1, instant)
            try expiredSessions.bind(2, Int64(limit))
            var seen: Set<Int64> = []
            return try expiredSessions.all { row in row.integer(0) }
                .compactMap { seen.insert($0).inserted ? AccountID(rawValue: $0) : nil }
        }
    }

    /// Accounts after one.
    func accounts(after id: Int64, limit: Int) -> Result<[AccountRecord], StorageFault> {
        plain { () throws(SQLiteError) in
            try accountsAfter.bind(1, id)
            try accountsAfter.bind(2, Int64(limit))
            return try accountsAfter.all { row in AccountRecord(row) }.compactMap { $0 }
        }
    }

    /// What an account takes.
    func accountSizes(of id: AccountID) -> Result<AccountSizes?, StorageFault> {
        atOneInstant(of: id) { () throws(ReadFault) in
            let log = try logSize(of: id)
            return try sqlite { () throws(SQLiteError) in
                guard try record(of: id) != nil else { return nil }
                var found: [(count: Int, bytes: Int)] = []
                for statement in sizes {
                    try statement.bind(1, id.rawValue)
                    found.append(try statement.first { row in (Int(row.integer(0)), Int(row.integer(1))) } ?? (0, 0))
                }
                return AccountSizes(
                    logEntries: log.entries, logBytes: log.bytes, snapshots: found[0].count, snapshotBytes: found[0].bytes,
                    outbox: found[1].count, outboxDead: found[1].bytes, sessions: found[2].count, idempotency: found[3].count,
                    postponed: found[4].count)
            }
        }
    }

    /// Reads for which no fault but SQLite's can be.
    func plain<Value>(of id: AccountID? = nil, _ body: () throws(SQLiteError) -> Value) -> Result<Value, StorageFault> {
        atOneInstant(of: id) { () throws(ReadFault) in try sqlite(body) }
    }
}
