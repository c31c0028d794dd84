public import Redux
internal import SQLite

/// Where a fold to a past revision starts, and what vouches for it; read at one instant.
public struct PastStart: Sendable {
    /// The newest undamaged snapshot at or before the revision; nil folds from the initial state.
    public var snapshot: SnapshotRecord?
    /// The first undamaged snapshot after the revision, where a base lies after it or it was asked for: the fold has to agree with this one.
    public var check: SnapshotRecord?
    /// Whether a base at or before the revision is damaged, so that nothing vouches for what follows it.
    public var isBaseMissing: Bool
}

extension Database {
    /// How many revisions a kept snapshot stands for: the first of each such stretch stays, so that no past state is far from one.
    public static let snapshotSpacing: Revision = 256

    /// What is needed to fold to a past revision; nil where there is no such account.
    ///
    /// - Parameter isChecked: whether the fold has to agree with the next stored state also where no base lies after it.
    public func pastStart(
        of account: AccountID, at revision: Revision, isChecked: Bool = false,
        then: @escaping @Sendable (Result<PastStart?, StorageFault>) -> Void
    ) {
        read({ $0.pastStart(of: account, at: revision, isChecked: isChecked) }, then: then)
    }
}

extension ReadConnection {
    func pastStart(of id: AccountID, at revision: Revision, isChecked: Bool) -> Result<PastStart?, StorageFault> {
        atOneInstant(of: id) { () throws(ReadFault) in
            try sqlite { () throws(SQLiteError) in
                guard try record(of: id) != nil else { return nil }
                try newestBase.bind(1, id.rawValue)
                let newest = try newestBase.first { row in row.optionalInteger(0) } ?? nil
                try baseAtOrBefore.bind(1, id.rawValue)
                try baseAtOrBefore.bind(2, revision)
                let base = try baseAtOrBefore.first { row in row.optionalInteger(0) } ?? nil
                try snapshots.bind(1, id.rawValue)
                try snapshots.bind(2, revision)
                let before = try firstUndamaged(snapshots, of: id)
                var check: SnapshotRecord?
                if isChecked || newest ?? 0 > revision {
                    try snapshotsAfter.bind(1, id.rawValue)
                    try snapshotsAfter.bind(2, revision)
                    check = try firstUndamaged(snapshotsAfter, of: id)
                }
                return PastStart(snapshot: before, check: check, isBaseMissing: base.map { $0 > before?.revision ?? -1 } ?? false)
            }
        }
    }

    private func firstUndamaged(_ statement: Statement, of id: AccountID) throws(SQLiteError) -> SnapshotRecord? {
        var found: SnapshotRecord?
        try statement.forEach { row in
            let stored = SnapshotRow(row, of: id)
            guard stored.verifiedChain(&chain) != nil else { return true }
            found = stored.record
            return false
        }
        return found
    }
}
