import Synchronization

/// A disk that fails when it is told to, and remembers what it was given: the decisions behind `FaultyFileSystem`.
///
/// Everything under one folder, the database and its write-ahead log. Operations are counted while it is armed; a plan names the one that
/// fails. With `remembers` every write, cut and sync is kept, so that a power cut can be played afterwards (`PowerCut`).
final class FaultyDisk: Sendable {
    enum Operation: String, CaseIterable, Sendable {
        case read, write, sync, truncate
    }

    /// How an operation fails.
    enum Failure: String, CaseIterable, Sendable {
        /// Nothing is done, and an input/output error is reported.
        case error
        /// Half of the bytes are written, and then an error is reported.
        case torn
        /// Nothing is written: there is no room.
        case full
        /// Half of the bytes are written: there was room for no more.
        case fullHalfway
    }

    /// Which operation fails: the nth of its kind, and all after it where it `lasts`.
    struct Plan: Sendable {
        var operation: Operation
        var failure: Failure
        var number: Int
        var lasts: Bool
    }

    /// What was done to a file, by its path.
    enum Event: Sendable {
        case write(String, offset: Int, bytes: [UInt8])
        case truncate(String, bytes: Int)
        case sync(String)
        /// A sync that failed. The kernel drops what it could not write and forgets that it was dirty: later reads still show it (fsyncgate).
        case failedSync(String)
        case delete(String)
        /// A client was told that its nth action is done; with the mark beside the database as it was then.
        case acknowledged(Int, mark: [UInt8])
    }

    private struct State {
        var plan: Plan?
        var isArmed = false
        var counts: [Operation: Int] = [:]
        var fired = 0
        var events: [Event] = []
    }

    private let state = Mutex(State())
    let folder: String
    let remembers: Bool
    /// Serves `PRAGMA synchronous = FULL` as NORMAL, and says it was FULL: what a build that forgot it would be like.
    let isNormal: Bool

    init(folder: String, remembers: Bool = false, isNormal: Bool = false) {
        self.folder = folder
        self.remembers = remembers
        self.isNormal = isNormal
    }

    /// Begins to count, with a plan or without.
    func arm(_ plan: Plan? = nil) {
        state.withLock {
            $0.plan = plan
            $0.isArmed = true
            $0.counts = [:]
            $0.fired = 0
        }
    }

    /// Nothing fails any more.
    func heal() { state.withLock { $0.plan = nil } }

    /// How many operations failed since it was armed.
    var fired: Int { state.withLock { $0.fired } }
    /// Operations since it was armed.
    func count(of operation: Operation) -> Int { state.withLock { $0.counts[operation] ?? 0 } }
    var events: [Event] { state.withLock { $0.events } }

    /// Whether the next operation fails, and how.
    func next(_ operation: Operation) -> Failure? {
        state.withLock { state in
            guard state.isArmed else { return nil }
            let number = (state.counts[operation] ?? 0) + 1
            state.counts[operation] = number
            guard let plan = state.plan, plan.operation == operation else { return nil }
            guard plan.lasts ? number >= plan.number : number == plan.number else { return nil }
            state.fired += 1
            return plan.failure
        }
    }

    func note(_ event: @autoclosure () -> Event) {
        guard remembers else { return }
        let event = event()
        state.withLock { $0.events.append(event) }
    }
}
