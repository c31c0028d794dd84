internal import Identity
internal import JSON
public import Persistence
public import Redux
internal import Runtime
internal import Sodium

/// Why an account was not copied.
public enum ForkFault: Error, Sendable {
    /// Its state at that revision cannot be given.
    case past(PastFault)
    case commit(CommitFault)
}

extension AccountService {
    /// Opens an anonymous account that starts as another was at a revision, and goes on from that number.
    ///
    /// The copy has the state as the model's `sandbox` leaves it, and nothing else: no log, effects, sessions or owner of the original.
    /// `done` gets its handle and its first token after the commit.
    public func fork(
        _ account: AccountID, at revision: Revision,
        _ done: @escaping @Sendable (Result<(AccountHandle, token: String), ForkFault>) -> Void
    ) {
        past.state(of: account, at: revision) { [self] result in
            switch result {
            case .failure(let fault): done(.failure(.past(fault)))
            case .success(let found):
                let copy = database.nextAccountID()
                let record = AccountRecord(id: copy, created: time.wallMilliseconds(), epochPart: RandomBytes.bits64())
                let (session, token) = mintSession(database.nextSessionID(), of: copy, .unending)
                let start = History<Model>.Point(state: Model.sandbox(of: found.state), revision: found.revision)
                shard(of: copy).perform { shard in
                    shard.create(record, session: session, event: nil, from: start) { result in
                        done(result.map { ($0, token) }.mapError { .commit($0) })
                    }
                }
            }
        }
    }
}

extension AccountShard {
    /// A state as the base of all that follows.
    func base(of account: AccountID, _ start: History<Model>.Point) -> SnapshotRecord {
        do throws(JSONFault) {
            return try service.history.states.snapshot(start.state, of: account, at: start.revision, isBase: true)
        } catch {
            preconditionFailure("a state that was read from JSON can be written as JSON")
        }
    }
}
