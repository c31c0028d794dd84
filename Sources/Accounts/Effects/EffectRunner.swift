internal import JSON
internal import Persistence
internal import Redux
internal import Runtime

/// Runs committed effects when they are due, and reports each outcome as an action of its account.
///
/// The outbox on disk is the truth; here is only what is due within the horizon, in order of due time. An effect is run at least
/// once: its entry is removed in the transaction of its outcome, so a crash in between runs it again under the same id.
actor EffectRunner<Model: AccountModel> {
    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.unownedExecutor }

    private let database: Database
    private let limits: AccountLimits
    private let counters: AccountCounters
    private let log: Log
    private var environment: Model.Environment
    /// Dispatches an outcome; the answer comes after the commit.
    private let report: @Sendable (Model.Action, OutboxEntry, @escaping @Sendable (Verdict) -> Void) -> Void

    private var waiting = DueQueue()
    private var running: Set<OutboxID> = []
    /// Entries due after this are on disk only.
    private var horizon: Milliseconds = 0
    private var timer: TimerID?
    private var isStopped = false

    /// How far ahead entries are held in memory, and how many are fetched at a time.
    static var horizonLength: Milliseconds { 60_000 }
    static var fetchMax: Int { 1024 }

    init(
        loop: EventLoop, database: Database, limits: AccountLimits, counters: AccountCounters, log: Log,
        environment: Model.Environment,
        report: @escaping @Sendable (Model.Action, OutboxEntry, @escaping @Sendable (Verdict) -> Void) -> Void
    ) {
        self.loop = loop
        self.database = database
        self.limits = limits
        self.counters = counters
        self.log = log
        self.environment = environment
        self.report = report
    }

    nonisolated func perform(_ body: @escaping @Sendable (isolated EffectRunner<Model>) -> Void) {
        loop.execute { _ in self.assumeIsolated(body) }
    }

    func replace(environment: Model.Environment) { self.environment = environment }

    /// Takes up what an earlier process left, and goes on from there.
    func start() { fetch() }

    /// Starts nothing more. What runs may finish; its outcome finds the store or is repeated after the restart.
    func stop() {
        isStopped = true
        if let timer { loop.assumeIsolated { _ = $0.cancel(timer) } }
    }

    /// Effects whose transaction has just been committed.
    func committed(_ entries: [OutboxEntry]) {
        for entry in entries where entry.due <= horizon { waiting.insert(entry) }
        runDue()
    }

    /// Forgets what waits for an account that has been erased. What runs is reported to nobody.
    func forget(_ account: AccountID) { waiting.remove(of: account) }

    // MARK: The queue

    private func fetch() {
        let until = loop.time.wallMilliseconds() + Self.horizonLength
        database.dueEffects(upTo: until, limit: Self.fetchMax) { result in
            self.perform { $0.fetched(result, until: until) }
        }
    }

    private func fetched(_ result: Result<[OutboxEntry], StorageFault>, until: Milliseconds) {
        guard !isStopped else { return }
        switch result {
        case .success(let entries):
            for entry in entries where !running.contains(entry.id) { waiting.insert(entry) }
            // A full page: what lies behind it is fetched once this is done with.
            horizon = entries.count < Self.fetchMax ? until : (entries.last?.due ?? until)
        case .failure(let fault):
            log.error("outbox not read", ["reason": .text(fault.description)])
        }
        runDue()
    }

    private func runDue() {
        guard !isStopped else { return }
        let now = loop.time.wallMilliseconds()
        while running.count < limits.effectsRunningMax, let entry = waiting.popDue(at: now) { run(entry) }
        arm(now)
    }

    private func arm(_ now: Milliseconds) {
        if let timer { loop.assumeIsolated { _ = $0.cancel(timer) } }
        let next = min(waiting.nextDue ?? .max, horizon - Self.horizonLength / 2)
        // With every place taken, the end of a run looks at the queue; this is only a net.
        let delay = running.count >= limits.effectsRunningMax ? 1000 : max(1, next - now)
        timer = loop.assumeIsolated { wake(after: Int(min(delay, Self.horizonLength)), on: $0) }
    }

    private func wake(after milliseconds: Int, on loop: isolated EventLoop) -> TimerID {
        loop.schedule(afterMilliseconds: milliseconds) { self.assumeIsolated { $0.wake() } }
    }

    private func wake() {
        timer = nil
        let isFarAlong = loop.time.wallMilliseconds() >= horizon - Self.horizonLength / 2
        if isFarAlong, waiting.count < Self.fetchMax / 2 { fetch() } else { runDue() }
    }

    // MARK: One effect

    private func run(_ entry: OutboxEntry) {
        running.insert(entry.id)
        let environment = environment
        Task {
            let outcome: Result<Model.Action, any Error>
            do {
                let effect = try JSONDecoding.decode(
                    Model.Effect.self, from: JSONReader.read(entry.payload), unknownMembers: .ignore)
                let run = EffectRun(
                    id: entry.id.description, account: entry.account, revision: entry.revision, attempt: entry.attempt + 1)
                outcome = .success(try await Model.perform(effect, run: run, in: environment))
            } catch {
                outcome = .failure(error)
            }
            finished(entry, outcome)
        }
    }

    private func finished(_ entry: OutboxEntry, _ outcome: Result<Model.Action, any Error>) {
        switch outcome {
        case .success(let action):
            counters.effectsRun.add(1)
            report(action, entry) { verdict in self.perform { $0.settled(entry, verdict) } }
        case .failure(let error):
            counters.effectsFailed.add(1)
            log.error(
                "effect failed", ["effect": .text(entry.id.description), "kind": .text(entry.kind), "reason": .text("\(error)")])
            retry(entry)
        }
    }

    private func settled(_ entry: OutboxEntry, _ verdict: Verdict) {
        switch verdict {
        case .done, .replayed, .noAccount:
            running.remove(entry.id)
        case .refused(let refusal, _):
            // A fact should never be refused. The entry stays, dead, with the reason; the rest goes on.
            log.error("outcome refused", ["effect": .text(entry.id.description), "reason": .text(refusal.kind.slug)])
            running.remove(entry.id)
            database.submit([.bury(entry.id, reason: refusal.kind.slug)]) { _ in }
        default:
            retry(entry)
        }
        runDue()
    }

    /// Tries again later, twice as late each time; the new due time is on disk before it counts.
    private func retry(_ entry: OutboxEntry) {
        var entry = entry
        entry.attempt += 1
        running.remove(entry.id)
        guard entry.attempt < limits.effectAttemptsMax else {
            database.submit([.bury(entry.id, reason: "too many attempts")]) { _ in }
            return
        }
        entry.due = loop.time.wallMilliseconds() + min(60_000, 200 << Milliseconds(entry.attempt))
        let again = entry
        database.submit([.reschedule(again.id, due: again.due, attempt: again.attempt)]) { _ in
            self.perform { runner in
                runner.waiting.insert(again)
                runner.runDue()
            }
        }
    }
}
