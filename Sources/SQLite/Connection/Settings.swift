internal import CSQLite

extension Connection {
    /// What the writing connection of a durable database is set to; each setting is read back, and refused if it did not take.
    ///
    /// `synchronous=FULL` is what makes a commit durable: a write-ahead log under NORMAL loses acknowledged commits in a power cut.
    /// Automatic checkpoints are off, so that the owner chooses when to pay for one.
    ///
    /// The cache is small on purpose: whenever a page of an index was split, SQLite walks through all that is cached at the next commit (the
    /// page that holds the lock bytes serves it as a name for a moment, and what is cached is then searched for pages as high). With
    /// 64 MiB that took a tenth of the service's time. What is not cached is read from the system's cache.
    public func setUpAsWriter(cacheKiB: Int = 8_192) throws(SQLiteError) {
        try setUp(cacheKiB: cacheKiB)
        try set("journal_mode", to: "WAL", reading: "wal")
        try set("synchronous", to: "FULL", reading: "2")
        try set("wal_autocheckpoint", to: "0", reading: "0")
        try set("journal_size_limit", to: "268435456", reading: "268435456")
        try set("foreign_keys", to: "ON", reading: "1")
        countFrames()
    }

    /// What a read-only connection is set to.
    public func setUpAsReader(cacheKiB: Int = 8_192) throws(SQLiteError) {
        try setUp(cacheKiB: cacheKiB)
        try set("query_only", to: "ON", reading: "1")
    }

    private func setUp(cacheKiB: Int) throws(SQLiteError) {
        try flip(SQLITE_DBCONFIG_DEFENSIVE, on: true, name: "defensive")
        try flip(SQLITE_DBCONFIG_TRUSTED_SCHEMA, on: false, name: "trusted_schema")
        try flip(SQLITE_DBCONFIG_DQS_DML, on: false, name: "dqs_dml")
        try flip(SQLITE_DBCONFIG_DQS_DDL, on: false, name: "dqs_ddl")
        try set("cell_size_check", to: "ON", reading: "1")
        // Temporary files would be a second way to meet a full disk.
        try set("temp_store", to: "MEMORY", reading: "2")
        // A mapped file turns an input error into a signal. Nil: compiled out altogether.
        let mapped = try pragma("mmap_size")
        if mapped != nil && mapped != "0" { try set("mmap_size", to: "0", reading: "0") }
        try set("cache_size", to: "-\(cacheKiB)", reading: "-\(cacheKiB)")
    }

    /// Sets a pragma and refuses unless it reads back as expected.
    public func set(_ name: String, to value: String, reading expected: String) throws(SQLiteError) {
        try execute("PRAGMA \(name) = \(value)")
        let effective = try pragma(name)
        guard effective == expected else {
            throw SQLiteError(
                extended: SQLITE_ERROR, message: "reads back as \(effective ?? "nothing") instead of \(expected)",
                operation: "PRAGMA \(name) = \(value)")
        }
    }

    /// The first column of a pragma's first row, as text.
    public func pragma(_ name: String) throws(SQLiteError) -> String? {
        let statement = try Statement(self, "PRAGMA \(name)")
        return try statement.first { row in row.text(0) } ?? nil
    }

    /// Leaves the write-ahead log as it is when the last connection closes (or again not), instead of moving it into the file.
    public func leaveLogOnClose(_ leave: Bool) throws(SQLiteError) {
        try flip(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on: leave, name: "no_ckpt_on_close")
    }

    /// Runs `body`, which changes the text of `sqlite_schema` itself, in a write transaction of its own; an error rolls all of it back.
    ///
    /// For changes that only say something else about what is stored already (SQLite, ALTER TABLE, section 7): nothing checks the new text.
    public func rewritingSchema(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try flip(SQLITE_DBCONFIG_DEFENSIVE, on: false, name: "defensive")
        try execute("PRAGMA writable_schema = ON")
        do throws(SQLiteError) {
            try transaction { () throws(SQLiteError) in
                try body()
                // Tells every other connection to read the schema again.
                let version = Int64(try pragma("schema_version") ?? "") ?? 0
                try execute("PRAGMA schema_version = \(version + 1)")
            }
        } catch {
            try? endRewriting()
            throw error
        }
        try endRewriting()
    }

    private func endRewriting() throws(SQLiteError) {
        // Also reads the schema again.
        try execute("PRAGMA writable_schema = RESET")
        try flip(SQLITE_DBCONFIG_DEFENSIVE, on: true, name: "defensive")
    }

    private func flip(_ option: Int32, on: Bool, name: String) throws(SQLiteError) {
        var effective: Int32 = -1
        let code = unsafe storehouse_sqlite3_db_config_switch(handle, option, on ? 1 : 0, &effective)
        guard code == SQLITE_OK, effective == (on ? 1 : 0) else {
            throw SQLiteError(extended: SQLITE_ERROR, message: "the setting does not take", operation: "db_config \(name)")
        }
    }
}
