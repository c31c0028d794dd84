public import Redux

/// Mints action ids: UUIDs of version 7 (RFC 9562, 5.7), from a millisecond and 74 bits of a generator seeded by the system.
///
/// Uniqueness is what counts here, not secrecy, so a fast generator does, and no call into the kernel is made per action.
public struct ActionIDs: Sendable {
    private var state: UInt64

    /// Seeded by the system, unless a seed is given so that ids repeat.
    public init(seed: UInt64 = SystemRandomNumberGenerator.seed()) {
        state = seed
    }

    /// The next id, whose first 48 bits are `now`: ids of different milliseconds sort by time.
    public mutating func next(at now: Milliseconds) -> ActionID {
        let high = UInt64(truncatingIfNeeded: now) << 16 | 0x7000 | (random() >> 52)
        let low = 0x8000_0000_0000_0000 | (random() >> 2)
        return ActionID(high: high, low: low)
    }

    /// splitmix64 over a counter with a random start.
    private mutating func random() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

extension SystemRandomNumberGenerator {
    /// 64 bits of the system's generator.
    public static func seed() -> UInt64 {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
    }
}
