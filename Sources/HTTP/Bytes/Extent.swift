/// A range of bytes within a request, in half the size of a range of integers: heads consist of little else.
///
/// `start <= end` holds always.
struct Extent: Sendable, Equatable {
    private let start: UInt32
    private let end: UInt32

    /// The range, with offsets that count from `base`; it lies in a head, whose limits are far below 32 bits.
    @inline(__always)
    init(_ range: Range<Int>, from base: Int) {
        start = UInt32(truncatingIfNeeded: range.lowerBound &- base)
        end = UInt32(truncatingIfNeeded: range.upperBound &- base)
    }

    /// The extent as a range.
    @inline(__always)
    var range: Range<Int> {
        // In order, as the range it was made of.
        unsafe Range(uncheckedBounds: (Int(start), Int(end)))
    }

    /// Whether there are no bytes in it.
    @inline(__always)
    var isEmpty: Bool { start == end }
}
