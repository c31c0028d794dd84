internal import Redux
internal import SQLite

// An account's part of the log: what the index finds, and behind it what the index does not have yet.

extension ReadConnection {
    /// Hands over an account's entries from a revision on, ascending, at most `limit`, until `body` returns false.
    ///
    /// Throws `damaged` where the log has lost one that the index or the writer knows of.
    func forEachEntry(
        of id: AccountID, from first: Revision, limit: Int = .max, _ body: (LogRow) -> Bool
    ) throws(ReadFault) {
        var last = first - 1
        var left = limit
        var goesOn = true
        var missing: Revision?
        try sqlite { () throws(SQLiteError) in
            try indexedEntries.bind(1, id.rawValue)
            try indexedEntries.bind(2, first)
            try indexedEntries.bind(3, Int64(clamping: limit))
            try indexedEntries.forEach { row in
                last = row.integer(LogRow.columnCount)
                guard !row.isNull(0) else {
                    missing = last
                    return false
                }
                left -= 1
                goesOn = body(LogRow(row, of: id))
                return goesOn
            }
        }
        if let missing { throw .damaged(id, missing, "the log entry is missing") }
        guard goesOn, left > 0 else { return }
        for place in try recentPlaces(of: id, after: last, limit: left) {
            let row = try sqlite { () throws(SQLiteError) in
                try entryAt.bind(1, place.sequence)
                return try entryAt.first { row in LogRow(row, of: id) }
            }
            guard let row else { throw .damaged(id, place.revision, "the log entry is missing") }
            guard body(row) else { return }
        }
    }

    /// The oldest and the newest revision that an account's log has; nil for an empty one.
    func bounds(of id: AccountID) throws(ReadFault) -> (oldest: Revision, newest: Revision)? {
        let indexed = try indexedBounds(of: id)
        guard let first = try recentPlaces(of: id, after: indexed?.newest ?? 0, limit: 1).first else { return indexed }
        let last = recent?.last(of: id, through: instant.sequence) ?? first
        return (indexed?.oldest ?? first.revision, last.revision)
    }

    /// The newest revision that an account's log has, also where what lies before it is damaged; 0 for an empty one.
    func newestRevision(of id: AccountID) throws(ReadFault) -> Revision {
        if let last = recent?.last(of: id, through: instant.sequence), try isThere(last) { return last.revision }
        return try indexedBounds(of: id)?.newest ?? 0
    }

    private func indexedBounds(of id: AccountID) throws(ReadFault) -> (oldest: Revision, newest: Revision)? {
        try sqlite { () throws(SQLiteError) in
            try indexedBounds.bind(1, id.rawValue)
            let found = try indexedBounds.first { row in (row.optionalInteger(0), row.integer(1)) }
            return found.flatMap { oldest, newest in oldest.map { ($0, newest) } }
        }
    }

    /// The sequence number of an entry; nil where the log does not have it.
    func sequence(of id: AccountID, at revision: Revision) throws(ReadFault) -> Int64? {
        let indexed = try sqlite { () throws(SQLiteError) in
            try indexedSequence.bind(1, id.rawValue)
            try indexedSequence.bind(2, revision)
            return try indexedSequence.first { row in row.integer(0) }
        }
        if let indexed { return indexed }
        let recent = try recentPlaces(of: id, after: revision - 1, limit: 1).first
        return recent?.revision == revision ? recent?.sequence : nil
    }

    /// When the newest entry was stamped; 0 for an empty log.
    func newestAt(of id: AccountID) throws(ReadFault) -> Milliseconds {
        guard let newest = try bounds(of: id)?.newest, let sequence = try sequence(of: id, at: newest) else { return 0 }
        let at = try sqlite { () throws(SQLiteError) in
            try stampAt.bind(1, sequence)
            return try stampAt.first { row in row.integer(0) }
        }
        guard let at else { throw .damaged(id, newest, "the log entry is missing") }
        return at
    }

    /// How many entries an account's log has, and the bytes of their payloads, facts and names.
    func logSize(of id: AccountID) throws(ReadFault) -> (entries: Int, bytes: Int) {
        let newest = try indexedBounds(of: id)?.newest ?? 0
        let recent = try recentPlaces(of: id, after: newest)
        return try sqlite { () throws(SQLiteError) in
            try indexedSize.bind(1, id.rawValue)
            var (entries, bytes) = try indexedSize.first { row in (Int(row.integer(0)), Int(row.integer(1))) } ?? (0, 0)
            for place in recent {
                try sizeAt.bind(1, place.sequence)
                bytes += try sizeAt.first { row in Int(row.integer(0)) } ?? 0
            }
            entries += recent.count
            return (entries, bytes)
        }
    }

    /// The trace context that an action came with.
    func trace(of id: AccountID, at revision: Revision) throws(SQLiteError) -> [UInt8]? {
        guard let sequence = recent?.sequence(of: id, at: revision) else { return nil }
        try traceAt.bind(1, sequence)
        return try traceAt.first { row in row.optionalBytes(0) } ?? nil
    }

    /// An account's entries after a revision that the index may lack, as this transaction sees them; the first so many of them.
    private func recentPlaces(
        of id: AccountID, after revision: Revision, limit: Int = .max
    ) throws(ReadFault) -> ArraySlice<LogPlace> {
        guard let recent else { return [] }
        if let scanFault { throw .sqlite(scanFault) }
        var (places, leftThrough) = recent.places(of: id, after: revision, through: instant.sequence, limit: limit)
        guard leftThrough <= instant.indexedThrough else { throw .outdated }
        guard let first = places.first, try !isThere(first) else { return places[...] }
        // A log that was trimmed has lost its beginning, up to a base at most; one that was erased has lost all of it.
        (places, leftThrough) = recent.places(of: id, after: revision, through: instant.sequence)
        guard leftThrough <= instant.indexedThrough else { throw .outdated }
        let kept = try places.partitionPoint { place throws(ReadFault) in try isThere(place) }
        let base = try sqlite { () throws(SQLiteError) in
            try newestBase.bind(1, id.rawValue)
            return try newestBase.first { row in row.optionalInteger(0) } ?? nil
        }
        if let lost = places[..<kept].first(where: { $0.revision > base ?? 0 }) {
            guard try sqlite({ () throws(SQLiteError) in try record(of: id) }) == nil else {
                throw .damaged(id, lost.revision, "the log entry is missing")
            }
            return []
        }
        return places[kept...].prefix(limit)
    }

    private func isThere(_ place: LogPlace) throws(ReadFault) -> Bool {
        try sqlite { () throws(SQLiteError) in
            try stampAt.bind(1, place.sequence)
            return try stampAt.first { _ in true } ?? false
        }
    }
}
