/// A field value as a range over the request's bytes; it shares them, so it is made and compared without an allocation.
public struct FieldValue: Sendable {
    let bytes: [UInt8]
    let range: Range<Int>

    /// The number of bytes.
    public var count: Int { range.count }

    /// Whether the value is empty.
    public var isEmpty: Bool { range.isEmpty }

    /// The byte at an offset from the value's start.
    public subscript(offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < range.count, "offset outside the field value")
        return bytes[range.lowerBound + offset]
    }

    /// The value as text; malformed UTF-8 is repaired with replacement characters.
    public var string: String { String(decoding: bytes[range], as: UTF8.self) }

    /// A copy of the bytes.
    public var copy: [UInt8] { Array(bytes[range]) }

    /// Whether the value has exactly these bytes. Not in constant time: for cache keys, not for secrets.
    public func equals(_ other: [UInt8]) -> Bool {
        guard range.count == other.count else { return false }
        let mine = bytes.span
        let theirs = other.span
        for i in 0..<theirs.count where mine[range.lowerBound + i] != theirs[i] { return false }
        return true
    }

    /// Whether the value is this token, ASCII letters compared without regard to case.
    public func equalsToken(_ token: StaticString) -> Bool {
        bytes.span.holdsFolded(token, in: range)
    }

    /// Whether the value is this media type, whatever its parameters and its case (RFC 9110 section 8.3.1).
    public func isMediaType(_ essence: StaticString) -> Bool {
        let bytes = bytes.span
        let end = bytes.firstOffset(of: ByteName.semicolon, in: range) ?? range.upperBound
        return bytes.holdsFolded(essence, in: bytes.trimmed(range.lowerBound..<end))
    }

    /// Whether the value is this text, byte for byte.
    public func equals(_ text: StaticString) -> Bool {
        range.count == text.utf8CodeUnitCount && bytes.span.holds(text, at: range.lowerBound)
    }

    /// Calls `body` with the bytes.
    public func withSpan<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(bytes.span.extracting(range))
    }
}
