internal import Dispatch
internal import Synchronization

/// One event loop: a serial queue, an epoll set behind one Dispatch source, timers, and jobs from other threads.
///
/// Everything a loop owns (connections, timers, its share of the accounts) is confined to this actor, statically checked. Actors that share
/// `executor` share its thread and order and may use `assumeIsolated` from its jobs.
///
/// A *turn* is: ready descriptors, jobs from other threads, due timers, then the end-of-turn jobs; so what a turn produces leaves in one go.
package actor EventLoop {
    /// A job from any thread.
    package typealias Job = @Sendable (isolated EventLoop) -> Void
    /// A job made on the loop itself, where it also runs; may hold what only the loop may touch, and the loop, whose isolation it inherits by that.
    package typealias LocalJob = () -> Void

    /// Turns served before other work of the queue gets its chance.
    static let turnsPerWakeMax = 16
    /// Rounds of end-of-turn jobs begetting end-of-turn jobs, before the rest waits for another turn.
    static let endOfTurnRoundsMax = 64

    /// Which of the service's loops this is, from 0.
    package nonisolated let index: Int
    /// The order and thread of this loop, to be shared by actors that live on it.
    package nonisolated let executor: SerialQueue
    /// Where this loop's time comes from.
    package nonisolated let time: TimeSource

    /// The monotonic time at which the current turn began.
    package private(set) var now: MonotonicTime
    /// The wall time at which the current turn began, in milliseconds since 1970.
    package private(set) var wallMilliseconds: Int64

    private nonisolated let inbox = Mutex(Inbox())
    private var running: [Job] = []
    private var endings: [LocalJob] = []
    private var endingsRunning: [LocalJob] = []
    private var poller: Poller
    private var timers = TimerHeap<LocalJob>()
    private var timerArmed = MonotonicTime.never
    private var source: (any DispatchSourceRead)?
    private var alarm: (any DispatchSourceTimer)?
    var locals: [AnyObject] = []

    private struct Inbox {
        var jobs: [Job] = []
        /// A wake-up is on its way; it will see every job added before it runs.
        var isWaking = false
    }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Makes a loop and starts it; it runs until `stop`.
    package init(index: Int = 0, time: TimeSource = .system) throws(SystemError) {
        self.index = index
        self.time = time
        executor = SerialQueue(label: "loop.\(index)")
        now = time.monotonic()
        wallMilliseconds = time.wallMilliseconds()
        poller = try Poller()
        executor.execute { [self] in assumeIsolated { $0.begin() } }
    }

    /// One loop per processor or so; `count` at least 1.
    package static func group(count: Int, time: TimeSource = .system) throws(SystemError) -> [EventLoop] {
        precondition(count >= 1)
        var loops: [EventLoop] = []
        for index in 0..<count { loops.append(try EventLoop(index: index, time: time)) }
        return loops
    }

    // The sources hold the loop until `stop` cancels them; only then is the epoll set closed, as Dispatch demands.
    private func begin() {
        let source = DispatchSource.makeReadSource(fileDescriptor: poller.raw, queue: executor.queue)
        source.setEventHandler { [self] in assumeIsolated { $0.serve() } }
        source.setCancelHandler { [self] in withExtendedLifetime(self) {} }
        self.source = source
        source.activate()
    }

    /// Ends the loop: no more events, timers or jobs. What is still registered is let go of (and so closed).
    package func stop() {
        source?.cancel()
        source = nil
        alarm?.cancel()
        alarm = nil
        poller.removeAll()
        timers = TimerHeap()
        endings.removeAll()
        locals.removeAll()
    }

    // MARK: Jobs

    /// Runs `job` on the loop, in order, soon; from any thread. Many jobs cost one wake-up.
    package nonisolated func execute(_ job: @escaping Job) {
        let mustWake = inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.isWaking = true }
            return !inbox.isWaking
        }
        if mustWake { executor.execute { [self] in assumeIsolated { $0.wake() } } }
    }

    /// Runs `body` on the loop and waits for it. For set-up and tests: blocks, and never from a loop.
    @discardableResult
    package nonisolated func runBlocking<Result: Sendable>(_ body: @Sendable (isolated EventLoop) -> Result) -> Result {
        executor.queue.sync {
            assumeIsolated { loop in
                loop.readClocks()
                return body(loop)
            }
        }
    }

    /// Runs `job` once at the end of the current turn (or of the next, when called outside of one).
    package func endOfTurn(_ job: @escaping LocalJob) {
        if endings.isEmpty && !isInTurn { execute { _ in } }
        endings.append(job)
    }

    // MARK: Turns

    private var isInTurn = false

    private func serve() {
        for _ in 0..<EventLoop.turnsPerWakeMax where turn(polling: true) == false { return }
    }

    private func wake() {
        inbox.withLock { $0.isWaking = false }
        _ = turn(polling: false)
    }

    /// Returns whether there were events, so that there may be more.
    private func turn(polling: Bool) -> Bool {
        isInTurn = true
        defer { isInTurn = false }
        readClocks()
        let count = polling ? poller.wait() : 0
        for position in 0..<count {
            if let (handler, readiness) = poller.event(at: position) { handler.handle(readiness, on: self) }
        }
        runJobs()
        while let job = timers.popDue(by: now) { job() }
        runEndings()
        armAlarm()
        return count > 0
    }

    private func readClocks() {
        now = time.monotonic()
        wallMilliseconds = time.wallMilliseconds()
    }

    private func runJobs() {
        inbox.withLock { swap(&$0.jobs, &running) }
        guard !running.isEmpty else { return }
        for job in running { job(self) }
        running.removeAll(keepingCapacity: true)
    }

    private func runEndings() {
        var rounds = 0
        while !endings.isEmpty {
            guard rounds < EventLoop.endOfTurnRoundsMax else { return execute { _ in } }
            rounds += 1
            swap(&endings, &endingsRunning)
            for job in endingsRunning { job() }
            endingsRunning.removeAll(keepingCapacity: true)
        }
    }

    // MARK: Timers

    /// Runs `job` on this loop once `deadline` has passed, never early.
    @discardableResult
    package func schedule(at deadline: MonotonicTime, _ job: @escaping LocalJob) -> TimerID {
        let id = timers.insert(job, at: deadline)
        if !isInTurn {  // called by an actor that shares the executor: no turn's end will arm it
            readClocks()
            armAlarm()
        }
        return id
    }

    /// Runs `job` on this loop so many milliseconds from now (as of this turn's start).
    @discardableResult
    package func schedule(afterMilliseconds milliseconds: Int, _ job: @escaping LocalJob) -> TimerID {
        schedule(at: now.advanced(byMilliseconds: milliseconds), job)
    }

    /// Forgets a timer; false where it has fired already.
    @discardableResult
    package func cancel(_ timer: TimerID) -> Bool { timers.cancel(timer) }

    /// Sees to it that a turn runs when the earliest timer is due. A wake-up too early is harmless, so later deadlines are not re-armed for.
    private func armAlarm() {
        guard let earliest = timers.earliest else { return }
        guard earliest < timerArmed || timerArmed <= now else { return }
        let alarm = self.alarm ?? makeAlarm()
        timerArmed = earliest
        alarm.schedule(deadline: .now() + .nanoseconds(Int(clamping: earliest.nanoseconds(since: now))), leeway: .milliseconds(1))
    }

    private func makeAlarm() -> any DispatchSourceTimer {
        let alarm = DispatchSource.makeTimerSource(queue: executor.queue)
        alarm.setEventHandler { [self] in assumeIsolated { $0.ring() } }
        self.alarm = alarm
        alarm.activate()
        return alarm
    }

    private func ring() {
        timerArmed = .never
        _ = turn(polling: false)
    }

    // MARK: Descriptors

    /// Adds a descriptor to the set. The caller keeps ownership of it, and must call `deregister` before it closes it.
    package func register(_ descriptor: borrowing Descriptor, for interest: Interest, _ handler: any EventHandler)
        throws(SystemError) -> Registration
    {
        try poller.add(descriptor.raw, interest, handler)
    }

    /// Changes what a registration waits for; free where nothing changes.
    package func update(_ registration: Registration, to interest: Interest) {
        poller.update(registration, to: interest)
    }

    /// Takes a descriptor out of the set; events of it that are still on their way are dropped.
    package func deregister(_ registration: Registration) {
        poller.remove(registration)
    }

    /// Who is registered there; nil once that registration has ended.
    package func handler(of registration: Registration) -> (any EventHandler)? {
        poller.handler(of: registration)
    }
}
