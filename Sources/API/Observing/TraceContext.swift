internal import HTTP
internal import Sodium

/// A `traceparent` (W3C Trace Context): which trace a request belongs to, and the caller's place in it.
struct TraceContext: Hashable, Sendable {
    /// 32 lower-case hexadecimal digits, not all zero.
    let traceID: String
    /// As it is sent on: version 00.
    let text: String

    /// Reads a field's value; nil where it is not one, and then a new trace begins.
    ///
    /// Of a version above 00, what 00 has is read and the rest ignored, as the standard asks.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.length, bytes.count == Self.length || bytes[Self.length] == UInt8(ascii: "-") else {
            return nil
        }
        let parts = bytes.prefix(Self.length).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [2, 32, 16, 2], parts.allSatisfy({ $0.allSatisfy(Self.isDigit) }) else { return nil }
        let version = String(decoding: parts[0], as: UTF8.self)
        guard version != "ff", version != "00" || bytes.count == Self.length else { return nil }
        guard !parts[1].allSatisfy({ $0 == UInt8(ascii: "0") }), !parts[2].allSatisfy({ $0 == UInt8(ascii: "0") }) else {
            return nil
        }
        traceID = String(decoding: parts[1], as: UTF8.self)
        text = "00-\(traceID)-\(String(decoding: parts[2], as: UTF8.self))-\(String(decoding: parts[3], as: UTF8.self))"
    }

    private init(traceID: String, spanID: String) {
        self.traceID = traceID
        text = "00-\(traceID)-\(spanID)-01"
    }

    /// The request's; nil without one, with several, or with one that does not count.
    init?(of fields: Fields) {
        guard let field = fields.first(.traceparent), fields.count(of: .traceparent) == 1 else { return nil }
        self.init(field.copy)
    }

    /// A new trace, begun here.
    static func begun() -> TraceContext {
        // Zero would not count; one in 2^64 is not worth another draw.
        let (high, low, span) = (RandomBytes.bits64() | 1, RandomBytes.bits64(), RandomBytes.bits64() | 1)
        return TraceContext(traceID: hexadecimal(high) + hexadecimal(low), spanID: hexadecimal(span))
    }

    private static let length = 55

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
