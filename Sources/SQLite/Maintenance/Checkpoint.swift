internal import CSQLite

/// How far a checkpoint got.
public struct CheckpointResult: Hashable, Sendable {
    /// Frames in the write-ahead log.
    public let frames: Int
    /// Those that are in the database file by now.
    public let copied: Int
    /// A reader or another connection was in the way.
    public let wasBusy: Bool

    /// Whether the next write may start the log afresh.
    public var isComplete: Bool { !wasBusy && frames == copied }
}

/// How a checkpoint treats readers (SQLite, `sqlite3_wal_checkpoint_v2`).
public enum CheckpointMode: Hashable, Sendable {
    /// Copies what it can and waits for nobody.
    case passive
    /// Waits for readers, copies everything, and cuts the log to nothing.
    case truncate
}

extension Connection {
    /// Moves the write-ahead log into the database file. Only ever on the one connection that writes.
    public func checkpoint(_ mode: CheckpointMode) throws(SQLiteError) -> CheckpointResult {
        var frames: Int32 = 0
        var copied: Int32 = 0
        let raw = mode == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE
        let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, raw, &frames, &copied)
        guard code == SQLITE_OK || code & 0xff == SQLITE_BUSY else { throw error(code, operation: "checkpoint") }
        return CheckpointResult(frames: Int(frames), copied: Int(copied), wasBusy: code != SQLITE_OK)
    }

    /// What `PRAGMA quick_check` finds wrong, at most `limit` sentences; empty for a sound file. Reads the whole file.
    ///
    /// It sees the structure only: a changed byte inside a value passes.
    public func quickCheck(limit: Int = 10) throws(SQLiteError) -> [String] {
        let statement = try Statement(self, "PRAGMA quick_check(\(limit))")
        let findings = try statement.all { row in row.text(0) ?? "" }
        return findings == ["ok"] ? [] : findings
    }
}
