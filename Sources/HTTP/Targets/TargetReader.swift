/// Checks a request target and finds its pieces (RFC 9112 section 3.2, RFC 3986).
///
/// What is not a URI is refused rather than mended: a fragment, a space, a backslash or any other byte outside the
/// grammar, a malformed escape, a path that does not start with a slash. CONNECT's authority form is not read: the
/// method is refused before.
enum TargetReader {
    /// Reads the target in `range`.
    ///
    /// - Parameter base: where the request starts in `bytes`; the pieces' offsets count from there.
    /// - Throws: 400 for anything that is not an origin-form, an absolute-form of http or https, or OPTIONS's asterisk.
    static func read(_ bytes: Span<UInt8>, _ range: Range<Int>, method: Method, base: Int) throws(ParseFault) -> TargetParts {
        guard !range.isEmpty else { throw .emptyTarget }
        let first = bytes[range.lowerBound]
        if first == ByteName.slash {
            let none = range.lowerBound..<range.lowerBound
            return try readPath(bytes, whole: range, from: range.lowerBound, form: .origin, authority: none, base: base)
        }
        if first == ByteName.asterisk, range.count == 1 {
            guard method == .options else { throw .asteriskTarget }
            return asterisk(whole: range, authority: range.lowerBound..<range.lowerBound, base: base)
        }
        return try readAbsolute(bytes, range, method: method, base: base)
    }

    private static func asterisk(whole: Range<Int>, authority: Range<Int>, base: Int) -> TargetParts {
        let none = Extent(whole.upperBound..<whole.upperBound, from: base)
        return TargetParts(
            form: .asterisk, hasEscapedPath: false, hasQuery: false, whole: Extent(whole, from: base),
            authority: Extent(authority, from: base), path: none, query: none)
    }

    /// `http://authority[/path][?query]`, or the same with https, which a proxy that ends TLS may pass on.
    private static func readAbsolute(
        _ bytes: Span<UInt8>, _ range: Range<Int>, method: Method, base: Int
    ) throws(ParseFault) -> TargetParts {
        let start = range.lowerBound
        let schemeEnd: Int
        if range.count >= 7, bytes.holdsFolded("http", in: start..<start + 4), bytes.holds("://", at: start + 4) {
            schemeEnd = start + 7
        } else if range.count >= 8, bytes.holdsFolded("https", in: start..<start + 5), bytes.holds("://", at: start + 5) {
            schemeEnd = start + 8
        } else {
            throw .targetForm
        }
        guard schemeEnd <= range.upperBound else { throw .targetForm }
        var end = schemeEnd
        while end < range.upperBound, bytes[end] != ByteName.slash, bytes[end] != ByteName.question { end += 1 }
        let authority = schemeEnd..<end
        guard !authority.isEmpty, Authority.isValid(bytes, authority) else { throw .targetAuthority }
        // RFC 9112 section 3.2.4: OPTIONS for a URI without path and query means the server as a whole.
        if end == range.upperBound, method == .options { return asterisk(whole: range, authority: authority, base: base) }
        return try readPath(bytes, whole: range, from: end, form: .absolute, authority: authority, base: base)
    }

    private static func readPath(
        _ bytes: Span<UInt8>, whole: Range<Int>, from start: Int, form: Target.Form, authority: Range<Int>, base: Int
    ) throws(ParseFault) -> TargetParts {
        let end = whole.upperBound
        // Checked once; all offsets below stay between the two.
        precondition(start >= 0 && end <= bytes.count)
        var i = start
        var escapedPath = false
        var wide = false
        while i < end {
            let byte = unsafe bytes[unchecked: i]
            if ByteSet.path.contains(byte) {
                i &+= 1
            } else if byte == ByteName.question {
                break
            } else if byte == ByteName.percent {
                let value = try readEscape(bytes, at: i, end: end)
                if value < 0x20 || value == ByteName.delete { throw .controlInPath }
                escapedPath = true
                wide = wide || value >= 0x80
                i += 3
            } else {
                throw .targetByte
            }
        }
        let pathEnd = i
        if i < end {
            i += 1
            while i < end {
                let byte = unsafe bytes[unchecked: i]
                if ByteSet.query.contains(byte) {
                    i &+= 1
                } else if byte == ByteName.percent {
                    let value = try readEscape(bytes, at: i, end: end)
                    wide = wide || value >= 0x80
                    i += 3
                } else {
                    throw .targetByte
                }
            }
        }
        // The separators are ASCII, so that the whole is UTF-8 exactly where each segment, name and value is.
        if wide {
            let decoded = PercentCoding.decodedBytes(bytes, start..<end, plusIsSpace: false)
            if String(validating: decoded, as: UTF8.self) == nil { throw .targetText }
        }
        return TargetParts(
            form: form, hasEscapedPath: escapedPath, hasQuery: pathEnd < end, whole: Extent(whole, from: base),
            authority: Extent(authority, from: base), path: Extent(start..<pathEnd, from: base),
            query: Extent(min(pathEnd + 1, end)..<end, from: base))
    }

    /// The value of the escape whose percent sign is at `offset`; never zero.
    private static func readEscape(_ bytes: Span<UInt8>, at offset: Int, end: Int) throws(ParseFault) -> UInt8 {
        guard offset + 2 < end, let high = hexValue(bytes[offset + 1]), let low = hexValue(bytes[offset + 2]) else {
            throw .targetEscape
        }
        let value = high << 4 | low
        if value == 0 { throw .targetNul }
        return value
    }
}
