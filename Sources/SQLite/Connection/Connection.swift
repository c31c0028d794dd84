internal import CSQLite

/// One connection to a database file, confined to whoever owns it: not thread-safe, and opened without SQLite's own mutexes.
///
/// Closes when the last reference goes; statements, transactions and backups hold one, so it outlives them.
@safe public final class Connection {
    /// What a connection may do.
    public enum Access: Hashable, Sendable {
        /// Read and write a file that exists.
        case readWrite
        /// The same, and make the file: for an explicit set-up only, since a missing file must be an error, not a new world.
        case create
        /// Read only: takes no part in checkpoints.
        case readOnly
    }

    /// Once for the process. Nothing here asks SQLite how much memory it has; where it has been used before, it goes on counting.
    private static let memoryCountIsOff: Bool = storehouse_sqlite3_count_no_memory() == SQLITE_OK

    let handle: OpaquePointer
    /// Written by SQLite after each commit: the frames of the write-ahead log.
    private let frames: UnsafeMutablePointer<Int32>

    /// Opens a file. `busyMilliseconds` bounds the wait for another connection's lock; it is set before anything else.
    public init(path: String, access: Access, busyMilliseconds: Int32 = 5_000) throws(SQLiteError) {
        let flags =
            switch access {
            case .readWrite: SQLITE_OPEN_READWRITE
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        _ = Self.memoryCountIsOff
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let connection = unsafe opened else {
            throw SQLiteError(extended: SQLITE_NOMEM, message: "out of memory", operation: "open \(path)")
        }
        guard code == SQLITE_OK else {
            // A failed open leaves a handle that carries the message and must be closed.
            let fault = unsafe Self.error(of: connection, code: code, operation: "open \(path)")
            unsafe sqlite3_close(connection)
            throw fault
        }
        unsafe sqlite3_busy_timeout(connection, busyMilliseconds)
        unsafe handle = connection
        unsafe frames = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        unsafe frames.initialize(to: 0)
    }

    deinit {
        // Statements hold a reference each, so none is left; the last connection to a file checkpoints here.
        let code = unsafe sqlite3_close(handle)
        assert(code == SQLITE_OK, "a connection was closed with statements left")
        unsafe frames.deinitialize(count: 1)
        unsafe frames.deallocate()
    }

    /// Runs SQL that gives no rows, one statement or several, without parameters.
    public func execute(_ sql: String) throws(SQLiteError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, operation: sql) }
    }

    /// Whether a transaction is open. An error may have ended it (SQLite, "Response To Errors Within A Transaction").
    public var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    /// Rows the last INSERT, UPDATE or DELETE touched.
    public var changes: Int { Int(unsafe sqlite3_changes64(handle)) }

    /// Frames in the write-ahead log after this connection's last commit; 0 until `countFrames()` was called.
    public var walFrames: Int { Int(unsafe frames.pointee) }

    /// Starts counting the log's frames. Replaces automatic checkpoints: call it once, after they are set.
    public func countFrames() {
        // Safe: `frames` lives until after the connection is closed, and the hook runs inside this connection's own calls.
        unsafe _ = sqlite3_wal_hook(
            handle,
            { context, _, _, pages in
                unsafe context?.storeBytes(of: pages, as: Int32.self)
                return SQLITE_OK
            }, frames)
    }

    /// An error of this connection's last call.
    func error(_ code: Int32, operation: String) -> SQLiteError {
        unsafe Self.error(of: handle, code: code, operation: operation)
    }

    private static func error(of handle: OpaquePointer, code: Int32, operation: String) -> SQLiteError {
        let message = unsafe String(cString: sqlite3_errmsg(handle))
        return SQLiteError(extended: code, message: message, operation: String(operation.prefix(operationCharactersMax)))
    }

    /// How much of a statement an error repeats.
    public static let operationCharactersMax = 80
}
