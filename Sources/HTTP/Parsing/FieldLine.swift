/// The grammar of one field line, in a header or a trailer section (RFC 9112 section 5).
enum FieldLine {
    /// Finds name and value of the line in `range`, which is not empty, has its line end cut off and no controls but tabs.
    ///
    /// White space before the colon and folded lines are refused, never mended: intermediaries disagree on them.
    /// - Parameter base: where the request starts in `bytes`; the entry's offsets count from there.
    /// - Throws: 400.
    @inline(__always)
    static func read(_ bytes: Span<UInt8>, _ range: Range<Int>, base: Int) throws(ParseFault) -> FieldEntry {
        let start = range.lowerBound
        let end = range.upperBound
        var nameEnd = start
        while nameEnd < end, ByteSet.token.contains(bytes[nameEnd]) { nameEnd += 1 }
        guard nameEnd > start, nameEnd < end, bytes[nameEnd] == ByteName.colon else {
            throw bytes[start] == ByteName.space || bytes[start] == ByteName.tab ? .foldedLine : .fieldName
        }
        let value = bytes.trimmed((nameEnd + 1)..<end)
        return FieldEntry(
            nameStart: UInt32(truncatingIfNeeded: start - base), nameEnd: UInt32(truncatingIfNeeded: nameEnd - base),
            valueStart: UInt32(truncatingIfNeeded: value.lowerBound - base),
            valueEnd: UInt32(truncatingIfNeeded: value.upperBound - base))
    }
}
