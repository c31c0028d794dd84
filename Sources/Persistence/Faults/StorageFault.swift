public import Redux

/// Why a database cannot be opened or read.
public enum StorageFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is not as it should be at start; the file is untouched. The sentence says what to do.
    case refused(path: String, reason: String)
    /// It holds accounts of another model; the file is untouched.
    case otherModel(path: String, stored: String, wanted: String)
    /// Another process serves the same file.
    case locked(path: String, holder: String)
    /// One account's records fail their checks. The others are not affected.
    case damaged(AccountID, revision: Revision?, reason: String)
    /// More reads are waiting than the limit allows.
    case overloaded
    /// The database was closed before.
    case closed
    /// SQLite reported an error while reading.
    case failed(String)

    /// A sentence for the operator, without a capital or a full stop; it names the file or the account where there is one.
    public var description: String {
        switch self {
        case .refused(let path, let reason): "\(path): \(reason)"
        case .otherModel(let path, let stored, let wanted):
            "\(path): it holds accounts of the model \(stored), not of \(wanted)"
        case .locked(let path, let holder): "\(path) is in use by \(holder)"
        case .damaged(let account, let revision, let reason):
            revision.map { "account \(account) is damaged at revision \($0): \(reason)" }
                ?? "account \(account) is damaged: \(reason)"
        case .overloaded: "too many reads are waiting"
        case .closed: "the database is closed"
        case .failed(let message): message
        }
    }
}
