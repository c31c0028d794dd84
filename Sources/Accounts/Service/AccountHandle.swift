public import Identity
public import Persistence
public import Redux
internal import Synchronization

/// What the whole process shares of one account in memory: its committed state and its sessions.
///
/// Read from any thread; written by the account's shard only. A handle outlives its store's suspension for those who hold it:
/// `isCurrent` turns false then, and the next request finds or loads the account anew.
public final class AccountHandle: Sendable {
    /// Unique in the database, never used twice.
    public let id: AccountID
    /// Which shard (and so which event loop) the account lives on.
    public let shard: Int
    /// Names the account's history: 64 bits in base64url, different in every database and every account.
    public let epoch: String

    private struct Cell {
        var published: PublishedState
        var sessions: [Session]
        var record: AccountRecord
    }
    private let cell: Mutex<Cell>
    private let used = Atomic<Bool>(true)
    private let keepers = Atomic<Int>(0)
    private let erased = Atomic<Bool>(false)
    private let retired = Atomic<Bool>(false)

    init(id: AccountID, shard: Int, epoch: String, published: PublishedState, sessions: [Session], record: AccountRecord) {
        self.id = id
        self.shard = shard
        self.epoch = epoch
        self.cell = Mutex(Cell(published: published, sessions: sessions, record: record))
    }

    /// The newest committed state.
    public var published: PublishedState {
        used.store(true, ordering: .relaxed)
        return cell.withLock { $0.published }
    }

    /// Whether the store is in memory; once it has left, the account is to be found anew.
    public var isCurrent: Bool { !retired.load(ordering: .acquiring) }

    /// The session whose token has this hash; nil where there is none. Compares in constant time per session.
    public func session(tokenHash: TokenHash) -> Session? {
        let sessions = cell.withLock { $0.sessions }
        return sessions.first { $0.hasToken(hash: tokenHash) }
    }

    /// The same session, known before the store was loaded anew; nil where it has ended since.
    public func session(again session: Session) -> Session? {
        session.hasToken ? sessions.first { $0.id == session.id } : session
    }

    /// All sessions that have not ended.
    public var sessions: [Session] { cell.withLock { $0.sessions } }

    /// The account as the database knows it: who its owner is, and when it was opened.
    public var record: AccountRecord { cell.withLock { $0.record } }

    /// Whether the account was read since the last call: what the sweep of idle stores asks.
    func takeUse() -> Bool { used.exchange(false, ordering: .relaxed) }

    /// Keeps the store in memory until `release`: somebody follows the account.
    public func keep() { keepers.wrappingAdd(1, ordering: .relaxed) }
    /// Takes one `keep` back; the store may leave once all are.
    public func release() { keepers.wrappingSubtract(1, ordering: .relaxed) }
    var isKept: Bool { keepers.load(ordering: .relaxed) > 0 }

    /// The account is being erased: nothing of it counts any more, unless that commit fails.
    var isErased: Bool { erased.load(ordering: .acquiring) }

    /// Takes every token's standing at once, on every connection.
    func erase() {
        erased.store(true, ordering: .releasing)
        for session in sessions { session.revoke() }
        retire()
    }

    func publish(_ state: PublishedState) { cell.withLock { $0.published = state } }
    func add(_ session: Session) { cell.withLock { $0.sessions.append(session) } }
    func replace(record: AccountRecord) { cell.withLock { $0.record = record } }

    /// Takes a session out; false where it is not there any more.
    func remove(_ session: Session) -> Bool {
        cell.withLock { cell in
            let count = cell.sessions.count
            cell.sessions.removeAll { $0 === session }
            return cell.sessions.count < count
        }
    }
    func retire() { retired.store(true, ordering: .releasing) }
}
