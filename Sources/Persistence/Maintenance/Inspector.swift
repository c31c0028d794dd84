public import Redux
internal import SQLite

/// A database looked at from outside: read-only and without its lock, so also while another process serves it.
///
/// For commands, not for the service: its methods block, and it belongs to one thread. It neither writes nor checkpoints.
public final class Inspector {
    /// Something found wrong; `account` is nil where it concerns the database as a whole.
    public struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// Nil where it concerns the database as a whole.
        public let account: AccountID?
        /// Nil where it concerns no revision of its own.
        public let revision: Revision?
        /// What is wrong, to stand behind a colon.
        public let reason: String

        /// A finding of a check that stands elsewhere, such as a fold by the model.
        public init(account: AccountID?, revision: Revision?, reason: String) {
            self.account = account
            self.revision = revision
            self.reason = reason
        }

        /// One line for the operator: the place, then the reason.
        public var description: String {
            let place = account.map { "account \($0)" } ?? "database"
            return revision.map { "\(place), revision \($0): \(reason)" } ?? "\(place): \(reason)"
        }
    }

    /// Where the file is.
    public let path: String
    /// The name of the model whose accounts it holds.
    public let model: String
    let reader: ReadConnection

    private init(path: String, model: String, reader: ReadConnection) {
        self.path = path
        self.model = model
        self.reader = reader
    }

    /// Opens a database of a model (nil: of any) to look at it.
    public static func open(path: String, model: String?) throws(StorageFault) -> Inspector {
        let paths = StorePaths(path)
        guard case .file(let bytes) = StorePaths.kind(of: path) else { throw paths.refusal("there is no database") }
        guard bytes > 0 else { throw paths.refusal("the file is empty") }
        // The identity first: the statements of the reader need tables that a foreign file has not.
        let found = try paths.sqlite { () throws(SQLiteError) in
            let connection = try Connection(path: path, access: .readOnly)
            guard try connection.pragma("application_id") == String(Schema.applicationID),
                let schema = Int64(try connection.pragma("user_version") ?? ""), (1...Schema.version).contains(schema)
            else { return nil as (meta: Meta, schema: Int64)? }
            return try Meta(from: connection).map { ($0, schema) }
        }
        guard let (meta, schema) = found else { throw paths.refusal("it is not a database of this version of storehouse") }
        if let model, model != meta.model { throw .otherModel(path: path, stored: meta.model, wanted: model) }
        let reader = try paths.sqlite { () throws(SQLiteError) in try ReadConnection(path: path, schema: schema) }
        return Inspector(path: path, model: meta.model, reader: reader)
    }

    /// Accounts in ascending order of id, at most `limit` of those after one.
    public func accounts(after: AccountID?, limit: Int) throws(StorageFault) -> [AccountRecord] {
        try reader.accounts(after: after?.rawValue ?? 0, limit: limit).get()
    }

    /// How many accounts there are.
    public func accountCount() throws(StorageFault) -> Int {
        let reader = reader
        return try reader.plain { () throws(SQLiteError) in
            Int(try Statement(reader.connection, "SELECT COUNT(*) FROM account").first { row in row.integer(0) } ?? 0)
        }.get()
    }
}
