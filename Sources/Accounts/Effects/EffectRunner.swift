internal import Persistence
internal import Redux
internal import Runtime

/// Runs committed effects when they are due, and reports each outcome as an action of its account.
///
/// The outbox on disk is the truth; here is only what is due within the horizon, in order of due time, and no more than memory is
/// given for it. So a million timers that wait cost rows, and neither a scan nor a thread. An effect is run at least once: its entry is
/// removed in the transaction of its outcome, so a crash in between runs it again under the same id.
///
///                  due                lanes free            an answer              committed
///     enqueued ───────────► parked ───────────────► running ──────────► reporting ───────────► gone
///        ▲                                          │  │  │                  │
///        │            no answer, attempts left      │  │  │                  │ not committed, or not known
///        ├──── rescheduled ◄────────────────────────┘  │  │                  │
///        │          ▲                                  │  │                  │
///        │          └──────────────────────────────────┼──┼──────────────────┘
///        │                  attempts or age run out    │  │ refused for good, and no fact says so
///        │                                             ▼  ▼
///        └──── `effects retry` ◄────────────────────── dead (a failure that may be told is reported in the same transaction)
///                                                       │
///                                                       └── `effects drop` ──► the failure is reported ──► gone
///
/// A newer entry with its key, a cancellation and the erasure of its account make an entry void: before it runs it is dropped, while it
/// runs its answer is, and is counted as late.
actor EffectRunner<Model: AccountModel> {
    /// What becomes of an entry in the transaction of its outcome.
    enum Ending: Sendable {
        case settle
        case bury(reason: String)
    }
    /// Dispatches an outcome; the answer comes after the commit.
    typealias Report = @Sendable (Model.Action, OutboxEntry, Ending, @escaping @Sendable (Verdict) -> Void) -> Void
    /// Tells the account that an entry has gone without an outcome.
    typealias Settled = @Sendable (OutboxID) -> Void

    /// An entry that has left the queue: it waits for a lane, runs, or is being reported or rescheduled.
    struct Active {
        let entry: OutboxEntry
        var isStarted = false
        /// Replaced or cancelled: whatever it answers, nothing comes of it.
        var isVoid = false
        var task: Task<Void, Never>?
    }

    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.unownedExecutor }

    let database: Database
    let limits: EffectLimits
    let counters: AccountCounters
    let log: Log
    private(set) var environment: Model.Environment
    let report: Report
    let settled: Settled

    // MARK: The queue's

    var waiting = DueQueue()
    /// Everything due before is in memory; what is due after is on disk only.
    var horizon = DuePlace.start
    var page = OutboxPage()
    var timer: TimerID?

    // MARK: Those that run

    var lanes: EffectLanes
    var active: [OutboxID: Active] = [:]
    /// The newest active entry of each key.
    var activeKeys: [EffectKey: OutboxID] = [:]
    var orderedKinds: [String: Bool] = [:]

    private var stopped: (@Sendable () -> Void)?
    private(set) var isStarted = false
    private(set) var isStopped = false
    /// The stop has not waited any longer: what still answers is heard by nobody.
    private(set) var isAbandoned = false

    init(
        loop: EventLoop, database: Database, limits: EffectLimits, counters: AccountCounters, log: Log,
        environment: Model.Environment, report: @escaping Report, settled: @escaping Settled
    ) {
        self.loop = loop
        self.database = database
        self.limits = limits
        self.counters = counters
        self.log = log
        self.environment = environment
        self.report = report
        self.settled = settled
        lanes = EffectLanes(limits)
    }

    nonisolated func perform(_ body: @escaping @Sendable (isolated EffectRunner<Model>) -> Void) {
        loop.execute { _ in self.assumeIsolated(body) }
    }

    func replace(environment: Model.Environment) { self.environment = environment }

    /// Takes up what an earlier process left, and goes on from there.
    func start() {
        isStarted = true
        fetch()
    }

    // MARK: The end

    /// Starts nothing more, and waits for what runs, a while; `done` runs here. What has not ended by then is run again after the start.
    func stop(_ done: @escaping @Sendable () -> Void) {
        isStopped = true
        stopped = done
        if let timer { loop.assumeIsolated { _ = $0.cancel(timer) } }
        for (id, known) in active where !known.isStarted { active[id] = nil }
        guard !active.isEmpty else { return finishStop() }
        loop.assumeIsolated { endStop(after: limits.stopMilliseconds, on: $0) }
    }

    private func endStop(after milliseconds: Int, on loop: isolated EventLoop) {
        loop.schedule(afterMilliseconds: milliseconds) { self.assumeIsolated { $0.finishStop() } }
    }

    func finishStop() {
        isAbandoned = true
        for known in active.values { known.task?.cancel() }
        stopped?()
        stopped = nil
    }
}
