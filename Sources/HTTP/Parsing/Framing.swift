/// What the fields of a header section say together: how long the body is, whether the connection goes on, and what
/// the sender expects. Fed with each field line in order, then asked once.
struct Framing: Sendable {
    private var hostCount = 0
    private var contentLength: Int?
    private var hasTransferEncoding = false
    private var codings = 0
    private var chunkedCodings = 0
    private var lastCodingIsChunked = false
    private var hasMalformedCoding = false
    private var closes = false
    private var keepsAlive = false
    private var expectsContinue = false
    private var expectsOther = false

    /// Takes note of a field line. Lines of other names are passed over.
    ///
    /// - Throws: 400 for a value that cannot be right whatever else follows.
    @inline(__always)
    mutating func note(_ bytes: Span<UInt8>, name: Range<Int>, value: Range<Int>) throws(ParseFault) {
        switch name.count {
        case 4 where bytes.holdsFolded("host", in: name): try noteHost(bytes, value)
        case 6 where bytes.holdsFolded("expect", in: name): noteExpect(bytes, value)
        case 10 where bytes.holdsFolded("connection", in: name): noteConnection(bytes, value)
        case 14 where bytes.holdsFolded("content-length", in: name): try noteContentLength(bytes, value)
        case 17 where bytes.holdsFolded("transfer-encoding", in: name): noteTransferEncoding(bytes, value)
        default: break
        }
    }

    /// RFC 9112 section 3.2: one Host at most, and a valid one. An empty value is what a URI without authority gives.
    private mutating func noteHost(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(ParseFault) {
        hostCount += 1
        if hostCount > 1 { throw .hostCount }
        if !value.isEmpty, !Authority.isValid(bytes, value) { throw .hostValue }
    }

    /// RFC 9110 section 8.6: digits alone. Repeated fields and lists are refused even where all values are equal; a number
    /// beyond 64 bits saturates, as it is beyond any limit.
    private mutating func noteContentLength(_ bytes: Span<UInt8>, _ value: Range<Int>) throws(ParseFault) {
        if contentLength != nil { throw .contentLengthCount }
        guard !value.isEmpty else { throw .contentLength }
        var length = 0
        for i in value {
            let digit = bytes[i] &- ByteName.zero
            guard digit <= 9 else { throw .contentLength }
            let (tenfold, overflows) = length.multipliedReportingOverflow(by: 10)
            let (sum, exceeds) = tenfold.addingReportingOverflow(Int(digit))
            length = overflows || exceeds ? Int.max : sum
        }
        contentLength = length
    }

    /// RFC 9112 section 6.1. All lines together are one list; empty members are ignored (RFC 9110 section 5.6.1.2).
    private mutating func noteTransferEncoding(_ bytes: Span<UInt8>, _ value: Range<Int>) {
        hasTransferEncoding = true
        var list = ListCursor(value)
        while let member = list.next(bytes) {
            codings += 1
            lastCodingIsChunked = bytes.holdsFolded("chunked", in: member)
            if lastCodingIsChunked { chunkedCodings += 1 }
            if !ByteSet.token.contains(bytes[member.lowerBound]) { hasMalformedCoding = true }
        }
    }

    /// RFC 9110 section 7.6.1: options are whole, case-insensitive tokens.
    private mutating func noteConnection(_ bytes: Span<UInt8>, _ value: Range<Int>) {
        var list = ListCursor(value, .none)
        while let member = list.next(bytes) {
            if bytes.holdsFolded("close", in: member) {
                closes = true
            } else if bytes.holdsFolded("keep-alive", in: member) {
                keepsAlive = true
            }
        }
    }

    private mutating func noteExpect(_ bytes: Span<UInt8>, _ value: Range<Int>) {
        var list = ListCursor(value)
        while let member = list.next(bytes) {
            if bytes.holdsFolded("100-continue", in: member) {
                expectsContinue = true
            } else {
                expectsOther = true
            }
        }
    }

    /// What the header section as a whole comes to.
    struct Outcome: Equatable {
        /// Nil for a request without a body.
        var bodyLength: BodyLength?
        var keepAlive: Bool
        var expectsContinue: Bool
    }

    /// Judges the section as a whole (RFC 9112 sections 3.2, 6 and 9.3; RFC 9110 section 10.1.1).
    ///
    /// Ambiguities of length come before all that is merely not done here; 1.0 has no transfer codings and no expectations.
    /// - Throws: 400, 413, 417 or 501.
    func outcome(minorVersion: UInt8, bodyBytesMax: Int) throws(ParseFault) -> Outcome {
        if hostCount == 0, minorVersion > 0 { throw .hostCount }
        if hasTransferEncoding {
            if contentLength != nil { throw .lengthAndCoding }
            if minorVersion == 0 { throw .codingInVersion10 }
            guard lastCodingIsChunked, chunkedCodings == 1, !hasMalformedCoding else { throw .codingOrder }
            guard codings == 1 else { throw .unknownCoding }
        } else if let contentLength, contentLength > bodyBytesMax {
            throw .bodyTooLarge
        }
        if expectsOther, minorVersion > 0 { throw .expectation }
        let bodyLength: BodyLength? =
            if hasTransferEncoding {
                .chunked
            } else if let contentLength, contentLength > 0 {
                .fixed(contentLength)
            } else {
                nil
            }
        return Outcome(
            bodyLength: bodyLength, keepAlive: !closes && (minorVersion > 0 || keepsAlive),
            expectsContinue: expectsContinue && minorVersion > 0 && bodyLength != nil)
    }
}
