public import Redux
internal import SQLite

/// How much of an account's log is kept at least: an entry goes only where every bound that is set lets it.
public struct LogRetention: Hashable, Sendable {
    /// Entries that are kept; nil sets no bound.
    public var actionsMin: Revision?
    /// Entries stamped then or later are kept; nil sets no bound.
    public var before: Milliseconds?

    /// With neither bound set, everything is kept.
    public init(actionsMin: Revision? = nil, before: Milliseconds? = nil) {
        self.actionsMin = actionsMin
        self.before = before
    }

    /// Whether all up to an entry may go. Stamps never go back, so what holds for an entry holds for those before it.
    func lets(go revision: Revision, at: Milliseconds, head: Revision) -> Bool {
        if let actionsMin, head - revision < actionsMin { return false }
        if let before, at >= before { return false }
        return actionsMin != nil || before != nil
    }
}

extension Applier {
    /// Makes the newest stored state that is old enough the base of what is kept, and forgets everything before it.
    ///
    /// Only what such a state covers goes, and never the newest entry, whose stamp the next one must not fall behind. A state that is not
    /// what was stored covers nothing: then an older one does, or nothing goes.
    func retain(_ account: AccountID, _ retention: LogRetention) throws(WriteFault) {
        let head = try head(of: account)
        try sqlite { () throws(SQLiteError) in
            try statements.olderSnapshots.bind(1, account.rawValue)
            try statements.olderSnapshots.bind(2, head.revision)
            for revision in try statements.olderSnapshots.all({ row in row.integer(0) }) {
                guard let entry = try entry(of: account, at: revision),
                    retention.lets(go: revision, at: entry.at, head: head.revision), try makeBase(account, at: revision)
                else { continue }
                mustStoreProgress = true
                try deleteEntries(of: account, through: revision)
                return try run(statements.forgetSnapshots, account.rawValue, revision)
            }
        }
    }

    /// Makes a stored state a base; false where it is damaged, or not of the log that leads to it.
    private func makeBase(_ account: AccountID, at revision: Revision) throws(SQLiteError) -> Bool {
        try statements.snapshotAt.bind(1, account.rawValue)
        try statements.snapshotAt.bind(2, revision)
        guard let stored = try statements.snapshotAt.first({ row in SnapshotRow(row, of: account) }) else { return false }
        guard let value = try entry(of: account, at: revision)?.chain, stored.verifiedChain(&chain) == value else { return false }
        guard !stored.record.isBase else { return true }
        var base = stored.record
        base.isBase = true
        try insert(base, chain: value)
        return true
    }
}
