internal import Dispatch

/// A serial executor over a Dispatch queue: jobs run one at a time, in the order they came, whatever their priority.
///
/// DESIGN.md, "Concurrency": a default actor is not FIFO under mixed priorities and DispatchSerialQueue does not exist on Linux. Actors and event
/// loops that must share an order share one of these. Blocking work (a writer, a reader) gets a queue of its own, which is a thread while it is busy.
package final class SerialQueue: SerialExecutor, CustomStringConvertible {
    let queue: DispatchQueue

    /// `label` shows in debuggers and crash reports.
    package init(label: String) {
        queue = DispatchQueue(label: label)
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Traps unless called on this queue, for `assumeIsolated` and `preconditionIsolated`.
    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }

    /// Runs `job` after all that was given to this queue before.
    package func execute(_ job: @escaping @Sendable () -> Void) {
        queue.async(execute: job)
    }

    /// Waits until all that was given to this queue before has run. Blocks; never from the queue itself, never on a loop.
    package func drain() {
        dispatchPrecondition(condition: .notOnQueue(queue))
        queue.sync {}
    }

    package var description: String { "SerialQueue(\(queue.label))" }
}
