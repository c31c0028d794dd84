/// The outcome of looking for the end of a line.
///
/// A line ends with CR LF and nothing else (RFC 9112 section 2.2: the licence to take a bare LF is not used); it has no
/// other CR, LF or control but tabs. The outcome depends on the bytes alone, not on how many have arrived: a fault is
/// reported as soon as its byte is there, and always for the first faulty byte.
enum LineScan: Equatable {
    /// The line's content ends at this offset, where the CR LF is.
    case end(Int)
    /// No end so far; nothing before this offset needs to be looked at again.
    case more(Int)
    /// The content is longer than allowed.
    case tooLong
    case bareCarriageReturn, bareLineFeed, controlByte

    /// Looks for the end of the line that starts at `start`, from `scanned` on; its content may have `bytesMax` bytes.
    static func find(_ bytes: Span<UInt8>, start: Int, scanned: Int, bytesMax: Int) -> LineScan {
        // The byte behind the longest line has to be seen, too: it must be the CR.
        let windowEnd = min(bytes.count, start + bytesMax + 1)
        var i = max(scanned, start)
        while true {
            i = firstControl(bytes, from: i, to: windowEnd)
            if i >= windowEnd { return windowEnd > start + bytesMax ? .tooLong : .more(windowEnd) }
            switch bytes[i] {
            case ByteName.tab:
                i += 1
            case ByteName.carriageReturn:
                if i + 1 == bytes.count { return .more(i) }
                return bytes[i + 1] == ByteName.lineFeed ? .end(i) : .bareCarriageReturn
            case ByteName.lineFeed:
                return .bareLineFeed
            default:
                return .controlByte
            }
        }
    }

    /// The offset of the first control (0x00 to 0x1F, 0x7F) in `start..<end`, or `end`; eight bytes at a time.
    ///
    /// In each word, a byte's top bit is set where the byte is below 0x20, or is 0x7F. A borrow can set a bit falsely only
    /// above a true one, so that the lowest set bit is right (little-endian: the first byte).
    private static func firstControl(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let tops: UInt64 = 0x8080_8080_8080_8080
        // Checked once; all offsets below stay between the two.
        precondition(start >= 0 && end <= bytes.count)
        let raw = unsafe bytes.bytes
        var i = start
        while i &+ 8 <= end {
            let word = unsafe UInt64(littleEndian: raw.unsafeLoadUnaligned(fromUncheckedByteOffset: i, as: UInt64.self))
            let deletes = word ^ (ones &* 0x7F)
            let found = ((word &- ones &* 0x20) & ~word | (deletes &- ones) & ~deletes) & tops
            if found != 0 { return i + found.trailingZeroBitCount >> 3 }
            i &+= 8
        }
        while i < end {
            let byte = unsafe bytes[unchecked: i]
            if byte < 0x20 || byte == ByteName.delete { break }
            i &+= 1
        }
        return i
    }
}
