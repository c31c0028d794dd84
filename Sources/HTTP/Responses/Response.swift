/// An answer with all of its body at hand; long-lived ones are written with a `StreamHead` and a `StreamCoding`.
public struct Response: Sendable {
    /// The final status.
    public var status: Status

    /// The fields, without the framing ones.
    public var fields: ResponseFields

    /// The content. To HEAD it is not sent, but counted in Content-Length; with 204 and 304 it is neither.
    public var body: [UInt8]

    /// Whether the connection is to be closed behind this answer, whatever the request asked for.
    public var closesConnection: Bool

    /// An answer; without a body unless one is given.
    public init(
        status: Status, fields: ResponseFields = ResponseFields(), body: [UInt8] = [], closesConnection: Bool = false
    ) {
        precondition(status.code >= 200, "an interim answer has no body and fields of its own")
        self.status = status
        self.fields = fields
        self.body = body
        self.closesConnection = closesConnection
    }
}

/// What the writing of an answer has to know about the request it answers.
public struct ResponseContext: Sendable, Equatable {
    /// Whether the method was HEAD: no content is sent.
    public var isHead: Bool

    /// The request's minor version: 0 has no chunked coding, and keeps a connection only where told so.
    public var minorVersion: UInt8

    /// Whether the connection goes on behind the answer.
    public var keepAlive: Bool

    /// A context of its parts.
    public init(isHead: Bool, minorVersion: UInt8, keepAlive: Bool) {
        self.isHead = isHead
        self.minorVersion = minorVersion
        self.keepAlive = keepAlive
    }

    /// The context of a request; the server may still turn `keepAlive` off.
    public init(_ head: RequestHead) {
        self.init(isHead: head.method == .head, minorVersion: head.minorVersion, keepAlive: head.keepAlive)
    }

    /// The context of an answer to bytes that were no request: with its content, and the connection closes.
    public static var fault: ResponseContext { ResponseContext(isHead: false, minorVersion: 1, keepAlive: false) }
}
