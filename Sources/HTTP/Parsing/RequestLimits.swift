/// The bounds of what a request may be. Each has a status of its own; beyond any of them the connection is closed.
///
/// | limit | default | beyond it | beside others |
/// | --- | --- | --- | --- |
/// | `requestLineBytesMax` | 8,192 | 414; 501 where it is all method | nginx 8 KiB; RFC 9112 section 3 asks for 8,000 |
/// | `headerSectionBytesMax` | 32 KiB | 431 | node 16 KiB, nginx 4 × 8 KiB, Hummingbird 80 KiB |
/// | `headerFieldsMax` | 256 | 431 | hyper 100, nginx and Hummingbird 1,000 |
/// | `emptyLinesMax` | 16 | 400 | RFC 9112 section 2.2 asks for one at least |
/// | `bodyBytesMax` | 1 MiB | 413 | nginx 1 MiB, Hummingbird 2 MiB |
/// | `chunksMax` | 16,384 | 413 | nobody else; 1 MiB in chunks of 64 bytes |
/// | `chunkExtensionBytesMax` | 16 KiB a body | 413 | hyper 16 KiB a body |
/// | `trailerBytesMax` | 16 KiB | 431 | hyper 16 KiB |
public struct RequestLimits: Sendable, Equatable {
    /// Bytes of the request line, its line end left out.
    public var requestLineBytesMax = 8_192

    /// Bytes of all field lines with their line ends, the empty line behind them left out.
    public var headerSectionBytesMax = 32_768

    /// Field lines in a header section, and in a trailer section.
    ///
    /// More than the round 100 of others, since a proxy chain's own fields come on top of a client's.
    public var headerFieldsMax = 256

    /// Empty lines skipped before one request.
    public var emptyLinesMax = 16

    /// Bytes of a body, any transfer coding taken off. A Content-Length beyond it is refused at the head.
    public var bodyBytesMax = 1_048_576

    /// Chunks of a chunked body, the last one left out.
    public var chunksMax = 16_384

    /// Bytes of chunk extensions over a whole body: all that stands between a chunk's size and its line end.
    public var chunkExtensionBytesMax = 16_384

    /// Bytes of a trailer section with its line ends, the empty line behind it left out.
    public var trailerBytesMax = 16_384

    /// Digits of a chunk size, leading zeros included; beyond it the size is malformed. Not settable.
    static let chunkSizeDigitsMax = 64

    /// The defaults.
    public init() {}

    /// The first relation between the limits that does not hold, in words, or nil where all is well.
    ///
    /// For the check of a configuration; a parser must not be made with limits that violate one.
    public var violatedRelation: String? {
        if requestLineBytesMax < 8_000 { return "requestLineBytesMax must be at least 8000 (RFC 9112 section 3)" }
        if headerSectionBytesMax < 1_024 { return "headerSectionBytesMax must be at least 1024" }
        if headerSectionBytesMax > 65_536 { return "headerSectionBytesMax must be at most 65536" }
        if requestLineBytesMax > 65_536 { return "requestLineBytesMax must be at most 65536" }
        if headerFieldsMax < 16 { return "headerFieldsMax must be at least 16" }
        if emptyLinesMax < 1 { return "emptyLinesMax must be at least 1 (RFC 9112 section 2.2)" }
        if bodyBytesMax < 0 { return "bodyBytesMax must not be negative" }
        if bodyBytesMax > 1 << 40 { return "bodyBytesMax must be at most 2^40" }
        if chunksMax < 1 { return "chunksMax must be at least 1" }
        if chunkExtensionBytesMax < 0 { return "chunkExtensionBytesMax must not be negative" }
        if trailerBytesMax < 0 { return "trailerBytesMax must not be negative" }
        if trailerBytesMax > headerSectionBytesMax { return "trailerBytesMax must be at most headerSectionBytesMax" }
        if chunkExtensionBytesMax > 65_536 { return "chunkExtensionBytesMax must be at most 65536" }
        return nil
    }
}
