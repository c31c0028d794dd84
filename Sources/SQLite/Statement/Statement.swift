internal import CSQLite

/// A prepared statement, made once and run many times; finalised when it goes, and always reset after a run.
///
/// A statement left in the middle of its rows is an open read transaction that no checkpoint gets past: the methods here never leave one.
@safe public final class Statement {
    /// Keeps the connection open.
    private let connection: Connection
    private let handle: OpaquePointer
    private let sql: String

    /// Prepares one statement, to be kept.
    public init(_ connection: Connection, _ sql: String) throws(SQLiteError) {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK else { throw connection.error(code, operation: sql) }
        guard let made = unsafe prepared else { preconditionFailure("no statement in \(sql)") }
        self.connection = connection
        unsafe self.handle = made
        self.sql = sql
    }

    deinit {
        // Repeats the error of the last run, which was reported then.
        unsafe sqlite3_finalize(handle)
    }

    // MARK: Binding, by position from 1

    /// Binds an integer.
    public func bind(_ position: Int32, _ value: Int64) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_int64(handle, position, value))
    }

    /// Binds an integer, or NULL.
    public func bind(_ position: Int32, _ value: Int64?) throws(SQLiteError) {
        if let value { try bind(position, value) } else { try bindNull(position) }
    }

    /// Binds text, or NULL; the bytes are copied.
    public func bind(_ position: Int32, _ text: String?) throws(SQLiteError) {
        guard var text else { return try bindNull(position) }
        let code = text.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                // An empty string may have no address, which SQLite would take for NULL.
                guard let start = characters.baseAddress else { return unsafe sqlite3_bind_text(handle, position, "", 0, nil) }
                return unsafe sqlite3_bind_text64(
                    handle, position, start, UInt64(characters.count), Self.copied, UInt8(SQLITE_UTF8))
            }
        }
        try check(code)
    }

    /// Binds bytes, or NULL; the bytes are copied.
    public func bind(_ position: Int32, _ bytes: [UInt8]?) throws(SQLiteError) {
        guard let bytes else { return try bindNull(position) }
        let code = unsafe bytes.withUnsafeBytes { buffer in
            // Without bytes there may be no address, which SQLite would take for NULL.
            guard let start = buffer.baseAddress else { return unsafe sqlite3_bind_zeroblob(handle, position, 0) }
            return unsafe sqlite3_bind_blob64(handle, position, start, UInt64(buffer.count), Self.copied)
        }
        try check(code)
    }

    /// Binds bytes in memory that somebody else owns; they are copied.
    public func bind(_ position: Int32, _ bytes: Span<UInt8>) throws(SQLiteError) {
        let code = unsafe bytes.withUnsafeBufferPointer { buffer in
            // Without bytes there may be no address, which SQLite would take for NULL.
            guard let start = buffer.baseAddress else { return unsafe sqlite3_bind_zeroblob(handle, position, 0) }
            return unsafe sqlite3_bind_blob64(handle, position, start, UInt64(buffer.count), Self.copied)
        }
        try check(code)
    }

    /// Binds NULL.
    public func bindNull(_ position: Int32) throws(SQLiteError) {
        try check(unsafe sqlite3_bind_null(handle, position))
    }

    // MARK: Running

    /// Runs a statement whose rows, if any, are of no interest.
    public func run() throws(SQLiteError) {
        while try step() {}
        unsafe sqlite3_reset(handle)
    }

    /// Runs it and reads the first row; nil where there is none.
    public func first<Value>(_ read: (borrowing Row) -> Value) throws(SQLiteError) -> Value? {
        guard try step() else {
            unsafe sqlite3_reset(handle)
            return nil
        }
        let value = read(unsafe Row(lent: handle))
        unsafe sqlite3_reset(handle)
        return value
    }

    /// Runs it and reads every row.
    public func all<Value>(_ read: (borrowing Row) -> Value) throws(SQLiteError) -> [Value] {
        var values: [Value] = []
        try forEach { row in
            values.append(read(row))
            return true
        }
        return values
    }

    /// Runs it row by row, until `body` says false.
    public func forEach(_ body: (borrowing Row) -> Bool) throws(SQLiteError) {
        while try step() {
            guard body(unsafe Row(lent: handle)) else { break }
        }
        unsafe sqlite3_reset(handle)
    }

    /// Steps once; true with a row. On an error the statement is reset, so that no caller has to.
    private func step() throws(SQLiteError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let fault = connection.error(code, operation: sql)
            unsafe sqlite3_reset(handle)
            throw fault
        }
    }

    private func check(_ code: Int32) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw connection.error(code, operation: sql) }
    }

    /// SQLITE_TRANSIENT: a macro with a cast, so it is made by hand. SQLite compares it and never calls it.
    private static var copied: sqlite3_destructor_type { unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}

/// The row a statement stands on, lent for the length of a closure. Columns count from 0.
@safe public struct Row: ~Copyable {
    private let handle: OpaquePointer

    fileprivate init(lent handle: OpaquePointer) { unsafe self.handle = handle }

    /// Whether a column is NULL.
    public func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// An integer; NULL reads as 0.
    public func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

    /// An integer, or nil for NULL.
    public func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// A text, repaired where it is no UTF-8, or nil for NULL.
    public func text(_ column: Int32) -> String? {
        // The text is asked for before its length, since asking may convert it (SQLite, "Result Values From A Query").
        guard let start = unsafe sqlite3_column_text(handle, column) else { return nil }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// A copy of a column's bytes; NULL reads as none.
    public func bytes(_ column: Int32) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(handle, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// A copy of a column's bytes, or nil for NULL.
    public func optionalBytes(_ column: Int32) -> [UInt8]? { isNull(column) ? nil : bytes(column) }

    /// A column's bytes where they lie, lent for the length of the closure; NULL reads as none.
    public func withBytes<Value>(_ column: Int32, _ body: (Span<UInt8>) -> Value) -> Value {
        let start = unsafe sqlite3_column_blob(handle, column)
        let count = unsafe start == nil ? 0 : Int(sqlite3_column_bytes(handle, column))
        // Safe: SQLite keeps the bytes until the column is converted or the statement moves, and neither happens in `body`.
        let raw = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return unsafe body(Span(_unsafeElements: raw.assumingMemoryBound(to: UInt8.self)))
    }
}
