internal import Dispatch

/// Waits for something that is done elsewhere: while the process starts, on its first thread. Never on a loop or a queue.
public final class Latch: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    /// Shut, until `open` is called.
    public init() {}

    /// Lets the waiting thread go on. Called once, from anywhere.
    public func open() { semaphore.signal() }

    /// Blocks until `open` was called.
    public func wait() { semaphore.wait() }
}
