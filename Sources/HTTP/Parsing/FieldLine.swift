/// The grammar of one field line, in a header or a trailer section (RFC 9112 section 5).
enum FieldLine {
    /// Finds name and value of the line in `range`, which is not empty, has its line end cut off and no controls but tabs.
    ///
    /// White space before the colon and folded lines are refused, never mended: intermediaries disagree on them.
    /// - Throws: 400.
    @inline(__always)
    static func read(
        _ bytes: Span<UInt8>, _ range: Range<Int>
    ) throws(ParseFault) -> (name: Range<Int>, value: Range<Int>) {
        // Checked once; all offsets below stay inside the range.
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        let start = range.lowerBound
        let end = range.upperBound
        var nameEnd = start
        while nameEnd < end, unsafe ByteSet.token.contains(bytes[unchecked: nameEnd]) { nameEnd &+= 1 }
        guard nameEnd > start, nameEnd < end, bytes[nameEnd] == ByteName.colon else {
            throw bytes[start] == ByteName.space || bytes[start] == ByteName.tab ? .foldedLine : .fieldName
        }
        return (start..<nameEnd, bytes.trimmed(nameEnd + 1..<end))
    }
}
