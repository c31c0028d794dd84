internal import Dispatch
internal import Synchronization

/// One event loop: a serial queue, an epoll set behind one Dispatch source, timers, and jobs from other threads.
///
/// Everything a loop owns (connections, timers, its share of the accounts) is confined to this actor, statically checked. Actors that share
/// `executor` share its thread and order and may use `assumeIsolated` from its jobs.
///
/// A *turn* is: ready descriptors, jobs from other threads, due timers, then the end-of-turn jobs; so what a turn produces leaves in one go.
///
/// Between turns the loop first waits in epoll_wait itself, woken by its doorbell, and goes back to Dispatch only when nothing has come for a
/// while or another job of its queue waits: the way through Dispatch costs two changes of thread, which under load is a good part of a request.
public actor EventLoop {
    /// A job from any thread.
    public typealias Job = @Sendable (isolated EventLoop) -> Void
    /// A job made on the loop itself, where it also runs; may hold what only the loop may touch, and the loop, whose isolation it inherits by that.
    public typealias LocalJob = () -> Void

    /// How long the loop waits for its descriptors by itself before Dispatch waits for it.
    static let lingerMilliseconds = 100
    /// Rounds of end-of-turn jobs begetting end-of-turn jobs, before the rest waits for another turn.
    static let endOfTurnRoundsMax = 64

    /// Which of the service's loops this is, from 0.
    public nonisolated let index: Int
    /// The order and thread of this loop, to be shared by actors that live on it.
    public nonisolated let executor: SerialQueue
    /// Where this loop's time comes from.
    public nonisolated let time: TimeSource

    /// The monotonic time at which the current turn began.
    public private(set) var now: MonotonicTime
    /// The wall time at which the current turn began, in milliseconds since 1970.
    public private(set) var wallMilliseconds: Int64

    private nonisolated let inbox = Mutex(Inbox())
    private var running: [Job] = []
    private var endings: [LocalJob] = []
    private var endingsRunning: [LocalJob] = []
    private var poller: Poller
    private let doorbell: Doorbell
    private var timers = TimerHeap<LocalJob>()
    private var timerArmed = MonotonicTime.never
    private var source: (any DispatchSourceRead)?
    private var alarm: (any DispatchSourceTimer)?
    var locals: [AnyObject] = []

    private struct Inbox {
        var jobs: [Job] = []
        /// A wake-up is on its way; it will see every job added before it runs.
        var isWaking = false
        /// The loop waits in epoll_wait: ringing wakes it.
        var isLingering = false
    }

    /// That of `executor`, so that the loop's isolation is its queue's.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Makes a loop and starts it; it runs until `stop`.
    public init(index: Int = 0, time: TimeSource = .system) throws(SystemError) {
        self.index = index
        self.time = time
        doorbell = try Doorbell()
        executor = SerialQueue(label: "loop.\(index)", doorbell: doorbell)
        now = time.monotonic()
        wallMilliseconds = time.wallMilliseconds()
        poller = try Poller()
        _ = try poller.add(doorbell.raw, .read, DoorbellHandler(doorbell))
        executor.execute { [self] in assumeIsolated { $0.begin() } }
    }

    /// One loop per processor or so; `count` at least 1.
    public static func group(count: Int, time: TimeSource = .system) throws(SystemError) -> [EventLoop] {
        precondition(count >= 1)
        var loops: [EventLoop] = []
        for index in 0..<count { loops.append(try EventLoop(index: index, time: time)) }
        return loops
    }

    // The sources hold the loop until `stop` cancels them; only then is the epoll set closed, as Dispatch demands.
    private func begin() {
        let source = DispatchSource.makeReadSource(fileDescriptor: poller.raw, queue: executor.queue)
        source.setEventHandler { [self] in executor.ordered { assumeIsolated { $0.serve() } } }
        source.setCancelHandler { [self] in withExtendedLifetime(self) {} }
        self.source = source
        source.activate()
        // Dispatch opens a descriptor for its first timer, and traps where it gets none: so now, not when descriptors have run out.
        (alarm ?? makeAlarm()).schedule(deadline: .now() + .seconds(3600))
    }

    /// Ends the loop: no more events, timers or jobs. What is still registered is let go of (and so closed).
    public func stop() {
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
    public nonisolated func execute(_ job: @escaping Job) {
        let (mustWake, isLingering) = inbox.withLock { inbox in
            inbox.jobs.append(job)
            defer { inbox.isWaking = true }
            return (!inbox.isWaking, inbox.isLingering)
        }
        guard mustWake else { return }
        if isLingering {
            doorbell.ring()
        } else {
            executor.execute { [self] in assumeIsolated { $0.wake() } }
        }
    }

    /// Runs `body` on the loop and waits for it. For set-up and tests: blocks, and never from a loop.
    @discardableResult
    public nonisolated func runBlocking<Result: Sendable>(_ body: @Sendable (isolated EventLoop) -> Result) -> Result {
        executor.sync {
            assumeIsolated { loop in
                loop.readClocks()
                return body(loop)
            }
        }
    }

    /// Runs `job` once at the end of the current turn (or of the next, when called outside of one).
    public func endOfTurn(_ job: @escaping LocalJob) {
        if endings.isEmpty && !isInTurn { execute { _ in } }
        endings.append(job)
    }

    // MARK: Turns

    private var isInTurn = false

    /// Serves turn after turn until there is nothing to do for a while, or others on this queue wait.
    private func serve() {
        var ready: Int? = poller.wait(milliseconds: 0)
        while true {
            turn(ready: ready ?? 0)
            if ready == nil || executor.hasWaiting || source == nil { return }
            ready = linger()
        }
    }

    private func wake() {
        inbox.withLock { $0.isWaking = false }
        turn(ready: 0)
    }

    /// Waits for events, jobs or the next timer; how many events there are, or nil where nothing came and Dispatch is to wait instead.
    private func linger() -> Int? {
        var milliseconds = EventLoop.lingerMilliseconds
        if let earliest = timers.earliest {
            let left = earliest.nanoseconds(since: time.monotonic())
            milliseconds = Int(min(UInt64(milliseconds), (left + 999_999) / 1_000_000))
        }
        doorbell.beginSleep()
        let mustNotSleep = inbox.withLock { inbox in
            inbox.isLingering = !inbox.isWaking
            return inbox.isWaking
        }
        // What is given to the queue after this look rings.
        let isAwaited = mustNotSleep || executor.hasWaiting
        let count = poller.wait(milliseconds: isAwaited ? 0 : milliseconds)
        doorbell.endSleep()
        let wasRung = inbox.withLock { inbox in
            defer { inbox.isLingering = false }
            guard inbox.isLingering, inbox.isWaking else { return false }
            inbox.isWaking = false
            return true
        }
        return count > 0 || wasRung ? count : nil
    }

    /// One turn, beginning with the first `ready` events of the poller.
    private func turn(ready: Int) {
        isInTurn = true
        defer { isInTurn = false }
        readClocks()
        for position in 0..<ready {
            if let (handler, readiness) = poller.event(at: position) { handler.handle(readiness, on: self) }
        }
        runJobs()
        // Only as many as there are now: a job that sets a timer for at once does not keep the turn from its end.
        var left = timers.count
        while left > 0, let job = timers.popDue(by: now) {
            job()
            left -= 1
        }
        runEndings()
        armAlarm()
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
    public func schedule(at deadline: MonotonicTime, _ job: @escaping LocalJob) -> TimerID {
        let id = timers.insert(job, at: deadline)
        if !isInTurn {  // called by an actor that shares the executor: no turn's end will arm it
            readClocks()
            armAlarm()
        }
        return id
    }

    /// Runs `job` on this loop so many milliseconds from now (as of this turn's start).
    @discardableResult
    public func schedule(afterMilliseconds milliseconds: Int, _ job: @escaping LocalJob) -> TimerID {
        schedule(at: now.advanced(byMilliseconds: milliseconds), job)
    }

    /// Forgets a timer; false where it has fired already.
    @discardableResult
    public func cancel(_ timer: TimerID) -> Bool { timers.cancel(timer) }

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
        alarm.setEventHandler { [self] in executor.ordered { assumeIsolated { $0.ring() } } }
        self.alarm = alarm
        alarm.activate()
        return alarm
    }

    private func ring() {
        timerArmed = .never
        turn(ready: 0)
    }

    // MARK: Descriptors

    /// Adds a descriptor to the set. The caller keeps ownership of it, and must call `deregister` before it closes it.
    public func register(_ descriptor: borrowing Descriptor, for interest: Interest, _ handler: any EventHandler)
        throws(SystemError) -> Registration
    {
        try poller.add(descriptor.raw, interest, handler)
    }

    /// Changes what a registration waits for; free where nothing changes.
    public func update(_ registration: Registration, to interest: Interest) {
        poller.update(registration, to: interest)
    }

    /// Takes a descriptor out of the set; events of it that are still on their way are dropped.
    public func deregister(_ registration: Registration) {
        poller.remove(registration)
    }

    /// Who is registered there; nil once that registration has ended.
    public func handler(of registration: Registration) -> (any EventHandler)? {
        poller.handler(of: registration)
    }
}

/// Takes back what woke the loop.
private final class DoorbellHandler: EventHandler {
    private let doorbell: Doorbell

    init(_ doorbell: Doorbell) { self.doorbell = doorbell }

    func handle(_ readiness: Readiness, on loop: isolated EventLoop) { doorbell.silence() }
}
