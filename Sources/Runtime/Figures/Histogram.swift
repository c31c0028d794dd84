/// How often a measured value fell into each of some fixed ranges; a value, kept by whoever measures.
///
/// Cheap enough for every request: an addition or three, no allocation. Bounds are upper ones, inclusive, ascending; what lies above
/// the last is counted in a range of its own.
public struct Histogram: Hashable, Sendable {
    /// Upper bounds of the ranges, inclusive and ascending, in the unit of what is measured.
    public let bounds: [Int64]
    /// One more than there are bounds; not cumulative.
    public private(set) var counts: [Int]
    /// Of all measured values, in their unit; wraps around rather than traps.
    public private(set) var sum: Int64 = 0

    /// - Precondition: the bounds ascend.
    public init(bounds: [Int64]) {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "bounds ascend")
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// All measurements.
    public var count: Int { counts.reduce(0, +) }

    /// Counts a value in the first range whose bound is not below it.
    public mutating func record(_ value: Int64) {
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        counts[index] += 1
        sum &+= value
    }

    /// Adds what another one with the same bounds has counted.
    public mutating func add(_ other: Histogram) {
        precondition(bounds == other.bounds, "only histograms of one kind add up")
        for index in counts.indices { counts[index] += other.counts[index] }
        sum &+= other.sum
    }

    /// Nanoseconds from 100 µs to 10 s: for answers and commits.
    public static let times = Histogram(bounds: [
        100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000,
        500_000_000, 1_000_000_000, 2_500_000_000, 5_000_000_000, 10_000_000_000,
    ])

    /// Counts in powers of two, from 1 to 8,192.
    public static let counts = Histogram(bounds: (0...13).map { 1 << $0 })
}
