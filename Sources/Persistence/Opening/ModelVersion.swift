internal import SQLite

/// Which version of its model a database is written by, and since when: what tells old log entries from those of today.
///
/// A log entry does not say which reducer accepted it. All of one run are of one version, so the sequence number at which that changed says it
/// for every entry.
struct ModelVersion {
    /// Names of the rows of `meta`.
    private enum Key {
        static let version = "model_version"
        static let since = "model_version_since"
    }

    /// Notes the version that writes from now on. Returns the last sequence number of entries that another one wrote; 0 where there are none.
    static func note(_ version: [UInt8], on connection: Connection, sequence: Int64) throws(SQLiteError) -> Int64 {
        let read = try Statement(connection, "SELECT value FROM meta WHERE key = ?")
        try read.bind(1, Key.version)
        let stored = try read.first { row in row.bytes(0) }
        try read.bind(1, Key.since)
        let since = try read.first { row in row.integer(0) } ?? 0
        guard stored != version else { return since }
        // A database that never noted one was written by the first version there was, which is this build's or is told by its snapshots.
        let changed = stored == nil ? 0 : sequence
        try connection.transaction { () throws(SQLiteError) in
            let put = try Statement(connection, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)")
            try put.bind(1, Key.version)
            try put.bind(2, version)
            try put.run()
            try put.bind(1, Key.since)
            try put.bind(2, changed)
            try put.run()
        }
        return changed
    }
}
