public import Redux

/// Where one follower of transitions stands: what it was sent, what is known to be committed, and so what comes next.
///
/// A value without I/O. Its invariant is the promise to the client: what is sent is always `sent + 1`, or a snapshot. Live transitions
/// are sent only while the follower is abreast of them; else they are only noted, and read from the log once it can take them.
public struct FollowerCursor: Equatable, Sendable {
    /// What to do next.
    public enum Step: Equatable, Sendable {
        /// Nothing, until there is another input.
        case wait
        /// Send the newest committed state, after a `reset` where there is a reason for one; then `snapshotSent` or `blocked`.
        case sendSnapshot(ResetReason?)
        /// Read the log after a revision; then `pageEnded`, `trimmed`, or `pageEnded` later where it cannot be read now.
        case read(after: Revision)
    }

    /// The newest revision the client has been given.
    public private(set) var sent: Revision
    /// The newest revision known to be committed.
    public private(set) var known: Revision
    private var isBlocked = false
    private var isReading = false
    private var mustSnapshot: Bool
    private var reset: ResetReason?

    /// Starts where a client wants to, on an account at `head` of an epoch.
    public init(_ resumption: Resumption, epoch: String, head: Revision) {
        sent = head
        known = head
        mustSnapshot = true
        switch resumption {
        case .fresh: break
        case .unknown: reset = .unknown
        case .after(let id) where id.epoch != epoch: reset = .epoch
        case .after(let id): resume(after: id.revision)
        case .afterRevision(let revision): resume(after: revision)
        }
    }

    private mutating func resume(after revision: Revision) {
        guard revision <= known else { return reset = .unknown }
        sent = revision
        mustSnapshot = false
    }

    /// The next step. A read is handed out once: it is under way then.
    public mutating func next() -> Step {
        guard !isBlocked, !isReading else { return .wait }
        if mustSnapshot { return .sendSnapshot(reset) }
        guard sent < known else { return .wait }
        isReading = true
        return .read(after: sent)
    }

    /// Notes what is committed.
    public mutating func learn(_ revision: Revision) { known = max(known, revision) }

    /// Whether a live transition is the one to be sent now; where it is not, it will be read from the log or was sent before.
    public func wants(_ revision: Revision) -> Bool { !isBlocked && !isReading && !mustSnapshot && revision == sent + 1 }

    /// Whether a transition of the page being read is the one to be sent now. Never beyond what is known: the client could not come back with it.
    public func wantsRead(_ revision: Revision) -> Bool { !isBlocked && revision == sent + 1 && revision <= known }

    /// The transition was taken by the client's connection.
    public mutating func wrote(_ revision: Revision) {
        precondition(revision == sent + 1, "transitions are sent without gap or repeat")
        sent = revision
        learn(revision)
    }

    /// The snapshot was taken by the client's connection; transitions go on behind it.
    public mutating func snapshotSent(at revision: Revision) {
        sent = revision
        learn(revision)
        mustSnapshot = false
        reset = nil
    }

    /// The connection takes nothing more, until `writable`.
    public mutating func blocked() { isBlocked = true }
    /// The connection takes more again.
    public mutating func writable() { isBlocked = false }

    /// The read has ended, whether or not it brought anything; what is missing is read anew.
    public mutating func pageEnded() { isReading = false }

    /// What follows `sent` is not kept any more.
    public mutating func trimmed() {
        isReading = false
        mustSnapshot = true
        reset = .trimmed
    }
}
