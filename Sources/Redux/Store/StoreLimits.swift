/// The bounds of one store; each has its own refusal.
///
/// | limit | default | past it |
/// | --- | --- | --- |
/// | `mailboxActionsMax` | 1024 | `mailbox-full` |
/// | `followUpsPerActionMax` | 256 | `feedback-limit` |
/// | `followUpDepthMax` | 16 | `feedback-limit` |
/// | `batchActionsMax` | 100 | `batch-too-large` |
/// | `reactionsQueuedMax` | 1024 | `mailbox-full` |
/// | `postponedThunksMax` | 1024 | `postponed-full` |
public struct StoreLimits: Hashable, Sendable {
    /// Follow-ups waiting for the running transition and its notifications to end; a batch waits in one place.
    public var mailboxActionsMax: Int
    /// Follow-ups caused by one action from outside, directly and through other follow-ups.
    public var followUpsPerActionMax: Int
    /// The longest chain of follow-ups, each caused by the one before; the action from outside has depth 0.
    public var followUpDepthMax: Int
    /// Actions of one atomic batch.
    public var batchActionsMax: Int
    /// Transitions waiting for a store's reactions; actions from outside are refused while so many wait.
    public var reactionsQueuedMax: Int
    /// Thunks postponed under all tags together.
    public var postponedThunksMax: Int

    /// The defaults suit a service. All bounds are positive, except `followUpDepthMax` and `followUpsPerActionMax`, where 0 forbids follow-ups.
    public init(
        mailboxActionsMax: Int = 1024, followUpsPerActionMax: Int = 256, followUpDepthMax: Int = 16, batchActionsMax: Int = 100,
        reactionsQueuedMax: Int = 1024, postponedThunksMax: Int = 1024
    ) {
        precondition(
            mailboxActionsMax > 0 && batchActionsMax > 0 && reactionsQueuedMax > 0 && postponedThunksMax > 0,
            "a store's queues and batches hold at least one entry")
        precondition(followUpsPerActionMax >= 0 && followUpDepthMax >= 0, "a store's bounds on follow-ups are not negative")
        self.mailboxActionsMax = mailboxActionsMax
        self.followUpsPerActionMax = followUpsPerActionMax
        self.followUpDepthMax = followUpDepthMax
        self.batchActionsMax = batchActionsMax
        self.reactionsQueuedMax = reactionsQueuedMax
        self.postponedThunksMax = postponedThunksMax
    }
}

/// The refusals of the store itself, whatever its model.
extension RefusalKind {
    /// One action caused more follow-ups, or a longer chain of them, than the store allows.
    public static let feedbackLimit = RefusalKind("feedback-limit", title: "An action causes too many further actions.")

    /// The store has as much waiting as it may hold; nothing was done, and trying later helps.
    public static let mailboxFull = RefusalKind("mailbox-full", title: "The store's mailbox is full.", status: 503)

    /// An atomic batch of more actions than the store takes at once.
    public static let batchTooLarge = RefusalKind("batch-too-large", title: "The batch holds too many actions.", status: 422)

    /// As many thunks are postponed as the store may hold.
    public static let postponedFull = RefusalKind("postponed-full", title: "Too much is postponed.", status: 503)

    /// Every refusal a store adds to those of its model, for documents.
    public static let ofStores: [RefusalKind] = [.feedbackLimit, .mailboxFull, .batchTooLarge, .postponedFull]
}
