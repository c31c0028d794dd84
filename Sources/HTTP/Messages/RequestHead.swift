/// The start line and header section of a request that has been found to be well formed, and what they mean together.
///
/// All text in it is ranges over one byte array that the head owns; copying a head copies two references.
public struct RequestHead: Sendable {
    let bytes: [UInt8]
    let entries: [FieldEntry]
    let parts: TargetParts
    private let methodEnd: UInt32

    /// The method; `other` for a token that is none of the registered ones.
    public let method: Method

    /// The minor version the sender spoke, at most 1: a higher one is treated as 1 (RFC 9110 section 2.5).
    public let minorVersion: UInt8

    /// Whether the sender keeps the connection open after this exchange (RFC 9112 section 9.3).
    public let keepAlive: Bool

    /// Whether the sender waits for an interim 100 before it sends the body (RFC 9110 section 10.1.1).
    ///
    /// False without a body and for HTTP/1.0, which has no interim responses. Where part of the body has already
    /// arrived (`RequestParser.bufferedBytes`), the 100 may be left out.
    public let expectsContinue: Bool

    init(
        bytes: [UInt8], entries: [FieldEntry], line: RequestLine, keepAlive: Bool, expectsContinue: Bool
    ) {
        self.bytes = bytes
        self.entries = entries
        parts = line.target
        methodEnd = UInt32(truncatingIfNeeded: line.methodEnd)
        method = line.method
        minorVersion = line.minorVersion
        self.keepAlive = keepAlive
        self.expectsContinue = expectsContinue
    }

    /// What the request is aimed at.
    public var target: Target { Target(bytes: bytes, parts: parts) }

    /// The field lines.
    public var fields: Fields { Fields(bytes: bytes, entries: entries) }

    /// The method's token as the sender spelt it; for logs and for methods that are `other`.
    public var methodToken: String { String(decoding: bytes[0..<Int(methodEnd)], as: UTF8.self) }

    /// The authority the request is for: that of an absolute-form target, which outranks Host, or else Host's value.
    ///
    /// Nil in HTTP/1.0 without either; may be empty, as Host may.
    public var authority: String? {
        if !parts.authority.isEmpty { return String(decoding: bytes[parts.authority.range], as: UTF8.self) }
        return fields.string(.host)
    }
}

/// A whole request: the head, and the body with any transfer coding taken off.
public struct Request: Sendable {
    /// The start line and fields. Trailers are checked and dropped; they never become fields.
    public let head: RequestHead

    /// The body; empty where the request has none.
    public let body: [UInt8]

    /// A request of a head and its body.
    public init(head: RequestHead, body: [UInt8]) {
        self.head = head
        self.body = body
    }
}

/// How much body follows a head (RFC 9112 section 6.3).
public enum BodyLength: Sendable, Equatable {
    /// So many bytes, at least one.
    case fixed(Int)
    /// A chunked body, whose length shows as it arrives.
    case chunked
}
