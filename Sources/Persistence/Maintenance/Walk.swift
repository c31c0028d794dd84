internal import Redux
internal import SQLite

/// One step of a walk through an account's history, in order of revision.
public enum WalkStep: Sendable {
    /// Where folding starts: a base, or the initial state for nil. Always the first step.
    case start(SnapshotRecord?)
    /// Entries that follow, gapless, each verified by the chain.
    case entries([LogEntry])
    /// A stored state at the revision reached. A base is where folding goes on from, and is not to be compared.
    case snapshot(SnapshotRecord)
}

extension Inspector {
    /// Entries per read transaction: no walk keeps the write-ahead log from starting afresh for long.
    public static let walkEntriesMax = 2_000

    /// Walks through all that is kept of an account: every entry against the chain, every snapshot against its hash and the chain.
    ///
    /// `fold` is told each step and returns what it finds wrong; the walk ends at the first finding that concerns the log itself.
    /// While the account is being written, the walk covers what was there when it began.
    public func walk(_ account: AccountRecord, fold: (WalkStep) -> Finding?) throws(StorageFault) -> [Finding] {
        let id = account.id
        var findings = try checkRows(of: id)
        let kept = try self.kept(of: id)
        for revision in kept.damaged {
            findings.append(Finding(account: id, revision: revision, reason: "the snapshot is not what was stored"))
        }
        var snapshots = kept.snapshots
        guard let start = kept.startAt(&snapshots) else {
            findings.append(Finding(account: id, revision: kept.oldest, reason: "the log before is gone, and no base covers it"))
            return findings
        }
        if let finding = fold(.start(start.record)) { findings.append(finding) }
        var head = Head(revision: start.record?.revision ?? 0, chain: start.chain ?? reader.chain.seed(of: id))
        while true {
            // A snapshot right here, before the next entry.
            while let next = snapshots.first, next.record.revision <= head.revision {
                snapshots.removeFirst()
                if next.chain != head.chain {
                    findings.append(
                        Finding(account: id, revision: head.revision, reason: "the snapshot's chain value is not that of the log")
                    )
                }
                if let finding = fold(.snapshot(next.record)) { findings.append(finding) }
            }
            guard head.revision < kept.newest else { break }
            let until = min(snapshots.first?.record.revision ?? kept.newest, kept.newest)
            let page: [LogEntry]
            switch reader.page(of: id, after: &head, through: until, limit: Self.walkEntriesMax) {
            case .success(let entries): page = entries
            case .failure(.damaged(_, let revision, let reason)):
                findings.append(Finding(account: id, revision: revision, reason: reason))
                return findings
            case .failure(let fault): throw fault
            }
            guard !page.isEmpty else {
                findings.append(Finding(account: id, revision: head.revision + 1, reason: "the log entry is missing"))
                return findings
            }
            if let finding = fold(.entries(page)) { findings.append(finding) }
        }
        for snapshot in snapshots {
            findings.append(
                Finding(account: id, revision: snapshot.record.revision, reason: "the snapshot is beyond the log's end"))
        }
        return findings
    }

    /// Walks through every account, in order; `fold` makes the closure for one. `progress` is told how many are done after each page.
    public func walkAll(
        pageAccounts: Int = 500, progress: (Int) -> Void = { _ in }, fold: (AccountRecord) -> (WalkStep) -> Finding?
    ) throws(StorageFault) -> [Finding] {
        var findings: [Finding] = []
        var last: AccountID?
        var done = 0
        while true {
            let page = try accounts(after: last, limit: pageAccounts)
            guard let end = page.last else { return findings }
            for account in page { findings += try walk(account, fold: fold(account)) }
            last = end.id
            done += page.count
            progress(done)
        }
    }

    // MARK: What is kept

    private struct Kept {
        var oldest: Revision?
        var newest: Revision
        /// Undamaged ones, ascending.
        var snapshots: [(record: SnapshotRecord, chain: Digest)]
        var damaged: [Revision]

        /// Where folding can start; takes the snapshots before it off. Nil where nothing covers what was trimmed.
        func startAt(_ snapshots: inout [(record: SnapshotRecord, chain: Digest)]) -> (record: SnapshotRecord?, chain: Digest?)? {
            let first = oldest ?? (snapshots.contains { $0.record.isBase } ? .max : 1)
            if first == 1 { return (nil, nil) }
            // Of a log that is empty the newest base is all there is.
            let usable =
                oldest == nil
                ? snapshots.lastIndex { $0.record.isBase }
                : snapshots.firstIndex { $0.record.isBase && $0.record.revision >= first - 1 }
            guard let usable else { return nil }
            let start = snapshots[usable]
            snapshots.removeSubrange(...usable)
            return (start.record, start.chain)
        }
    }

    private func kept(of id: AccountID) throws(StorageFault) -> Kept {
        let reader = reader
        return try reader.atOneInstant(of: id) { () throws(ReadFault) in
            let bounds = try reader.bounds(of: id)
            return try reader.sqlite { () throws(SQLiteError) in
                var kept = Kept(oldest: bounds?.oldest, newest: bounds?.newest ?? 0, snapshots: [], damaged: [])
                try reader.snapshots.bind(1, id.rawValue)
                try reader.snapshots.bind(2, Int64.max)
                try reader.snapshots.forEach { row in
                    let stored = SnapshotRow(row, of: id)
                    if let chain = stored.verifiedChain(&reader.chain) {
                        kept.snapshots.append((stored.record, chain))
                    } else {
                        kept.damaged.append(stored.record.revision)
                    }
                    return true
                }
                kept.snapshots.reverse()
                return kept
            }
        }.get()
    }
}

extension ReadConnection {
    /// Entries after a head up to a revision, at most `limit`, verified; moves the head on.
    func page(
        of id: AccountID, after head: inout Head, through last: Revision, limit: Int
    ) -> Result<[LogEntry], StorageFault> {
        var moved = head
        let result: Result<[LogEntry], StorageFault> = atOneInstant(of: id) { () throws(ReadFault) in
            var entries: [LogEntry] = []
            var fault: ReadFault?
            moved = head
            let left = Int(min(Revision(limit), last - moved.revision))
            try forEachEntry(of: id, from: moved.revision + 1, limit: left) { row in
                fault = follow(&moved, row)
                entries.append(row.entry)
                return fault == nil
            }
            if let fault { throw fault }
            return entries
        }
        head = moved
        return result
    }
}
