/// The transitions waiting for a store's reactions, what caused each, and who waits until all is done. Belongs to its store's isolation.
///
/// A class, because the store's core writes to it from an observer.
final class ReactionQueue<State: Sendable, Action: Sendable> {
    struct Item {
        let transition: Transition<State, Action>
        let cause: Cause
    }

    /// Waits until no root up to `newest` is live any more.
    private struct Settler {
        let newest: UInt64
        let resume: () -> Void
    }

    let itemsMax: Int
    /// The cause of what the store is dispatching now.
    private(set) var cause = Cause(root: 0)

    private var items = FIFO<Item>()
    /// Waiting and running items, by root; only roots that have any.
    private var live: [UInt64: Int] = [:]
    private var newestRoot: UInt64 = 0
    private var feedback: FeedbackGuard
    private var settlers: [Settler] = []

    init(_ limits: StoreLimits) {
        itemsMax = limits.reactionsQueuedMax
        feedback = FeedbackGuard(limits)
    }

    var isEmpty: Bool { items.isEmpty }

    /// Nothing waits or runs, and nothing is remembered of what did.
    var isIdle: Bool { items.isEmpty && live.isEmpty && settlers.isEmpty && feedback.counts.isEmpty }

    /// Lets `actions` actions in from outside the store, and settles what caused them.
    ///
    /// From a reaction of this store they belong to that reaction's root while it is live. From another store's they are a root of their own, but
    /// go on with its depth, so that two stores cannot play ping-pong for ever.
    func admit(_ actions: Int, from origin: ReactionScope.Origin?, store: ObjectIdentifier) throws(Refusal) {
        guard items.count < itemsMax else {
            throw Refusal(.mailboxFull, "\(items.count) transitions are waiting for the store's reactions.")
        }
        guard let origin else { return begin() }
        let next = origin.cause.next
        if origin.store == store && live[next.root] != nil {
            try feedback.admit(actions, cause: next)
            cause = next
        } else {
            guard next.depth <= feedback.depthMax else { throw feedback.chainTooLong }
            begin(depth: next.depth)
        }
    }

    /// Makes what the store does next a root of its own.
    func begin(depth: Int = 0) {
        newestRoot += 1
        cause = Cause(root: newestRoot, depth: depth)
    }

    func append(_ transition: Transition<State, Action>) {
        items.append(Item(transition: transition, cause: cause))
        live[cause.root, default: 0] += 1
    }

    func next() -> Item? { items.popFirst() }

    /// Every reaction to an item has run: wakes whom that settles.
    func finish(_ item: Item) {
        let root = item.cause.root
        let left = (live[root] ?? 1) - 1
        guard left == 0 else {
            live[root] = left
            return
        }
        live[root] = nil
        feedback.forget(root: root)
        guard !settlers.isEmpty else { return }
        let oldest = live.keys.min() ?? .max
        let settled = settlers.filter { $0.newest < oldest }
        settlers.removeAll { $0.newest < oldest }
        for settler in settled { settler.resume() }
    }

    /// Calls `resume` once everything caused so far has run: at once where nothing is left.
    func whenSettled(_ resume: @escaping () -> Void) {
        if live.isEmpty {
            resume()
        } else {
            settlers.append(Settler(newest: newestRoot, resume: resume))
        }
    }
}
