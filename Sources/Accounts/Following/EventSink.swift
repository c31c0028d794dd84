public import Redux
public import Runtime

/// What a follower is sent.
public enum FollowerEvent: Sendable {
    case transition(FeedEvent, patched: Bool)
    /// The committed state; after a reset where there is a reason.
    case snapshot(PublishedState, reset: ResetReason?)
    /// A view's value, which differs from the one before.
    case view(value: [UInt8], id: EventID, reset: ResetReason?)
    /// A sign of life, with the newest committed revision.
    case heartbeat(Revision)
    /// The last event; the client may go on after `resume`.
    case bye(ByeReason, resume: EventID?)
}

/// Where a follower's events go: a client's connection, or a test's list. Used on one loop, but for `prepare`.
public protocol EventSink: Sendable {
    /// Makes the form of a transition that `send` will want, on the account's executor: once for all who follow.
    func prepare(_ event: FeedEvent, patched: Bool, epoch: String)
    /// Takes an event whole. False where there is no room, or nobody any more.
    func send(_ event: FollowerEvent, epoch: String, on loop: isolated EventLoop) -> Bool
    /// Runs `job` once when there is room again; never where nobody is there any more.
    func whenWritable(on loop: isolated EventLoop, _ job: @escaping EventLoop.LocalJob)
    /// Ends it; what was sent before still leaves.
    func end(on loop: isolated EventLoop)
}
