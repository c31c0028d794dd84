/// The line before a chunk's data: `chunk-size [ chunk-ext ]` (RFC 9112 section 7.1).
struct ChunkLine: Equatable {
    /// The number of data bytes; zero for the last chunk.
    let size: Int
    /// The bytes behind the size: extensions, which are checked and ignored.
    let extensionBytes: Int

    /// Reads the line in `range`, whose line end is cut off and which has no controls but tabs.
    ///
    /// - Throws: 400 for a size that is no hexadecimal number of 63 bits, or an extension outside the grammar.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ParseFault) {
        var i = range.lowerBound
        var size = 0
        while i < range.upperBound, let digit = hexValue(bytes[i]) {
            // Before the shift: the top five bits have to be free, or the size would wrap or turn negative.
            guard size >> 59 == 0 else { throw .chunkSize }
            size = size << 4 | Int(digit)
            i += 1
        }
        let digits = i - range.lowerBound
        guard digits > 0, digits <= RequestLimits.chunkSizeDigitsMax else { throw .chunkSize }
        self.size = size
        extensionBytes = range.upperBound - i
        if i < range.upperBound, ![ByteName.semicolon, ByteName.space, ByteName.tab].contains(bytes[i]) { throw .chunkSize }
        while i < range.upperBound { i = try ChunkLine.readExtension(bytes, from: i, to: range.upperBound) }
    }

    /// Reads `BWS ";" BWS name [ BWS "=" BWS value ]`; gives the offset behind it.
    ///
    /// White space before the semicolon is only taken where an extension follows: "2 " is malformed.
    private static func readExtension(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(ParseFault) -> Int {
        var i = skipSpace(bytes, from: start, to: end)
        guard i < end, bytes[i] == ByteName.semicolon else { throw .chunkExtension }
        i = skipSpace(bytes, from: i + 1, to: end)
        i = try skipToken(bytes, from: i, to: end)
        let nameEnd = i
        i = skipSpace(bytes, from: i, to: end)
        // White space behind the name belongs to what follows: another extension, or nothing, which is malformed.
        guard i < end, bytes[i] == ByteName.equals else { return nameEnd }
        i = skipSpace(bytes, from: i + 1, to: end)
        guard i < end else { throw .chunkExtension }
        return bytes[i] == ByteName.quote
            ? try skipQuoted(bytes, from: i, to: end) : try skipToken(bytes, from: i, to: end)
    }

    private static func skipSpace(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
        var i = start
        while i < end, bytes[i] == ByteName.space || bytes[i] == ByteName.tab { i += 1 }
        return i
    }

    private static func skipToken(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(ParseFault) -> Int {
        var i = start
        while i < end, ByteSet.token.contains(bytes[i]) { i += 1 }
        guard i > start else { throw .chunkExtension }
        return i
    }

    /// A quoted string (RFC 9110 section 5.6.4); the line's scan has let no control but tabs through.
    private static func skipQuoted(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(ParseFault) -> Int {
        var i = start + 1
        while i < end {
            switch bytes[i] {
            case ByteName.quote: return i + 1
            case ByteName.backslash: i += 2
            default: i += 1
            }
        }
        throw .chunkExtension
    }
}
