public import JSON
public import Persistence
public import Redux

/// Why a past state cannot be given.
public enum PastFault: Error, Sendable {
    case noAccount
    /// The account has not come so far.
    case noSuchRevision
    /// Nothing that is kept vouches for the state at that revision any more: the log before it was trimmed, or does not lead to a later base.
    case unavailable
    case unreadable(HistoryFault)
    case storage(StorageFault)
}

/// Reads states as they were: the nearest stored snapshot, and the fold of the log behind it.
///
/// All of it runs on the database's readers, in pages, never on a loop. The cost is bounded by the spacing of the snapshots that are kept, whatever the
/// log's length. A revision before a base is served only where the fold agrees with the next stored snapshot (DESIGN.md, 1.2).
public struct PastStates<Model: AccountModel>: Sendable {
    /// A past state with its revision.
    public typealias Point = History<Model>.Point

    let database: Database
    let history: History<Model>

    /// Entries that are read and folded at a time.
    static var pageEntriesMax: Int { 512 }

    /// The state at `revision`; `done` runs on a reader's queue.
    public func state(
        of account: AccountID, at revision: Revision, _ done: @escaping @Sendable (Result<Point, PastFault>) -> Void
    ) {
        database.pastStart(of: account, at: revision) { result in
            switch result {
            case .failure(let fault): done(.failure(.storage(fault)))
            case .success(nil): done(.failure(.noAccount))
            case .success(let start?): fold(account, from: start, to: revision, done)
            }
        }
    }

    /// The same from where a fold to `revision` was found to start.
    func fold(
        _ account: AccountID, from start: PastStart, to revision: Revision,
        _ done: @escaping @Sendable (Result<Point, PastFault>) -> Void
    ) {
        guard !start.isBaseMissing else { return done(.failure(.unavailable)) }
        do throws(HistoryFault) {
            let point = try history.start(of: account, from: start.snapshot)
            if start.snapshot?.revision == revision { return done(.success(point)) }
            advance(point, of: account, to: revision) { result in
                guard let check = start.check else { return done(result) }
                switch result {
                case .success(let found): verify(found, of: account, against: check, done)
                // The account starts at a later base: it never was here, or what led there was trimmed.
                case .failure(.noSuchRevision): done(.failure(.unavailable))
                case .failure: done(result)
                }
            }
        } catch {
            done(.failure(.unreadable(error)))
        }
    }

    /// Folds on to a revision, a page at a time.
    func advance(
        _ point: Point, of account: AccountID, to revision: Revision,
        _ done: @escaping @Sendable (Result<Point, PastFault>) -> Void
    ) {
        guard point.revision < revision else { return done(.success(point)) }
        database.entries(of: account, after: point.revision, before: revision + 1, limit: Self.pageEntriesMax) { result in
            switch result {
            case .failure(let fault): done(.failure(.storage(fault)))
            case .success(let page):
                guard page.newest >= revision else { return done(.failure(.noSuchRevision)) }
                guard page.entries.first?.revision == point.revision + 1 else { return done(.failure(.unavailable)) }
                var point = point
                do throws(HistoryFault) {
                    for entry in page.entries { try history.apply(entry, to: &point) }
                } catch {
                    return done(.failure(.unreadable(error)))
                }
                advance(point, of: account, to: revision, done)
            }
        }
    }

    /// Gives `found` where the fold goes on from it to exactly the stored state.
    private func verify(
        _ found: Point, of account: AccountID, against check: SnapshotRecord,
        _ done: @escaping @Sendable (Result<Point, PastFault>) -> Void
    ) {
        advance(found, of: account, to: check.revision) { result in
            switch result {
            case .success(let reached):
                let agrees = check.schema == history.states.schema && (try? history.states.encode(reached.state)) == check.state
                done(agrees ? .success(found) : .failure(.unavailable))
            // What cannot be folded any further is not vouched for.
            case .failure(.storage(let fault)): done(.failure(.storage(fault)))
            case .failure: done(.failure(.unavailable))
            }
        }
    }

    /// The body of `GET /state` as it was: the same bytes.
    public func body(of point: Point, account: AccountID, epoch: String) throws(JSONFault) -> [UInt8] {
        try StateRendering<Model>.body(account: account, epoch: epoch, revision: point.revision, state: point.state)
    }
}

extension AccountService {
    /// The past of this database's accounts.
    public var past: PastStates<Model> { PastStates(database: database, history: history) }
}
