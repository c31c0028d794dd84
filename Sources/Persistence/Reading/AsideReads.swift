public import Redux
internal import SQLite

/// What can be known of an account whose history cannot be folded: enough to let its owner read what is left of it.
public struct AccountAside: Sendable {
    /// The account's own row, verified by its checksum.
    public var record: AccountRecord
    /// Ascending by id; expired ones are still here.
    public var sessions: [SessionRecord]
    /// The newest revision the log has.
    public var newest: Revision
}

extension Database {
    /// Reads an account without its history; nil where there is none of that number.
    public func aside(
        of account: AccountID, then: @escaping @Sendable (Result<AccountAside?, StorageFault>) -> Void
    ) {
        read({ $0.aside(of: account) }, then: then)
    }
}

extension ReadConnection {
    func aside(of id: AccountID) -> Result<AccountAside?, StorageFault> {
        atOneInstant(of: id) { () throws(ReadFault) in
            let newest = try newestRevision(of: id)
            return try sqlite { () throws(SQLiteError) in
                guard let record = try record(of: id) else { return nil }
                return AccountAside(record: record, sessions: try sessions(of: id), newest: newest)
            }
        }
    }
}
