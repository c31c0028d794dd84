internal import Redux

/// The stores of one shard, and which of them to suspend: a dictionary, and a ring that a hand goes round (the clock algorithm).
///
/// A store that was used since the hand last passed is passed by; so finding one to suspend is constant work on average, and a
/// read costs one flag, not a move in a list.
struct StoreTable<Model: AccountModel> {
    private var stores: [AccountID: LiveStore<Model>] = [:]
    private var ring: [LiveStore<Model>] = []
    private var hand = 0

    var count: Int { stores.count }
    var all: some Sequence<LiveStore<Model>> { ring }

    subscript(account: AccountID) -> LiveStore<Model>? { stores[account] }

    mutating func insert(_ store: LiveStore<Model>) {
        precondition(stores.updateValue(store, forKey: store.handle.id) == nil, "an account has one store")
        store.place = ring.count
        ring.append(store)
    }

    mutating func remove(_ store: LiveStore<Model>) {
        guard stores[store.handle.id] === store else { return }
        stores[store.handle.id] = nil
        let last = ring.removeLast()
        if last !== store {
            ring[store.place] = last
            last.place = store.place
        }
    }

    /// Moves the hand over at most `steps` stores and returns those that may leave memory: nothing of them waits for a commit, nobody
    /// keeps them, and they were not used since `idleSince`.
    mutating func sweep(steps: Int, now: Milliseconds, idleSince: Milliseconds) -> [LiveStore<Model>] {
        var leaving: [LiveStore<Model>] = []
        for _ in 0..<min(steps, ring.count) {
            if hand >= ring.count { hand = 0 }
            let store = ring[hand]
            hand += 1
            if store.handle.takeUse() { store.lastUsed = now }
            if store.lastUsed <= idleSince, store.isSettled, !store.handle.isKept { leaving.append(store) }
        }
        return leaving
    }
}
