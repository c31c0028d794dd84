import Redux
import Synchronization

/// A clock that stands still until a test moves it; nobody sleeps.
final class ManualClock: Sendable {
    private struct Waiter {
        let due: Milliseconds
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct Face {
        var now: Milliseconds = 0
        /// In order of arrival.
        var waiters: [Waiter] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let face = Mutex(Face())

    /// Returns once the clock has been moved by `duration`.
    func wait(_ duration: Milliseconds) async {
        await withCheckedContinuation { continuation in
            let watchers = face.withLock { face in
                face.waiters.append(Waiter(due: face.now + duration, continuation: continuation))
                let seen = face.watchers.filter { $0.count <= face.waiters.count }
                face.watchers.removeAll { $0.count <= face.waiters.count }
                return seen
            }
            for watcher in watchers { watcher.continuation.resume() }
        }
    }

    /// Returns once `count` are waiting.
    func hasWaiters(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = face.withLock { face in
                if face.waiters.count >= count { return true }
                face.watchers.append((count, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// Moves the clock, and lets go whoever is due, earliest first.
    func advance(by duration: Milliseconds) {
        let due = face.withLock { face in
            face.now += duration
            let due = face.waiters.filter { $0.due <= face.now }.sorted { $0.due < $1.due }
            face.waiters.removeAll { $0.due <= face.now }
            return due
        }
        for waiter in due { waiter.continuation.resume() }
    }
}

/// What several tasks write down, in the order they did.
final class Journal<Entry: Sendable>: Sendable {
    private let lines = Mutex<[Entry]>([])

    func note(_ entry: Entry) {
        lines.withLock { $0.append(entry) }
    }

    var entries: [Entry] { lines.withLock { $0 } }
}
