internal import Dispatch
internal import Synchronization

/// A serial executor over a Dispatch queue: jobs run one at a time, in the order they came, whatever their priority.
///
/// DESIGN.md, "Concurrency": a default actor is not FIFO under mixed priorities and DispatchSerialQueue does not exist on Linux. Actors and event
/// loops that must share an order share one of these. Blocking work (a writer, a reader) gets a queue of its own, which is a thread while it is busy.
public final class SerialQueue: SerialExecutor, CustomStringConvertible {
    let queue: DispatchQueue
    /// Wakes the job that sleeps on this queue, where one may: an event loop that waits for its sockets.
    let doorbell: Doorbell?
    /// Jobs given and not yet begun.
    private let waiting = Atomic<Int>(0)
    /// Jobs that have ended, with the order that the queue gives them: what a job wrote, the next one sees. Dispatch sees to that by itself, but
    /// in a way that the thread sanitizer does not know.
    private let ended = Atomic<Int>(0)

    /// `label` shows in debuggers and crash reports.
    public convenience init(label: String) {
        self.init(label: label, doorbell: nil)
    }

    init(label: String, doorbell: consuming Doorbell?) {
        queue = DispatchQueue(label: label)
        self.doorbell = doorbell
    }

    /// Runs an actor's job after all that was given to this queue before, whatever its priority.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        execute { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// An ordinary reference, which does not keep the queue alive.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Traps unless called on this queue, for `assumeIsolated` and `preconditionIsolated`.
    public func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Runs `job` after all that was given to this queue before.
    public func execute(_ job: @escaping @Sendable () -> Void) {
        announce()
        queue.async { self.run(job) }
        doorbell?.ring()
    }

    /// Runs `job` after all that was given to this queue before, and waits for it. Blocks; never from the queue itself, never on a loop.
    func sync<Result>(_ job: () -> Result) -> Result {
        dispatchPrecondition(condition: .notOnQueue(queue))
        announce()
        // Rung before it waits: what came before this is on the queue already, and sleeps no more.
        doorbell?.ring()
        return queue.sync { run(job) }
    }

    /// Waits until all that was given to this queue before has run. Blocks; never from the queue itself, never on a loop.
    public func drain() {
        sync {}
    }

    /// Whether jobs wait for the one that runs.
    var hasWaiting: Bool { waiting.load(ordering: .sequentiallyConsistent) > 0 }

    /// Runs a handler that Dispatch calls on this queue by itself, in the order of the queue's jobs.
    func ordered<Result>(_ job: () -> Result) -> Result {
        _ = ended.load(ordering: .acquiring)
        defer { ended.add(1, ordering: .releasing) }
        return job()
    }

    private func announce() {
        waiting.add(1, ordering: .sequentiallyConsistent)
    }

    private func run<Result>(_ job: () -> Result) -> Result {
        waiting.subtract(1, ordering: .sequentiallyConsistent)
        return ordered(job)
    }

    /// With the label, for debuggers and crash reports.
    public var description: String { "SerialQueue(\(queue.label))" }
}
