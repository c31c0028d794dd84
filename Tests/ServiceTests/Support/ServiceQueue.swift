import Dispatch

/// Where the tests of the spawned service run: one after another, on a queue of their own.
///
/// They block on sockets and child processes, which the threads of Swift's concurrency pool must not; and two services at a time
/// on a small machine only make deadlines tight. Isolation, rather than a queue's closure, keeps a failure with its test.
@globalActor actor ServiceQueue {
    static let shared = ServiceQueue()

    private let executor = QueueExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
}

/// A serial executor over one Dispatch queue.
private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "service tests")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            // Each job is enqueued once and run once, here.
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        // The actor owns this executor and is never freed.
        unsafe UnownedSerialExecutor(ordinary: self)
    }
}
