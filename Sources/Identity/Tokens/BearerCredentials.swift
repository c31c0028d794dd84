/// What an Authorization field says (RFC 9110, 11.4 and 11.6.2; RFC 6750, 2.1).
public enum BearerCredentials: Hashable, Sendable {
    /// No field, or another scheme, which counts as none: 401 with a challenge and without an error code.
    case none
    /// Not the syntax of credentials, or of a bearer token, or given twice: 400 `invalid_request`.
    case malformed
    /// The token's range in the field value. Whether it is anybody's is for `TokenMint` and storage to say: else 401 `invalid_token`.
    case token(Range<Int>)

    /// Reads the value of one Authorization field.
    ///
    /// `credentials = auth-scheme [ 1*SP ( token68 / … ) ]`; the scheme in any case; white space around the value is dropped. The
    /// caller treats a missing field as `none` and a repeated one as `malformed`.
    public static func parse(_ value: Span<UInt8>) -> BearerCredentials {
        var start = 0
        var end = value.count
        while start < end, isSpace(value[start]) { start += 1 }
        while end > start, isSpace(value[end - 1]) { end -= 1 }
        var schemeEnd = start
        while schemeEnd < end, isTokenByte(value[schemeEnd]) { schemeEnd += 1 }
        guard schemeEnd > start, schemeEnd == end || value[schemeEnd] == UInt8(ascii: " ") else { return .malformed }
        guard isBearer(value, start..<schemeEnd) else { return .none }
        var tokenStart = schemeEnd
        while tokenStart < end, value[tokenStart] == UInt8(ascii: " ") { tokenStart += 1 }
        guard isToken68(value, tokenStart..<end) else { return .malformed }
        return .token(tokenStart..<end)
    }

    /// Reads the value of one Authorization field.
    public static func parse(_ value: [UInt8]) -> BearerCredentials { parse(value.span) }

    /// Reads the value of one Authorization field in memory that somebody else owns.
    public static func parse(_ value: UnsafeRawBufferPointer) -> BearerCredentials {
        // The caller answers for the buffer during the call.
        unsafe parse(Span<UInt8>(_unsafeBytes: value))
    }

    private static func isBearer(_ value: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let name: StaticString = "bearer"
        guard range.count == name.utf8CodeUnitCount else { return false }
        // Within the static string's bytes.
        return range.allSatisfy { unsafe value[$0] | 0x20 == name.utf8Start[$0 - range.lowerBound] }
    }

    /// `token68 = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="`
    private static func isToken68(_ value: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound, isToken68Byte(value[index]) { index += 1 }
        guard index > range.lowerBound else { return false }
        while index < range.upperBound, value[index] == UInt8(ascii: "=") { index += 1 }
        return index == range.upperBound
    }

    private static func isToken68Byte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: isAlphanumeric(byte)
        }
    }

    /// `tchar` (RFC 9110, 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: isAlphanumeric(byte)
        }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
