/// When failed log-ins lock a user out, and for how long. Pure: the time is passed in, in milliseconds since 1970.
public struct LockPolicy: Hashable, Sendable {
    /// That many failures within the window lock.
    public var failuresMax: Int
    /// Milliseconds.
    public var window: Int64
    /// Milliseconds.
    public var lockDuration: Int64

    /// Five failures in a quarter of an hour lock for another, unless said otherwise; all three are positive (a precondition).
    public init(failuresMax: Int = 5, window: Int64 = 15 * 60_000, lockDuration: Int64 = 15 * 60_000) {
        precondition(failuresMax >= 1 && window > 0 && lockDuration > 0, "a lock policy's numbers are positive")
        self.failuresMax = failuresMax
        self.window = window
        self.lockDuration = lockDuration
    }

    /// What is remembered about a user. Small: at most `failuresMax` times.
    public struct Record: Hashable, Sendable, Codable {
        /// When the last log-ins failed, oldest first.
        public private(set) var failures: [Int64] = []
        /// When the latest lock ends or ended, in milliseconds since 1970; nil where none came since the last success.
        public private(set) var lockedUntil: Int64?

        /// A clean slate.
        public init() {}

        fileprivate mutating func fail(at now: Int64, _ policy: LockPolicy) {
            failures.removeAll { now - $0 >= policy.window }
            failures.append(now)
            if failures.count >= policy.failuresMax {
                lockedUntil = now + policy.lockDuration
                failures = []
            }
        }
    }

    /// Whether a user may try.
    public enum Standing: Hashable, Sendable {
        case open
        /// Not before that many milliseconds have passed; the right password does not help. 423 with Retry-After.
        case locked(milliseconds: Int64)

        /// Whole seconds to wait, rounded up, for Retry-After; 0 where open.
        public var retryAfterSeconds: Int64 {
            if case .locked(let milliseconds) = self { (milliseconds + 999) / 1000 } else { 0 }
        }
    }

    /// Whether a user may try at some time.
    ///
    /// Before a lock's own beginning the clock has been set back, and guards on time do not apply: nobody stays locked out for longer
    /// than the duration.
    public func standing(of record: Record, at now: Int64) -> Standing {
        guard let until = record.lockedUntil, now < until, until - now <= lockDuration else { return .open }
        return .locked(milliseconds: until - now)
    }

    /// A log-in failed. While locked, tries change nothing: they neither count nor prolong the lock.
    public func recordFailure(in record: inout Record, at now: Int64) {
        guard standing(of: record, at: now) == .open else { return }
        record.fail(at: now, self)
    }

    /// A log-in succeeded: the slate is clean.
    public func recordSuccess(in record: inout Record) {
        record = Record()
    }
}
