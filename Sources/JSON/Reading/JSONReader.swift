/// Reads JSON text strictly (RFC 8259): one value, UTF-8 without a byte order mark, no name twice in an object.
///
/// Time is linear in the text (objects that are not in canonical order are sorted), depth and sizes are bounded by `JSONLimits`.
/// Every fault carries the offset of the byte at which the text stops being acceptable, and the pointer of the value it is in.
public enum JSONReader {
    /// Reads a text.
    public static func read(_ bytes: [UInt8], limits: JSONLimits = .request) throws(JSONFault) -> JSONValue {
        try read(bytes.span, limits: limits)
    }

    /// Reads a text.
    public static func read(_ bytes: Span<UInt8>, limits: JSONLimits = .request) throws(JSONFault) -> JSONValue {
        var scanner = JSONScanner(limits: limits)
        return try scanner.document(bytes)
    }

    /// Reads a text in memory that somebody else owns; nothing of it is kept.
    public static func read(_ bytes: UnsafeRawBufferPointer, limits: JSONLimits = .request) throws(JSONFault) -> JSONValue {
        // The caller answers for the buffer during the call, as with any buffer pointer.
        unsafe try read(Span<UInt8>(_unsafeBytes: bytes), limits: limits)
    }

    /// Reads a text given as a string.
    public static func read(_ text: String, limits: JSONLimits = .request) throws(JSONFault) -> JSONValue {
        try read(Array(text.utf8), limits: limits)
    }

    /// Checks a text against everything `read` checks, without keeping a value.
    ///
    /// It costs about what reading does, because names must be unescaped and compared to find one that occurs twice.
    public static func validate(_ bytes: [UInt8], limits: JSONLimits = .request) throws(JSONFault) {
        _ = try read(bytes, limits: limits)
    }

    /// The offset behind the value that starts at `start`, or behind white space before it, without building the value.
    ///
    /// Checks grammar, UTF-8 and limits but not for names given twice: for texts that were read or written before.
    public static func skip(_ bytes: [UInt8], from start: Int, limits: JSONLimits = .stored) throws(JSONFault) -> Int {
        var scanner = JSONScanner(limits: limits, offset: start)
        scanner.skipSpace(bytes.span)
        try scanner.skipValue(bytes.span, depth: 0)
        return scanner.offset
    }
}
