public import Persistence
internal import Redux

/// An account read from the database and folded to its head, on its way into memory.
struct Recovered<Model: AccountModel>: Sendable {
    let record: AccountRecord
    let sessions: [Session]
    let state: Model.State
    let head: Revision
    /// The last stamp's time.
    let at: Milliseconds
    let tail: LogTail
    let idempotency: [IdempotencyRecord]
    /// What it was folded from was written by another version of the model.
    var isOfOtherVersion = false
    var outbox = OutboxStanding()
    /// Postponed items that wait.
    var postponed = 0

    /// Folds what a reader found. Runs on the reader's queue: it may take a while.
    static func make(
        _ account: AccountID, from result: Result<LoadedAccount?, StorageFault>, with history: History<Model>
    ) -> Result<Recovered, OpenFault> {
        switch result {
        case .failure(.overloaded): return .failure(.overloaded)
        case .failure(let fault): return .failure(.storage(fault))
        case .success(nil): return .failure(.noAccount)
        case .success(let loaded?):
            do throws(HistoryFault) {
                let point = try history.fold(account, from: loaded.snapshot, tail: loaded.tail)
                return .success(
                    Recovered(
                        record: loaded.record, sessions: loaded.sessions.compactMap(Session.init), state: point.state,
                        head: point.revision,
                        at: loaded.lastAt, tail: LogTail(read: loaded.tail.count, bytes: loaded.tailBytes),
                        idempotency: loaded.idempotency,
                        isOfOtherVersion: loaded.isTailOfOtherVersion
                            || loaded.snapshot.map { !history.states.isOfThisVersion($0) } ?? false,
                        outbox: OutboxStanding(loaded.outbox), postponed: loaded.postponedCount))
            } catch {
                return .failure(.unreadable(error))
            }
        }
    }
}

/// Why an account cannot be brought into memory.
public enum OpenFault: Error, Sendable {
    case noAccount
    /// As many loads are waiting as may.
    case overloaded
    /// The account's history cannot be understood: it is set aside, its log intact.
    case unreadable(HistoryFault)
    case storage(StorageFault)

    var verdict: Verdict {
        switch self {
        case .noAccount: .noAccount
        case .overloaded: .overloaded
        case .unreadable(let fault): .unreadable(fault)
        case .storage(let fault): .storage(fault)
        }
    }
}
