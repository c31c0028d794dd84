internal import Glibc
internal import Runtime
internal import SQLite

/// The files of one database, and what can be said of them without SQLite.
struct StorePaths: Sendable {
    let database: String
    var log: String { database + "-wal" }
    /// Whose database belongs here, and how far it had come (`HighWater`).
    var mark: String { database + ".mark" }
    /// Held by the process that serves it.
    var lock: String { database + ".lock" }
    /// A database in the making; renamed when it is whole.
    var unfinished: String { database + ".new" }

    /// The folder of all of them.
    var folder: String {
        guard let slash = database.lastIndex(of: "/") else { return "." }
        return slash == database.startIndex ? "/" : String(database[..<slash])
    }

    init(_ database: String) { self.database = database }

    /// What is found under a name. Asked by name, never by opening: closing a file drops all locks of the process on it.
    enum Kind: Equatable {
        case missing
        case file(bytes: Int)
        case folder
        case other
    }

    static func kind(of path: String) -> Kind {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return .missing }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .file(bytes: Int(status.st_size))
        case S_IFDIR: .folder
        default: .other
        }
    }

    /// Makes the names in the folder durable.
    func synchronizeFolder() throws(SystemError) {
        try File(folder, .directory).synchronize()
    }

    func refusal(_ reason: String) -> StorageFault { .refused(path: database, reason: reason) }

    /// A system error as a refusal.
    func system<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(StorageFault) -> Value {
        do throws(SystemError) { return try body() } catch { throw refusal(error.description) }
    }

    /// An SQLite error as a refusal.
    func sqlite<Value>(_ body: () throws(SQLiteError) -> Value) throws(StorageFault) -> Value {
        do throws(SQLiteError) { return try body() } catch {
            throw switch error.kind {
            case .notADatabase: refusal("it is not an SQLite database")
            case .corrupt: refusal("it is damaged (\(error.description)); restore a backup")
            default: refusal(error.description)
            }
        }
    }
}
