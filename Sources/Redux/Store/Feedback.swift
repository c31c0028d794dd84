/// Where an action comes from: the action from outside at the root of its chain, and its distance from it.
@usableFromInline
struct Cause: Hashable, Sendable {
    /// Names the action from outside, within its store.
    @usableFromInline let root: UInt64
    /// 0 for the action from outside, one more with each follow-up.
    @usableFromInline let depth: Int

    @inlinable
    init(root: UInt64, depth: Int = 0) {
        self.root = root
        self.depth = depth
    }

    /// The cause of what is dispatched by an action of this cause.
    @inlinable var next: Cause { Cause(root: root, depth: depth + 1) }
}

/// Counts what each action from outside causes, and refuses what is past the bounds, so that no feedback loop is endless.
@usableFromInline
struct FeedbackGuard {
    @usableFromInline let perActionMax: Int
    @usableFromInline let depthMax: Int
    /// Follow-ups so far, by root; only roots that have any.
    @usableFromInline var counts: [UInt64: Int] = [:]

    @inlinable
    init(_ limits: StoreLimits) {
        perActionMax = limits.followUpsPerActionMax
        depthMax = limits.followUpDepthMax
    }

    /// The refusal of an action whose chain is longer than the bound.
    var chainTooLong: Refusal {
        Refusal(.feedbackLimit, "A chain of actions causing each other may be \(depthMax) long.")
    }

    /// Counts `actions` follow-ups of `cause` (which has their own depth), or throws `feedback-limit` and counts nothing.
    @usableFromInline
    mutating func admit(_ actions: Int, cause: Cause) throws(Refusal) {
        guard cause.depth <= depthMax else { throw chainTooLong }
        let count = counts[cause.root, default: 0] + actions
        guard count <= perActionMax else {
            throw Refusal(.feedbackLimit, "One action may cause \(perActionMax) further ones.")
        }
        counts[cause.root] = count
    }

    /// Forgets a root whose chain has ended.
    @usableFromInline
    mutating func forget(root: UInt64) {
        counts[root] = nil
    }

    /// Forgets everything: no chain is running.
    @inlinable
    mutating func reset() {
        if !counts.isEmpty { counts.removeAll(keepingCapacity: true) }
    }
}
