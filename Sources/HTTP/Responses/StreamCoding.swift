/// How the content of a streamed answer is delimited (RFC 9112 section 6).
public enum StreamCoding: Sendable, Equatable {
    /// Each piece is a chunk; the end is a chunk of size zero.
    case chunked
    /// The pieces as they are; the end is the connection's end.
    case untilClose
    /// Content is not sent at all: the answer to HEAD.
    case none

    /// Appends a piece of content; an empty one adds nothing, as a chunk of size zero would end the content.
    public func append(_ piece: [UInt8], to output: inout [UInt8]) {
        guard !piece.isEmpty else { return }
        switch self {
        case .chunked:
            output.appendHexadecimal(piece.count)
            output.append("\r\n")
            output.append(contentsOf: piece)
            output.append("\r\n")
        case .untilClose:
            output.append(contentsOf: piece)
        case .none:
            break
        }
    }

    /// Appends what ends the content. Without it a chunked answer counts as broken off, which is how an error midway is told.
    public func appendEnd(to output: inout [UInt8]) {
        if self == .chunked { output.append("0\r\n\r\n") }
    }
}
