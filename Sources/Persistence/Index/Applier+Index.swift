internal import Redux
internal import SQLite

// An account's part of the log as the open transaction has it: the index, and what it does not have yet.

extension Applier {
    /// What is asked of a stored entry.
    struct StoredEntry {
        var revision: Revision
        /// Nil where it has not the size of one.
        var chain: Digest?
        var at: Milliseconds
    }

    /// The account's newest entry; nil for an empty log.
    func lastEntry(of account: AccountID) throws(SQLiteError) -> StoredEntry? {
        // One that is not there was trimmed, with all before it.
        if let last = recent.last(of: account), let entry = try entry(last.sequence) { return entry }
        try statements.lastIndexed.bind(1, account.rawValue)
        guard let sequence = try statements.lastIndexed.first({ row in row.integer(0) }) else { return nil }
        return try entry(sequence)
    }

    /// The account's entry of a revision; nil where the log does not have it.
    func entry(of account: AccountID, at revision: Revision) throws(SQLiteError) -> StoredEntry? {
        var sequence = recent.sequence(of: account, at: revision)
        if sequence == nil {
            try statements.indexedSequence.bind(1, account.rawValue)
            try statements.indexedSequence.bind(2, revision)
            sequence = try statements.indexedSequence.first { row in row.integer(0) }
        }
        guard let sequence else { return nil }
        return try entry(sequence)
    }

    private func entry(_ sequence: Int64) throws(SQLiteError) -> StoredEntry? {
        try statements.entryAt.bind(1, sequence)
        return try statements.entryAt.first { row in
            StoredEntry(revision: row.integer(0), chain: Digest(stored: row.bytes(1)), at: row.integer(2))
        }
    }

    /// Deletes an account's entries up to a revision, the index's rows with them.
    ///
    /// What is in memory of them stays: a reader may still see them, and others find that they are gone.
    func deleteEntries(of account: AccountID, through revision: Revision) throws(SQLiteError) {
        recent.willTrim(account)
        let places = recent.places(of: account, after: 0).places
        let first = try places.partitionPoint { place throws(SQLiteError) in try entry(place.sequence) != nil }
        for place in places[first...] where place.revision <= revision {
            try run(statements.deleteEntry, place.sequence)
        }
        try run(statements.trimIndexedLog, account.rawValue, revision)
        try run(statements.trimIndex, account.rawValue, revision)
    }

    /// Puts the next entries that wait for it into the index: twice as many as this transaction adds, so that all of one generation is there
    /// before the next is full.
    func indexNext() throws(SQLiteError) {
        let added = Int(progress.sequence - committed.sequence)
        guard added > 0 else { return }
        let slice = recent.next(entries: 2 * added)
        for part in slice.parts {
            let insert = part.isTrimmed ? statements.insertIndexIfKept : statements.insertIndex
            for place in part.places { try run(insert, part.account.rawValue, place.revision, place.sequence) }
        }
        guard let through = slice.completesThrough else { return }
        try store(Meta.Key.indexed, through)
        try store(Meta.Key.indexedAgain, through)
    }
}
