internal import CLinux

/// What a registration waits for.
public struct Interest: OptionSet, Hashable, Sendable {
    /// One bit for each wish; not epoll's own numbers.
    public let rawValue: UInt8
    /// Wishes from their bits; 0 still hears of failures, which epoll always reports.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bytes to read, a connection to accept, or the peer's end of sending.
    public static let read = Interest(rawValue: 1)
    /// Room to write.
    public static let write = Interest(rawValue: 2)
    /// The peer's end of sending only (EPOLLRDHUP), for a connection that is not being read.
    public static let hangup = Interest(rawValue: 4)

    /// What a connection waits for; without the set algebra's generic code, which does not specialise for another module's types.
    @inlinable
    public init(reading: Bool, writing: Bool, hangup: Bool) {
        self.init(rawValue: (reading ? 1 : 0) | (writing ? 2 : 0) | (hangup ? 4 : 0))
    }

    /// Whether `read` is waited for.
    @inlinable
    public var isReading: Bool { rawValue & 1 != 0 }

    var epollMask: UInt32 {
        var mask: UInt32 = 0
        if contains(.read) { mask |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
        if contains(.write) { mask |= EPOLLOUT.rawValue }
        if contains(.hangup) { mask |= EPOLLRDHUP.rawValue }
        return mask
    }
}

/// What epoll reports of a descriptor. `failed` comes unasked (it cannot be masked).
public struct Readiness: OptionSet, Hashable, Sendable {
    /// One bit for each report; not epoll's own numbers.
    public let rawValue: UInt8
    /// Reports from their bits.
    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There are bytes to read, a connection to accept, or the end of what the peer sends.
    public static let read = Readiness(rawValue: 1)
    /// There is room to write.
    public static let write = Readiness(rawValue: 2)
    /// The peer has finished sending; there may still be bytes to read.
    public static let hangup = Readiness(rawValue: 4)
    /// A reset or another error, or both directions are shut.
    public static let failed = Readiness(rawValue: 8)

    /// There is room to write.
    @inlinable
    public var isWritable: Bool { rawValue & 2 != 0 }
    /// The peer has finished sending.
    @inlinable
    public var isHungUp: Bool { rawValue & 4 != 0 }
    /// A reset or another error.
    @inlinable
    public var isFailed: Bool { rawValue & 8 != 0 }
    /// Reading would tell something: bytes, the end, or the error.
    @inlinable
    public var concernsReading: Bool { rawValue & 0b1101 != 0 }

    init(epollMask mask: UInt32) {
        var value: UInt8 = 0
        if mask & EPOLLIN.rawValue != 0 { value |= 1 }
        if mask & EPOLLOUT.rawValue != 0 { value |= 2 }
        if mask & EPOLLRDHUP.rawValue != 0 { value |= 4 }
        if mask & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { value |= 8 }
        rawValue = value
    }
}

/// Names a descriptor's place in a loop's epoll set; a later user of the same place has another generation, so late events and late answers die.
public struct Registration: Hashable, Sendable {
    /// The place in the loop's table, used again once it is free.
    public let slot: UInt32
    /// How often the place was given away before; tells its users apart.
    public let generation: UInt32

    var token: UInt64 { UInt64(generation) << 32 | UInt64(slot) }

    init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }

    init(token: UInt64) {
        self.init(slot: UInt32(truncatingIfNeeded: token), generation: UInt32(truncatingIfNeeded: token >> 32))
    }
}

/// Who hears of a descriptor's readiness; lives in its loop's isolation and is held by the loop while registered.
public protocol EventHandler: AnyObject {
    /// Called with what is ready; level-triggered, so what is left undone comes again.
    func handle(_ readiness: Readiness, on loop: isolated EventLoop)
}
