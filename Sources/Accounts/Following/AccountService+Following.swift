public import Redux
internal import Synchronization

/// The ids of followers, unique in the process.
public enum FollowerID {
    private static let last = Atomic<UInt64>(0)

    /// An id for one follower, never given out before; from any thread.
    public static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}

extension AccountService {
    /// Follows an account under an id from `FollowerID.next()`: `done` is told of the start, then `listener` of every commit after it, in
    /// order, all on the account's executor. The account stays in memory until `unfollow`.
    ///
    /// Where `done` is told of success after `unfollow` was called, `unfollow` has to be called again.
    public func follow(
        _ account: AccountID, as id: UInt64, _ listener: FeedListener, after revision: Revision? = nil,
        done: @escaping @Sendable (Result<FeedStart, OpenFault>) -> Void
    ) {
        shard(of: account).perform { $0.follow(account, as: id, listener, after: revision, done: done) }
    }

    /// Ends what `follow` began; harmless where it has ended.
    public func unfollow(_ account: AccountID, as id: UInt64) {
        shard(of: account).perform { $0.unfollow(account, as: id) }
    }
}
