internal import CLinux
internal import Glibc
internal import Synchronization

/// Wakes a thread that sleeps in epoll_wait (eventfd(2)); rings only where somebody sleeps, and once for each sleep.
final class Doorbell: Sendable {
    private let descriptor: Descriptor
    private let isAwaited = Atomic<Bool>(false)

    init() throws(SystemError) {
        descriptor = Descriptor(
            adopting: Int32(try System.checked("eventfd") { Int(eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))) }))
    }

    var raw: Int32 { descriptor.raw }

    /// From now on `ring` wakes. The sleeper looks for work once more after this, and only then sleeps: so nothing is missed.
    func beginSleep() { isAwaited.store(true, ordering: .sequentiallyConsistent) }

    /// The sleeper is awake: ringing is for nothing.
    func endSleep() { isAwaited.store(false, ordering: .sequentiallyConsistent) }

    /// Wakes the sleeper, if there is one. From any thread.
    func ring() {
        guard isAwaited.load(ordering: .sequentiallyConsistent),
            isAwaited.exchange(false, ordering: .sequentiallyConsistent)
        else { return }
        // Only a counter at its end would block, after 2^64 - 2 rings that nobody heard.
        _ = eventfd_write(descriptor.raw, 1)
    }

    /// Takes back what was rung, after waking.
    func silence() {
        var count: eventfd_t = 0
        _ = unsafe eventfd_read(descriptor.raw, &count)
    }
}
