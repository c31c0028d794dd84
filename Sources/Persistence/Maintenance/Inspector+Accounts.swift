public import Redux

// What an account has beside its log, for whoever takes it elsewhere.

extension Inspector {
    /// An account; nil where there is none of that number.
    public func account(_ id: AccountID) throws(StorageFault) -> AccountRecord? {
        try reader.accounts(after: id.rawValue - 1, limit: 1).get().first { $0.id == id }
    }

    /// An account's whole outbox, dead entries included.
    public func outbox(of id: AccountID) throws(StorageFault) -> [OutboxEntry] { try reader.outbox(of: id).get() }

    /// What an account has postponed, first in first out.
    public func postponed(of id: AccountID) throws(StorageFault) -> [PostponedRecord] {
        try reader.postponed(of: id, tag: nil).get()
    }
}
