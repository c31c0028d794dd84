extension Span<UInt8> {
    /// Whether the bytes from `offset` on are those of `text`, byte for byte. The span must reach that far or further.
    @inline(__always)
    func holds(_ text: StaticString, at offset: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard offset + count <= self.count else { return false }
        // A literal's storage is immortal and has `utf8CodeUnitCount` bytes.
        let start = unsafe text.utf8Start
        for i in 0..<count where unsafe self[offset + i] != start[i] { return false }
        return true
    }

    /// Whether the bytes in `range` are those of `text`, ASCII letters compared without regard to case.
    ///
    /// `text` consists of letters, digits and hyphens; for those, and for bytes that are no controls, setting bit 5 on
    /// both sides folds the case of letters and confuses nothing else.
    @inline(__always)
    func holdsFolded(_ text: StaticString, in range: Range<Int>) -> Bool {
        let count = text.utf8CodeUnitCount
        guard range.count == count else { return false }
        // A literal's storage is immortal and has `utf8CodeUnitCount` bytes.
        let start = unsafe text.utf8Start
        for i in 0..<count where unsafe self[range.lowerBound + i] | 0x20 != start[i] | 0x20 { return false }
        return true
    }

    /// The offset of the first `byte` in `range`, or nil.
    @inline(__always)
    func firstOffset(of byte: UInt8, in range: Range<Int>) -> Int? {
        for i in range where self[i] == byte { return i }
        return nil
    }

    /// `range` without the spaces and tabs at its ends (`OWS`, RFC 9110 section 5.6.3).
    @inline(__always)
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high, self[low] == ByteName.space || self[low] == ByteName.tab { low += 1 }
        while low < high, self[high - 1] == ByteName.space || self[high - 1] == ByteName.tab { high -= 1 }
        return low..<high
    }
}
