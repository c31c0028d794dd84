internal import Redux
internal import SQLite

extension Inspector {
    /// Rows of the log per read transaction.
    private static let rowsMax = 50_000

    /// What is wrong with the file's structure, and rows that belong to no account or that the log's index lacks. Reads the whole file.
    public func checkStructure(limit: Int = 10) throws(StorageFault) -> [Finding] {
        let reader = reader
        var findings = try reader.plain { () throws(SQLiteError) in try reader.connection.quickCheck(limit: limit) }.get()
            .map { Finding(account: nil, revision: nil, reason: $0) }
        if reader.recent != nil { findings += try checkIndex(limit: limit) }
        return try findings + checkLog(limit: limit)
    }

    /// What is wrong with the index as a whole, and with the end of the log that it lacks.
    private func checkIndex(limit: Int) throws(StorageFault) -> [Finding] {
        let reader = reader
        var findings: [Finding] = []
        let orphans = try reader.plain { () throws(SQLiteError) in
            try Statement(
                reader.connection,
                "SELECT DISTINCT account FROM \(ReadConnection.indexTable) WHERE account NOT IN (SELECT id FROM account) LIMIT \(limit)"
            ).all { row in AccountID(rawValue: row.integer(0)) }
        }.get()
        findings += orphans.map { Finding(account: $0, revision: nil, reason: "it is in the log's index, but is not there") }
        if !reader.instant.isSound {
            findings.append(Finding(account: nil, revision: nil, reason: "how far the log's index is, is not what was stored"))
        }
        if let fault = reader.scanFault {
            findings.append(
                Finding(account: nil, revision: nil, reason: "the end of the log cannot be read: \(fault.description)"))
        }
        findings += reader.damage.unplaced.prefix(limit).map { sequence in
            Finding(account: nil, revision: nil, reason: RecentLog.damagedReason(sequence))
        }
        findings += reader.damage.corrected.prefix(limit).map { account, revision in
            Finding(account: account, revision: revision, reason: "what tells whose the log entry is, is not what was stored")
        }
        return findings
    }

    /// Entries that belong to no account, and those that the index should have and has not, in slices.
    private func checkLog(limit: Int) throws(StorageFault) -> [Finding] {
        let reader = reader
        var orphans: [Int64] = []
        var unindexed: [Finding] = []
        var last = Int64.min
        while let end = try reader.plain({ () throws(SQLiteError) in
            let slice = try Statement(
                reader.connection,
                "SELECT MAX(seq) FROM (SELECT seq FROM log WHERE seq > \(last) ORDER BY seq LIMIT \(Self.rowsMax))")
            guard let end = try slice.first({ row in row.optionalInteger(0) }) ?? nil else { return nil as Int64? }
            let range = "seq > \(last) AND seq <= \(end)"
            orphans += try Statement(
                reader.connection, "SELECT DISTINCT account FROM log WHERE \(range) AND account NOT IN (SELECT id FROM account)"
            ).all { row in row.integer(0) }
            if reader.recent != nil {
                unindexed += try Statement(
                    reader.connection,
                    """
                    SELECT account, revision FROM log WHERE \(range) AND seq <= \(reader.instant.indexedThrough)
                    AND NOT EXISTS (SELECT 1 FROM \(ReadConnection.indexTable) AS entry
                    WHERE entry.account = log.account AND entry.revision = log.revision AND entry.seq = log.seq) LIMIT \(limit)
                    """
                ).all { row in
                    let account = AccountID(rawValue: row.integer(0))
                    return Finding(account: account, revision: row.integer(1), reason: "the log's index lacks it")
                }
            }
            return end
        }).get(), orphans.count < limit, unindexed.count < limit { last = end }
        let missing = Set(orphans).sorted().prefix(limit).map { account in
            Finding(account: AccountID(rawValue: account), revision: nil, reason: "it has a log, but is not there")
        }
        return missing + unindexed.prefix(limit)
    }
}
