public import Redux
internal import SQLite

/// The beginning of an account's log that is kept longer than it has to be.
public struct DueLog: Hashable, Sendable {
    /// Whose it is.
    public var account: AccountID
    /// The oldest revision that is kept.
    public var oldest: Revision
    /// Everything up to here may go, once a stored state covers it: `Database.dueEntriesMax` entries at most, and never the newest.
    public var through: Revision
    /// The newest revision at the instant of reading.
    public var newest: Revision
    /// Of what follows, some may go as well.
    public var mayGoOn: Bool
    /// What says so.
    public var retention: LogRetention
}

/// What one look at a stretch of accounts has found.
public struct DueLogLook: Hashable, Sendable {
    /// The first that is due; the look ends with its account.
    public var due: DueLog?
    /// Accounts looked at: as many as were asked for, unless one is due or there are no more.
    public var accounts = 0
    /// The last of them; nil where there are none.
    public var last: AccountID?
}

extension Database {
    /// Entries that go from a log at a time, so that no transaction is long.
    public static let dueEntriesMax: Revision = 1_000

    /// Looks for the first log that is due, at most `limit` accounts after one: where its oldest entry was stamped before `instant`, what
    /// `retention` lets go of it.
    ///
    /// A few pages are read of each account, however long its log is. One whose log is damaged is passed over, and so is one that no
    /// state of this version of the model may be stored of, where no stored state covers anything.
    public func dueLog(
        after: AccountID?, limit: Int, stampedBefore instant: Milliseconds, retention: LogRetention,
        then: @escaping @Sendable (Result<DueLogLook, StorageFault>) -> Void
    ) {
        let boundary = otherVersionThrough
        read(
            {
                $0.dueLog(
                    after: after?.rawValue ?? 0, limit: limit, stampedBefore: instant, retention: retention,
                    otherVersionThrough: boundary)
            }, then: then)
    }
}

extension ReadConnection {
    func dueLog(
        after id: Int64, limit: Int, stampedBefore instant: Milliseconds, retention: LogRetention,
        otherVersionThrough boundary: Int64
    ) -> Result<DueLogLook, StorageFault> {
        atOneInstant(of: nil) { () throws(ReadFault) in
            let accounts = try sqlite { () throws(SQLiteError) in
                try accountIDsAfter.bind(1, id)
                try accountIDsAfter.bind(2, Int64(limit))
                return try accountIDsAfter.all { row in AccountID(rawValue: row.integer(0)) }.compactMap(\.self)
            }
            var look = DueLogLook()
            for account in accounts {
                look.accounts += 1
                look.last = account
                look.due = try soundDueLog(of: account, stampedBefore: instant, retention, otherVersionThrough: boundary)
                if look.due != nil { break }
            }
            return look
        }
    }

    /// What is wrong with an account is its own trouble: nothing goes of it then, and the look goes on.
    private func soundDueLog(
        of id: AccountID, stampedBefore instant: Milliseconds, _ retention: LogRetention, otherVersionThrough boundary: Int64
    ) throws(ReadFault) -> DueLog? {
        do throws(ReadFault) {
            guard let due = try dueLog(of: id, stampedBefore: instant, retention) else { return nil }
            guard try sequence(of: id, at: due.newest) ?? 0 <= boundary else { return due }
            return try newestSnapshot(of: id, atOrBefore: due.through) ?? 0 >= due.oldest ? due : nil
        } catch {
            guard error.isOfOneAccount else { throw error }
            return nil
        }
    }

    private func dueLog(
        of id: AccountID, stampedBefore instant: Milliseconds, _ retention: LogRetention
    ) throws(ReadFault) -> DueLog? {
        guard let (oldest, newest) = try bounds(of: id) else { return nil }
        // Stamps never go back: whether one may go says it for all before it.
        func mayGo(_ revision: Revision) throws(ReadFault) -> Bool {
            retention.lets(go: revision, at: try stamp(of: id, at: revision), head: newest)
        }
        let last = min(newest, oldest + Database.dueEntriesMax) - 1
        guard last >= oldest, try stamp(of: id, at: oldest) < instant, try mayGo(oldest) else { return nil }
        let kept = try (oldest + 1..<last + 1).partitionPoint { revision throws(ReadFault) in try !mayGo(revision) }
        return DueLog(
            account: id, oldest: oldest, through: kept - 1, newest: newest, mayGoOn: kept > last && kept < newest,
            retention: retention)
    }

    private func stamp(of id: AccountID, at revision: Revision) throws(ReadFault) -> Milliseconds {
        let at: Milliseconds?
        if let sequence = try sequence(of: id, at: revision) {
            at = try sqlite { () throws(SQLiteError) in
                try stampAt.bind(1, sequence)
                return try stampAt.first { row in row.integer(0) }
            }
        } else {
            at = nil
        }
        guard let at else { throw .damaged(id, revision, "the log entry is missing") }
        return at
    }

    /// The revision of a stored state, damaged or not.
    private func newestSnapshot(of id: AccountID, atOrBefore revision: Revision) throws(ReadFault) -> Revision? {
        try sqlite { () throws(SQLiteError) in
            try snapshots.bind(1, id.rawValue)
            try snapshots.bind(2, revision)
            return try snapshots.first { row in row.integer(0) }
        }
    }
}

extension ReadFault {
    /// Whether it may be met with one account and not with the next.
    fileprivate var isOfOneAccount: Bool {
        switch self {
        case .storage(.damaged): true
        case .sqlite(let error):
            switch error.kind {
            case .corrupt, .ioError: true
            default: false
            }
        case .storage, .outdated: false
        }
    }
}
