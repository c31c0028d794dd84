public import Redux
internal import Synchronization

/// The accounts in memory, for readers on any thread; each account's shard writes its own.
public final class Directory: Sendable {
    private let handles = Mutex<[AccountID: AccountHandle]>([:])

    /// Empty: the shards enter what they load.
    public init() {}

    /// Nil where the account is not in memory or is being erased; whether it exists is the database's to say.
    public func find(_ account: AccountID) -> AccountHandle? { handles.withLock { $0[account] } }

    /// Accounts in memory, over all shards.
    public var count: Int { handles.withLock { $0.count } }

    func insert(_ handle: AccountHandle) { handles.withLock { $0[handle.id] = handle } }

    /// Removes this very handle; one that was loaded since stays.
    func remove(_ handle: AccountHandle) {
        handles.withLock { if $0[handle.id] === handle { $0[handle.id] = nil } }
    }
}
