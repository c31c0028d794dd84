internal import Persistence
public import Redux

/// The bounds of the account layer. Each has an answer of its own: 503 `overloaded` unless said otherwise.
public struct AccountLimits: Sendable {
    /// Answers of one account that may wait for a commit.
    public var mailboxActionsMax = 1024
    /// Actions in one atomic batch (422 `batch-too-large`).
    public var batchActionsMax = 100
    /// Accounts that may be on their way into memory, for each shard.
    public var loadsMax = 1024
    /// Accounts in memory, over all shards; the least recently used leave first.
    public var storesInMemoryMax = 100_000
    /// How long an unused account stays in memory.
    public var idleMilliseconds: Milliseconds = 300_000
    /// Actions an account may dispatch in the long run, each second (429 `rate-limited`); 0 is off.
    public var actionsPerSecond = 0.0
    /// Actions it may dispatch at once; 0 is those of one second.
    public var actionsBurst = 0
    /// Actions that may wait for the writer, on each event loop.
    public var waitingActionsMax = 32_768
    /// How long the oldest of them may have waited before no more are let in.
    public var commitWaitMilliseconds: Milliseconds = 2_000
    /// Items of one account that may be postponed at a time (429 `too-many-postponed`).
    public var postponedMax = 256
    /// For effects: they wait or are given up; only where too many wait, a request is refused.
    public var effects = EffectLimits()
    /// Log entries of an account that are kept at least; nil keeps all.
    public var logActionsKeptMin: Revision?
    /// How long log entries are kept at least; nil keeps them for good.
    public var logKeptMilliseconds: Milliseconds?

    /// A service's bounds: no rate, and every log entry kept. Each can be set afterwards.
    public init() {}

    /// What of a log may go now; nil where all is kept.
    func retention(at now: Milliseconds) -> LogRetention? {
        guard logActionsKeptMin != nil || logKeptMilliseconds != nil else { return nil }
        return LogRetention(actionsMin: logActionsKeptMin, before: logKeptMilliseconds.map { now - $0 })
    }
}
