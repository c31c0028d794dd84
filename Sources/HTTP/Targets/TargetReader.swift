/// Checks a request target and finds its pieces (RFC 9112 section 3.2, RFC 3986).
///
/// What is not a URI is refused rather than mended: a fragment, a space, a backslash or any other byte outside the
/// grammar, a malformed escape, a path that does not start with a slash. CONNECT's authority form is not read: the
/// method is refused before.
enum TargetReader {
    /// Reads the target in `range`.
    ///
    /// - Throws: 400 for anything that is not an origin-form, an absolute-form of http or https, or OPTIONS's asterisk.
    static func read(_ bytes: Span<UInt8>, _ range: Range<Int>, method: Method) throws(ParseFault) -> TargetParts {
        guard let first = range.first.map({ bytes[$0] }) else { throw .emptyTarget }
        if first == ByteName.slash {
            return try readPath(bytes, whole: range, from: range.lowerBound, form: .origin, authority: nil)
        }
        if first == ByteName.asterisk, range.count == 1 {
            guard method == .options else { throw .asteriskTarget }
            return asterisk(whole: range, authority: nil)
        }
        return try readAbsolute(bytes, range, method: method)
    }

    private static func asterisk(whole: Range<Int>, authority: Range<Int>?) -> TargetParts {
        TargetParts(
            form: .asterisk, whole: whole, authority: authority, path: whole.upperBound..<whole.upperBound, query: nil,
            hasEscapedPath: false)
    }

    /// `http://authority[/path][?query]`, or the same with https, which a proxy that ends TLS may pass on.
    private static func readAbsolute(
        _ bytes: Span<UInt8>, _ range: Range<Int>, method: Method
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
        if end == range.upperBound, method == .options { return asterisk(whole: range, authority: authority) }
        return try readPath(bytes, whole: range, from: end, form: .absolute, authority: authority)
    }

    private static func readPath(
        _ bytes: Span<UInt8>, whole: Range<Int>, from start: Int, form: Target.Form, authority: Range<Int>?
    ) throws(ParseFault) -> TargetParts {
        let end = whole.upperBound
        var i = start
        var escapedPath = false
        var wide = false
        while i < end, bytes[i] != ByteName.question {
            let byte = bytes[i]
            if ByteSet.path.contains(byte) {
                i += 1
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
                let byte = bytes[i]
                if ByteSet.query.contains(byte) {
                    i += 1
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
            form: form, whole: whole, authority: authority, path: start..<pathEnd,
            query: pathEnd < end ? (pathEnd + 1)..<end : nil, hasEscapedPath: escapedPath)
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
