internal import CSQLite

/// What SQLite reported, and of which operation.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a result code means to a caller (SQLite, "Result and Error Codes").
    public enum Kind: Hashable, Sendable {
        /// SQLITE_FULL: no space. In a transaction all of it is rolled back, and nothing of it ever comes back.
        case full
        /// SQLITE_IOERR and its kin. After a failed sync the outcome is unknown: it may be there after a restart.
        case ioError(ofSync: Bool)
        /// Another connection holds what is needed.
        case busy
        /// SQLITE_CORRUPT: a page is not as it should be.
        case corrupt
        /// The file is no database at all.
        case notADatabase
        /// A unique index or a check refused a row.
        case constraint
        /// The file, its folder or the connection is read-only, or the file cannot be opened.
        case readOnly
        case cannotOpen
        case noMemory
        /// An error of this program.
        case other
    }

    /// The primary result code, such as 10 for SQLITE_IOERR.
    public let code: Int32
    /// The extended one, such as 1034 for SQLITE_IOERR_FSYNC.
    public let extended: Int32
    /// SQLite's words.
    public let message: String
    /// What was being done: the first words of the statement, or the call.
    public let operation: String

    /// The primary code is the low byte of the extended one.
    public init(extended: Int32, message: String, operation: String) {
        self.code = extended & 0xff
        self.extended = extended
        self.message = message
        self.operation = operation
    }

    /// What the codes mean to a caller; a lock within this process counts as `busy` too.
    public var kind: Kind {
        switch code {
        case SQLITE_FULL: .full
        case SQLITE_IOERR: .ioError(ofSync: extended == Self.fsyncCode || extended == Self.directorySyncCode)
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CORRUPT: .corrupt
        case SQLITE_NOTADB: .notADatabase
        case SQLITE_CONSTRAINT: .constraint
        case SQLITE_READONLY, SQLITE_PERM: .readOnly
        case SQLITE_CANTOPEN: .cannotOpen
        case SQLITE_NOMEM: .noMemory
        default: .other
        }
    }

    /// One line for the operator: the operation, SQLite's words, the extended code.
    public var description: String { "\(operation): \(message) (\(extended))" }

    // SQLITE_IOERR_FSYNC and SQLITE_IOERR_DIR_FSYNC are macros made of shifts, which Swift does not import.
    private static let fsyncCode: Int32 = 10 | 4 << 8
    private static let directorySyncCode: Int32 = 10 | 5 << 8
}

/// The library this process runs with.
public enum SQLiteLibrary {
    /// Such as `3.40.1`.
    public static var version: String { unsafe String(cString: sqlite3_libversion()) }

    /// The check-in it was built from.
    public static var sourceID: String { unsafe String(cString: sqlite3_sourceid()) }

    /// Whether two connections that write or checkpoint at once could corrupt a database: 3.7.0 to 3.51.2, but for the patched 3.44.6 and 3.50.7.
    ///
    /// It never bites here, since one connection does every write and every checkpoint; it forbids other processes to do either.
    public static var hasWALResetBug: Bool { hasWALResetBug(versionNumber: sqlite3_libversion_number()) }

    /// The same for `major * 1_000_000 + minor * 1_000 + patch`.
    public static func hasWALResetBug(versionNumber: Int32) -> Bool {
        switch versionNumber {
        case ..<3_007_000: false
        case 3_044_006..<3_045_000, 3_050_007..<3_051_000: false
        case ..<3_051_003: true
        default: false
        }
    }
}
