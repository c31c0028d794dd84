internal import CLinux

/// What a registration waits for.
package struct Interest: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bytes to read, a connection to accept, or the peer's end of sending.
    package static let read = Interest(rawValue: 1)
    /// Room to write.
    package static let write = Interest(rawValue: 2)
    /// The peer's end of sending only (EPOLLRDHUP), for a connection that is not being read.
    package static let hangup = Interest(rawValue: 4)

    var epollMask: UInt32 {
        var mask: UInt32 = 0
        if contains(.read) { mask |= EPOLLIN.rawValue | EPOLLRDHUP.rawValue }
        if contains(.write) { mask |= EPOLLOUT.rawValue }
        if contains(.hangup) { mask |= EPOLLRDHUP.rawValue }
        return mask
    }
}

/// What epoll reports of a descriptor. `failed` comes unasked (it cannot be masked).
package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = Readiness(rawValue: 1)
    package static let write = Readiness(rawValue: 2)
    /// The peer has finished sending; there may still be bytes to read.
    package static let hangup = Readiness(rawValue: 4)
    /// A reset or another error, or both directions are shut.
    package static let failed = Readiness(rawValue: 8)

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
package struct Registration: Hashable, Sendable {
    package let slot: UInt32
    package let generation: UInt32

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
package protocol EventHandler: AnyObject {
    /// Called with what is ready; level-triggered, so what is left undone comes again.
    func handle(_ readiness: Readiness, on loop: isolated EventLoop)
}
