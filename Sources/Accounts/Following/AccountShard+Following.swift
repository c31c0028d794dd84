internal import Persistence
internal import Redux

/// What a follower starts from.
public struct FeedStart: Sendable {
    /// The account, kept in memory until `unfollow`.
    public let handle: AccountHandle
    /// The committed state at the moment from which on every commit is told.
    public let published: PublishedState
    /// The transitions after the revision asked for, up to `published`; empty where memory does not reach back so far.
    public let backlog: [FeedEvent]
}

extension AccountShard {
    /// Follows an account from now on: `done` is told of the start, then the listener of every commit after it, in order, all on this executor.
    func follow(
        _ account: AccountID, as id: UInt64, _ listener: FeedListener, after revision: Revision?,
        done: @escaping @Sendable (Result<FeedStart, OpenFault>) -> Void
    ) {
        open(account) { result in
            self.assumeIsolated { shard in
                switch result {
                case .failure(let fault): done(.failure(fault))
                case .success(let handle): done(.success(shard.attach(handle, as: id, listener, after: revision)))
                }
            }
        }
    }

    private func attach(_ handle: AccountHandle, as id: UInt64, _ listener: FeedListener, after revision: Revision?) -> FeedStart
    {
        let feed = feeds[handle.id] ?? AccountFeed(handle)
        feeds[handle.id] = feed
        let store = stores[handle.id]
        feed.add(
            id, listener, committed: store.flatMap { $0.isSettled ? .init(state: $0.state, revision: $0.head) : nil })
        return FeedStart(
            handle: handle, published: handle.published, backlog: revision.map { feed.backlog(after: $0) } ?? [])
    }

    /// Ends what `follow` began; harmless where it has ended.
    func unfollow(_ account: AccountID, as id: UInt64) {
        guard let feed = feeds[account] else { return }
        feed.remove(id)
        guard feed.isEmpty else { return }
        feed.close()
        feeds[account] = nil
    }

    /// Tells the followers of committed stores; called with at least one feed open.
    func tellFollowers(
        of reached: [(store: LiveStore<Model>, revision: Revision, state: Shared<Model.State>)], _ writes: [Write]
    ) {
        var entries: [AccountID: [LogEntry]] = [:]
        for case .append(let entry) in writes where feeds[entry.account] != nil {
            entries[entry.account, default: []].append(entry)
        }
        for (store, revision, state) in reached {
            let account = store.handle.id
            guard let committed = entries[account], let feed = feeds[account], stores[account] === store else { continue }
            feed.tell(committed, reaching: .init(state: state.value, revision: revision), history: service.history)
        }
    }
}
