// Each of these checks its range once and then reads unchecked: they are the innermost loops of parsing.

extension Span<UInt8> {
    /// Whether the bytes from `offset` on are those of `text`, byte for byte; false where the span ends before.
    @inline(__always)
    func holds(_ text: StaticString, at offset: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, offset <= count - length else { return false }
        // A literal's storage is immortal and has `length` bytes; the guard keeps the offsets inside the span.
        let start = unsafe text.utf8Start
        for i in 0..<length where unsafe self[unchecked: offset &+ i] != start[i] { return false }
        return true
    }

    /// Whether the bytes in `range` are those of `text`, ASCII letters compared without regard to case.
    ///
    /// `text` consists of letters, digits, hyphens and slashes; for those, and for bytes that are no controls, setting bit 5
    /// on both sides folds the case of letters and confuses nothing else.
    @inline(__always)
    func holdsFolded(_ text: StaticString, in range: Range<Int>) -> Bool {
        let length = text.utf8CodeUnitCount
        guard range.count == length else { return false }
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        // A literal's storage is immortal and has `length` bytes.
        let start = unsafe text.utf8Start
        for i in 0..<length where unsafe self[unchecked: range.lowerBound &+ i] | 0x20 != start[i] | 0x20 { return false }
        return true
    }

    /// The offset of the first `byte` in `range`, or nil.
    @inline(__always)
    func firstOffset(of byte: UInt8, in range: Range<Int>) -> Int? {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        for i in range where unsafe self[unchecked: i] == byte { return i }
        return nil
    }

    /// `range` without the spaces and tabs at its ends (`OWS`, RFC 9110 section 5.6.3).
    @inline(__always)
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        var low = range.lowerBound
        var high = range.upperBound
        while low < high, unsafe isSpace(self[unchecked: low]) { low &+= 1 }
        while low < high, unsafe isSpace(self[unchecked: high &- 1]) { high &-= 1 }
        return low..<high
    }

    @inline(__always)
    private func isSpace(_ byte: UInt8) -> Bool { byte == ByteName.space || byte == ByteName.tab }
}
