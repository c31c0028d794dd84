public import Sodium
internal import Synchronization

/// Hashes and checks passwords somewhere else than on the caller's thread.
///
/// `then` runs exactly once, on the hashing thread, or on the caller's before the call returns where the work was not taken on.
public protocol PasswordHashing: Sendable {
    /// Hashes a new password.
    func hash(_ password: String, then: @escaping @Sendable (Result<PasswordHash, PasswordTrouble>) -> Void)

    /// Checks a password against a stored hash; nil for a user who is unknown, which takes as long and never matches.
    func check(
        _ password: String, against hash: PasswordHash?,
        then: @escaping @Sendable (Result<PasswordCheck, PasswordTrouble>) -> Void)
}

/// Whether a password was the right one.
public enum PasswordCheck: Hashable, Sendable {
    case wrong
    case right
    /// Right, but hashed at another cost than today's: to be hashed again while the password is at hand.
    case rightOutdated
}

/// Why nothing can be said about a password. Neither is the client's fault.
public enum PasswordTrouble: Error, Hashable, Sendable {
    /// Too many were waiting: 503, to be tried again shortly.
    case overloaded
    /// There was not enough memory for hashing: 503.
    case outOfMemory
}

/// A bounded queue of password work, one at a time: each takes much memory and time by design, so more at once would starve the rest.
///
/// It has no thread: `execute` is handed one piece at a time and runs it soon, off the event loops.
public final class PasswordQueue: PasswordHashing {
    /// Runs work later; never at once on the caller's stack.
    public typealias Execute = @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Pieces of work that wait while one runs, unless a setting says otherwise.
    public static let waitingMaxDefault = 32

    private struct State {
        var isRunning = false
        /// First in, first out; `head` is the next one, those before it are done.
        var waiting: [@Sendable () -> Void] = []
        var head = 0
    }

    private let cost: PasswordCost
    private let waitingMax: Int
    private let execute: Execute
    private let state = Mutex(State())
    /// A hash that no password matches, made at the same cost as the others, for users who are unknown.
    private let decoy = Mutex<PasswordHash?>(nil)

    /// Hands `execute` its first work at once: the hash for users who are unknown.
    ///
    /// - Parameter waitingMax: pieces of work beside the one that runs; beyond it `overloaded`.
    public init(cost: PasswordCost = .interactive, waitingMax: Int = waitingMaxDefault, execute: @escaping Execute) {
        precondition(waitingMax >= 0)
        self.cost = cost
        self.waitingMax = waitingMax
        self.execute = execute
        // The first piece of work, so that not even the first unknown user takes longer than a known one.
        start { [self] in _ = makeDecoy() }
    }

    /// At the queue's cost, with a fresh salt; `overloaded` is told before the call returns.
    public func hash(_ password: String, then: @escaping @Sendable (Result<PasswordHash, PasswordTrouble>) -> Void) {
        let taken = submit { [cost] in
            do throws(PasswordHashFailure) {
                then(.success(try PasswordHash(of: password, cost: cost)))
            } catch {
                then(.failure(.outOfMemory))
            }
        }
        if !taken { then(.failure(.overloaded)) }
    }

    /// Nil takes the time of a check all the same, and is wrong; `overloaded` is told before the call returns.
    public func check(
        _ password: String, against hash: PasswordHash?,
        then: @escaping @Sendable (Result<PasswordCheck, PasswordTrouble>) -> Void
    ) {
        let taken = submit { [self] in
            guard let hash else {
                guard let decoy = makeDecoy() else { return then(.failure(.outOfMemory)) }
                _ = decoy.matches(password)
                return then(.success(.wrong))
            }
            guard hash.matches(password) else { return then(.success(.wrong)) }
            then(.success(hash.differs(from: cost) ? .rightOutdated : .right))
        }
        if !taken { then(.failure(.overloaded)) }
    }

    /// How many pieces wait, beside the one that runs.
    public var waitingCount: Int { state.withLock { $0.waiting.count - $0.head } }

    private func makeDecoy() -> PasswordHash? {
        if let made = decoy.withLock({ $0 }) { return made }
        let made = try? PasswordHash(of: Base64URL.text(RandomBytes.make(32)), cost: cost)
        decoy.withLock { $0 = made }
        return made
    }

    /// False where too many wait.
    private func submit(_ work: @escaping @Sendable () -> Void) -> Bool {
        enum Verdict {
            case start, waits, refused
        }
        let verdict = state.withLock { state -> Verdict in
            if !state.isRunning {
                state.isRunning = true
                return .start
            }
            guard state.waiting.count - state.head < waitingMax else { return .refused }
            state.waiting.append(work)
            return .waits
        }
        if verdict == .start { run(work) }
        return verdict != .refused
    }

    private func start(_ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.isRunning = true }
        run(work)
    }

    private func run(_ work: @escaping @Sendable () -> Void) {
        execute { [self] in
            work()
            if let next = takeNext() { run(next) }
        }
    }

    private func takeNext() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.head < state.waiting.count else {
                state.waiting.removeAll(keepingCapacity: true)
                state.head = 0
                state.isRunning = false
                return nil
            }
            let next = state.waiting[state.head]
            state.head += 1
            if state.head > 64 {
                state.waiting.removeFirst(state.head)
                state.head = 0
            }
            return next
        }
    }
}
