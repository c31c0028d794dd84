/// A request line that has been found to be well formed (RFC 9112 section 3); offsets count from the request's first byte.
struct RequestLine: Sendable {
    let method: Method
    let methodEnd: Int
    let target: TargetParts
    let minorVersion: UInt8

    /// Reads the line in `range`, whose line end is cut off and which has no controls but tabs; the request starts with it.
    ///
    /// The version is judged before the target, so that the HTTP/2 preface (`PRI * HTTP/2.0`) is told the version.
    /// - Throws: 400, 501 for CONNECT, 505 for another major version than 1.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ParseFault) {
        // Checked once; all offsets below stay inside the range.
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        var methodEnd = range.lowerBound
        while methodEnd < range.upperBound, unsafe ByteSet.token.contains(bytes[unchecked: methodEnd]) { methodEnd &+= 1 }
        guard methodEnd > range.lowerBound else { throw .methodByte }
        guard methodEnd < range.upperBound else { throw .requestLine }
        guard bytes[methodEnd] == ByteName.space else { throw .methodByte }
        guard let targetEnd = bytes.firstOffset(of: ByteName.space, in: (methodEnd + 1)..<range.upperBound) else {
            throw .requestLine
        }
        minorVersion = try RequestLine.minorVersion(bytes, (targetEnd + 1)..<range.upperBound)
        method = Method(bytes, range.lowerBound..<methodEnd)
        if method == .connect { throw .connectMethod }
        self.methodEnd = methodEnd - range.lowerBound
        target = try TargetReader.read(bytes, (methodEnd + 1)..<targetEnd, method: method, base: range.lowerBound)
    }

    /// The minor version, at most 1 (RFC 9110 section 2.5: a higher minor version is answered as 1).
    private static func minorVersion(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(ParseFault) -> UInt8 {
        let start = range.lowerBound
        guard range.count == 8, bytes.holds("HTTP/", at: start), bytes[start + 6] == 0x2E else { throw .version }
        let major = bytes[start + 5]
        let minor = bytes[start + 7]
        let digits = ByteName.zero...ByteName.nine
        guard digits.contains(major), digits.contains(minor) else { throw .version }
        guard major == ByteName.zero + 1 else { throw .majorVersion }
        return minor == ByteName.zero ? 0 : 1
    }
}
