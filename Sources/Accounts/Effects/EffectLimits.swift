public import Redux

/// The bounds of the effects, and when a failed one is tried again.
public struct EffectLimits: Sendable {
    /// Effects that run at once, over all accounts and kinds.
    public var runningMax = 64
    /// Effects of one kind that run at once: a service that stalls does not hold up the others.
    public var runningPerKindMax = 32
    /// Effects of one account that run at once.
    public var runningPerAccountMax = 8
    /// Effects of one account that may wait, dead ones and timers too, before requests that ask for more are refused
    /// (429 `too-many-effects`). Those of one request, and what the service itself reports, may lead past it.
    public var waitingPerAccountMax = 10_000
    /// Attempts before an effect is given up, where its failure may be reported.
    public var attemptsMax = 8
    /// How old an effect is when it is given up though its outcome is not known.
    public var ageMillisecondsMax: Milliseconds = 7 * 24 * 60 * 60 * 1000
    /// The wait before the second attempt; each further one is twice as long, up to the next bound.
    public var backOffMilliseconds: Milliseconds = 200
    /// The longest wait, unless a service asks for a longer one.
    public var backOffMillisecondsMax: Milliseconds = 60_000
    /// The longest wait that is granted to a service that asks for one.
    public var adviceMillisecondsMax: Milliseconds = 60 * 60 * 1000
    /// How long a stop waits for what runs.
    public var stopMilliseconds = 2000
    /// Entries held in memory, beyond which they wait on the disk.
    public var entriesInMemoryMax = 65_536
    /// Entries fetched at a time.
    public var fetchMax = 1024
    /// Spreads attempts that failed together: a number in 0..<1.
    public var jitter: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// A service's bounds; each can be set afterwards.
    public init() {}

    /// How long to wait after so many attempts, and what the service that failed has advised.
    ///
    /// Between half of the doubled wait and all of it, so that what failed at once does not come back at once.
    public func wait(afterAttempts attempts: Int, advice: Milliseconds? = nil) -> Milliseconds {
        let doublings = min(max(0, attempts - 1), 32)
        let full = min(backOffMillisecondsMax, backOffMilliseconds << Milliseconds(doublings))
        let spread = full / 2 + Milliseconds(Double(full - full / 2) * jitter())
        return max(spread, min(advice ?? 0, adviceMillisecondsMax))
    }
}
