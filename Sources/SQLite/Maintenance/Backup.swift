internal import CSQLite

/// A copy of a database in the making (SQLite, "Online Backup API"), a slice at a time.
///
/// Made from the connection that writes, it takes in what that connection writes meanwhile and never starts over.
@safe public struct Backup: ~Copyable {
    /// How a slice ended.
    public enum Step: Hashable, Sendable {
        case more
        case done
        /// A lock is held elsewhere: try again.
        case busy
    }

    // Both stay open while the copy is made.
    private let source: Connection
    private let destination: Connection
    private let handle: OpaquePointer

    /// Starts copying all of `source` over what `destination` holds.
    public init(from source: Connection, to destination: Connection) throws(SQLiteError) {
        guard let handle = unsafe sqlite3_backup_init(destination.handle, "main", source.handle, "main") else {
            throw destination.error(unsafe sqlite3_extended_errcode(destination.handle), operation: "backup")
        }
        self.source = source
        self.destination = destination
        unsafe self.handle = handle
    }

    deinit {
        unsafe sqlite3_backup_finish(handle)
    }

    /// Copies up to `pages` more.
    public func step(pages: Int32) throws(SQLiteError) -> Step {
        let code = unsafe sqlite3_backup_step(handle, pages)
        switch code & 0xff {
        case SQLITE_OK: return .more
        case SQLITE_DONE: return .done
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        default: throw SQLiteError(extended: code, message: unsafe String(cString: sqlite3_errstr(code)), operation: "backup")
        }
    }

    /// Pages still to copy, and of how many, after the last step.
    public var progress: (remaining: Int, total: Int) {
        unsafe (Int(sqlite3_backup_remaining(handle)), Int(sqlite3_backup_pagecount(handle)))
    }
}
