/// Why a request was refused. After a fault the connection's framing can no longer be trusted: it is answered and closed.
public struct ParseFault: Error, Sendable, Equatable {
    /// The status of the answer.
    public let status: Status

    /// What was wrong, in words for the sender; it never holds bytes of the request.
    public let detail: String

    init(_ status: Status, _ detail: String) {
        self.status = status
        self.detail = detail
    }
}

// One fault per kind, in the order in which a request is read.
extension ParseFault {
    // Lines (RFC 9112 section 2.2).
    static var bareCarriageReturn: ParseFault { ParseFault(.badRequest, "A carriage return without a line feed.") }
    static var bareLineFeed: ParseFault { ParseFault(.badRequest, "A line feed without a carriage return.") }
    static var controlByte: ParseFault { ParseFault(.badRequest, "A control byte in the message head or framing.") }
    static var emptyLines: ParseFault { ParseFault(.badRequest, "Too many empty lines before a request.") }

    // The request line (RFC 9112 section 3).
    static var requestLine: ParseFault {
        ParseFault(.badRequest, "The request line is not a method, a target and a version parted by single spaces.")
    }
    static var methodByte: ParseFault { ParseFault(.badRequest, "The method is not a token.") }
    static var methodTooLong: ParseFault { ParseFault(.notImplemented, "The method is longer than any known here.") }
    static var connectMethod: ParseFault { ParseFault(.notImplemented, "CONNECT is not implemented.") }
    static var requestLineTooLong: ParseFault { ParseFault(.uriTooLong, "The request line is too long.") }
    static var version: ParseFault { ParseFault(.badRequest, "The version is not HTTP/ with a digit, a dot and a digit.") }
    static var majorVersion: ParseFault { ParseFault(.versionNotSupported, "Only HTTP/1.1 and HTTP/1.0 are spoken here.") }

    // The target (RFC 9112 section 3.2).
    static var emptyTarget: ParseFault { ParseFault(.badRequest, "The request target is empty.") }
    static var asteriskTarget: ParseFault { ParseFault(.badRequest, "The target * is for OPTIONS only.") }
    static var targetForm: ParseFault {
        ParseFault(.badRequest, "The target is neither a path that starts with a slash nor an http or https URI.")
    }
    static var targetAuthority: ParseFault { ParseFault(.badRequest, "The target's authority is not a host and port.") }
    static var targetByte: ParseFault { ParseFault(.badRequest, "The target has a byte that a URI cannot have.") }
    static var targetEscape: ParseFault { ParseFault(.badRequest, "The target has a malformed percent escape.") }
    static var targetNul: ParseFault { ParseFault(.badRequest, "The target has an escaped NUL.") }
    static var controlInPath: ParseFault { ParseFault(.badRequest, "The path has an escaped control character.") }
    static var targetText: ParseFault { ParseFault(.badRequest, "The target's escapes are not UTF-8.") }

    // Fields (RFC 9112 section 5).
    static var foldedLine: ParseFault { ParseFault(.badRequest, "A field line starts with white space.") }
    static var fieldName: ParseFault { ParseFault(.badRequest, "A field line is not a name directly followed by a colon.") }
    static var fieldsTooLarge: ParseFault { ParseFault(.fieldsTooLarge, "The header section is too large.") }
    static var tooManyFields: ParseFault { ParseFault(.fieldsTooLarge, "There are too many field lines.") }
    static var trailersTooLarge: ParseFault { ParseFault(.fieldsTooLarge, "The trailer section is too large.") }

    // What the fields say together (RFC 9112 sections 3.2 and 6).
    static var hostCount: ParseFault { ParseFault(.badRequest, "Exactly one Host field is wanted.") }
    static var hostValue: ParseFault { ParseFault(.badRequest, "Host is not a host with an optional port.") }
    static var contentLength: ParseFault { ParseFault(.badRequest, "Content-Length is not one decimal number.") }
    static var contentLengthCount: ParseFault { ParseFault(.badRequest, "There is more than one Content-Length field.") }
    static var lengthAndCoding: ParseFault {
        ParseFault(.badRequest, "Content-Length and Transfer-Encoding exclude each other.")
    }
    static var codingInVersion10: ParseFault { ParseFault(.badRequest, "HTTP/1.0 has no Transfer-Encoding.") }
    static var codingOrder: ParseFault { ParseFault(.badRequest, "Transfer-Encoding does not end with a single chunked.") }
    static var unknownCoding: ParseFault { ParseFault(.notImplemented, "The only transfer coding known here is chunked.") }
    static var bodyTooLarge: ParseFault { ParseFault(.contentTooLarge, "The body is too large.") }
    static var expectation: ParseFault { ParseFault(.expectationFailed, "The only expectation met here is 100-continue.") }

    // The chunked coding (RFC 9112 section 7.1).
    static var chunkSize: ParseFault { ParseFault(.badRequest, "A chunk size is not a hexadecimal number of 64 bits.") }
    static var chunkExtension: ParseFault { ParseFault(.badRequest, "A chunk extension is malformed.") }
    static var chunkEnd: ParseFault { ParseFault(.badRequest, "A chunk's data is not followed by the end of a line.") }
    static var chunkExtensionsTooLarge: ParseFault { ParseFault(.contentTooLarge, "The chunk extensions are too large.") }
    static var tooManyChunks: ParseFault { ParseFault(.contentTooLarge, "The body has too many chunks.") }

    // The end of input.
    static var incomplete: ParseFault { ParseFault(.badRequest, "The connection ended within a request.") }
}
