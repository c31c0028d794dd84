internal import Redux

/// How many actions an account may still dispatch: so many at once, refilled at so many a second. A value; time is handed in.
///
/// A batch larger than the whole bucket is let in when the bucket is full, and leaves it in debt: it is late, not impossible.
struct TokenBucket: Sendable {
    /// What the bucket is filled by, and to.
    struct Rate: Sendable {
        let perSecond: Double
        let burst: Double

        /// Nil where there is no limit.
        init?(_ limits: AccountLimits) {
            guard limits.actionsPerSecond > 0 else { return nil }
            perSecond = limits.actionsPerSecond
            burst = limits.actionsBurst > 0 ? Double(limits.actionsBurst) : max(1, limits.actionsPerSecond)
        }
    }

    /// Nil for a full one.
    private var tokens: Double?
    private var filledAt: Milliseconds = 0

    /// Takes so many tokens; nil where they were there, else the milliseconds after which they would be.
    mutating func take(_ count: Int, of rate: Rate, at now: Milliseconds) -> Milliseconds? {
        // A clock set back refills nothing, and takes nothing away.
        let passed = Double(max(0, now - filledAt)) / 1000
        var level = min(rate.burst, (tokens ?? rate.burst) + passed * rate.perSecond)
        let wanted = min(Double(count), rate.burst)
        defer {
            tokens = level
            filledAt = now
        }
        guard level < wanted else {
            level -= Double(count)
            return nil
        }
        return Milliseconds(((wanted - level) / rate.perSecond * 1000).rounded(.up))
    }
}
