internal import Dispatch

/// Waits for something that is done elsewhere: while the process starts, on its first thread. Never on a loop or a queue.
package final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    package init() {}

    /// Lets the waiting thread go on. Called once, from anywhere.
    package func open() { semaphore.signal() }

    /// Blocks until `open` was called.
    package func wait() { semaphore.wait() }
}
