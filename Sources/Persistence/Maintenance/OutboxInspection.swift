internal import Redux
internal import SQLite

extension Inspector {
    /// Outbox entries of all accounts in order of `OutboxID`, dead ones included, at most `limit` of those after one.
    public func outbox(after id: OutboxID?, limit: Int) throws(StorageFault) -> [OutboxEntry] {
        let reader = reader
        return try reader.plain { () throws(SQLiteError) in
            let statement = try Statement(
                reader.connection,
                """
                SELECT \(OutboxEntry.columns(sum: "NULL", index: reader.recent == nil ? "log" : ReadConnection.indexTable)) FROM outbox
                WHERE (account, revision, ordinal) > (?, ?, ?) ORDER BY account, revision, ordinal LIMIT ?
                """)
            try statement.bind(1, id?.account.rawValue ?? 0)
            try statement.bind(2, id?.revision ?? 0)
            try statement.bind(3, Int64(id?.ordinal ?? 0))
            try statement.bind(4, Int64(limit))
            var entries = try statement.all { row in OutboxEntry(row) }.compactMap { $0 }
            try reader.completeTraces(of: &entries)
            return entries
        }.get()
    }
}

extension OutboxID {
    /// Reads `ACCOUNT.REVISION.ORDINAL`, as `description` writes it; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let number = Int64(parts[0]), let account = AccountID(rawValue: number),
            let revision = Revision(parts[1]), let ordinal = Int(parts[2]), revision > 0, ordinal >= 0
        else { return nil }
        self.init(account: account, revision: revision, ordinal: ordinal)
    }
}
