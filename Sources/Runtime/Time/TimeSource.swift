internal import Glibc
internal import Synchronization

/// A point in time on the monotonic clock, for deadlines; nanoseconds from an arbitrary start, never set back.
public struct MonotonicTime: Hashable, Comparable, Sendable {
    /// From an arbitrary start, so that only differences mean something; the greatest value is `never`.
    public var nanoseconds: UInt64

    /// A point on the clock, as it was read.
    @inlinable
    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// Later than any other: no deadline.
    public static let never = MonotonicTime(nanoseconds: .max)

    /// Earlier; `never` is later than all.
    @inlinable
    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    /// This time plus so many milliseconds, stopping at `never`.
    @inlinable
    public func advanced(byMilliseconds milliseconds: Int) -> MonotonicTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(UInt64(max(0, milliseconds)) &* 1_000_000)
        return MonotonicTime(nanoseconds: overflow ? .max : sum)
    }

    /// Nanoseconds from `earlier` to here; 0 where it is not earlier.
    @inlinable
    public func nanoseconds(since earlier: MonotonicTime) -> UInt64 {
        nanoseconds > earlier.nanoseconds ? nanoseconds - earlier.nanoseconds : 0
    }
}

/// Where the time comes from: the system, or a test's `ManualTime`.
public struct TimeSource: Sendable {
    private let manual: ManualTime?

    /// The system's clocks.
    public static let system = TimeSource(manual: nil)

    /// A clock that stands still until a test moves it.
    public static func manual(_ time: ManualTime) -> TimeSource { TimeSource(manual: time) }

    private init(manual: ManualTime?) { self.manual = manual }

    /// Now, for deadlines and durations.
    public func monotonic() -> MonotonicTime {
        if let manual { return manual.monotonic }
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
    }

    /// Now, for stamps: milliseconds since 1970, which may be set back.
    public func wallMilliseconds() -> Int64 {
        if let manual { return manual.wallMilliseconds }
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
    }
}

/// A clock for tests: moves only when told, from any thread.
public final class ManualTime: Sendable {
    private struct Reading {
        var monotonic = MonotonicTime(nanoseconds: 1_000_000_000)
        var wallMilliseconds: Int64
    }

    private let reading: Mutex<Reading>

    /// Starts at 1 s on the monotonic clock and `wallMilliseconds` since 1970 on the wall clock.
    public init(wallMilliseconds: Int64 = 1_700_000_000_000) {
        reading = Mutex(Reading(wallMilliseconds: wallMilliseconds))
    }

    /// Now, for deadlines; moved by `advance` alone.
    public var monotonic: MonotonicTime { reading.withLock { $0.monotonic } }
    /// Now, in milliseconds since 1970; may be set back.
    public var wallMilliseconds: Int64 { reading.withLock { $0.wallMilliseconds } }

    /// Moves both clocks forward.
    public func advance(byMilliseconds milliseconds: Int) {
        reading.withLock {
            $0.monotonic = $0.monotonic.advanced(byMilliseconds: milliseconds)
            $0.wallMilliseconds += Int64(milliseconds)
        }
    }

    /// Sets the wall clock alone, back or forward, as an administrator or NTP may.
    public func setWall(milliseconds: Int64) {
        reading.withLock { $0.wallMilliseconds = milliseconds }
    }
}
