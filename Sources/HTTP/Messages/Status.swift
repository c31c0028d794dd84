/// A final or interim status code of an answer (RFC 9110 section 15, RFC 6585).
public struct Status: Sendable, Hashable {
    /// The three-digit code.
    public let code: UInt16

    /// A status from a code between 100 and 599.
    public init(_ code: UInt16) {
        precondition(code >= 100 && code <= 599, "a status code has three digits and starts with 1 to 5")
        self.code = code
    }

    /// Whether an answer with this status has no body and no Content-Length, whatever the request was.
    public var forbidsContent: Bool { code < 200 || code == 204 || code == 304 }

    /// The reason phrase for the status line; empty for a code that is not listed here, which RFC 9112 section 4 permits.
    public var reason: StaticString {
        switch code {
        case 100: "Continue"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 411: "Length Required"
        case 412: "Precondition Failed"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 423: "Locked"
        case 425: "Too Early"
        case 428: "Precondition Required"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: ""
        }
    }
}

extension Status {
    /// Interim: the head is fine, the body may come (RFC 9110 section 15.2.1).
    public static var `continue`: Status { Status(100) }
    /// Done, and the body says what came of it (RFC 9110 section 15.3.1).
    public static var ok: Status { Status(200) }
    /// Something new is there, named by Location (RFC 9110 section 15.3.2).
    public static var created: Status { Status(201) }
    /// Taken on, and to be done later (RFC 9110 section 15.3.3).
    public static var accepted: Status { Status(202) }
    /// Done, and there is nothing to say (RFC 9110 section 15.3.5).
    public static var noContent: Status { Status(204) }
    /// The client's copy is still good (RFC 9110 section 15.4.5).
    public static var notModified: Status { Status(304) }
    /// The request cannot be understood (RFC 9110 section 15.5.1).
    public static var badRequest: Status { Status(400) }
    /// Credentials are missing or not valid; sent with WWW-Authenticate (RFC 9110 section 15.5.2).
    public static var unauthorized: Status { Status(401) }
    /// Understood and refused, whatever the credentials (RFC 9110 section 15.5.4).
    public static var forbidden: Status { Status(403) }
    /// There is no such resource, or it is not shown to this client (RFC 9110 section 15.5.5).
    public static var notFound: Status { Status(404) }
    /// The resource has no such method; sent with Allow (RFC 9110 section 15.5.6).
    public static var methodNotAllowed: Status { Status(405) }
    /// No form of the resource is one that the client takes (RFC 9110 section 15.5.7).
    public static var notAcceptable: Status { Status(406) }
    /// The request did not arrive in time, and the connection ends (RFC 9110 section 15.5.9).
    public static var requestTimeout: Status { Status(408) }
    /// At odds with the resource as it now stands (RFC 9110 section 15.5.10).
    public static var conflict: Status { Status(409) }
    /// It was there and is so no more, for good (RFC 9110 section 15.5.11).
    public static var gone: Status { Status(410) }
    /// A condition of the request, such as If-Match, does not hold (RFC 9110 section 15.5.13).
    public static var preconditionFailed: Status { Status(412) }
    /// The body is larger than is taken (RFC 9110 section 15.5.14).
    public static var contentTooLarge: Status { Status(413) }
    /// The request target is longer than is taken (RFC 9110 section 15.5.15).
    public static var uriTooLong: Status { Status(414) }
    /// The body's media type or coding is not one that is read here (RFC 9110 section 15.5.16).
    public static var unsupportedMediaType: Status { Status(415) }
    /// What Expect asks for cannot be met (RFC 9110 section 15.5.18).
    public static var expectationFailed: Status { Status(417) }
    /// The body is well formed, but what it says cannot be done (RFC 9110 section 15.5.21).
    public static var unprocessableContent: Status { Status(422) }
    /// The resource is shut for a while (RFC 4918 section 11.3).
    public static var locked: Status { Status(423) }
    /// The request has to name a condition, such as If-Match (RFC 6585 section 3).
    public static var preconditionRequired: Status { Status(428) }
    /// The client asks too much too fast (RFC 6585 section 4).
    public static var tooManyRequests: Status { Status(429) }
    /// The header section, or one field of it, is larger than is taken (RFC 6585 section 5).
    public static var fieldsTooLarge: Status { Status(431) }
    /// A fault of the service, which the request could not help (RFC 9110 section 15.6.1).
    public static var internalServerError: Status { Status(500) }
    /// The method, or the transfer coding, is not known to the service at all (RFC 9110 section 15.6.2).
    public static var notImplemented: Status { Status(501) }
    /// Not now: too busy, starting or stopping; may be tried again (RFC 9110 section 15.6.4).
    public static var serviceUnavailable: Status { Status(503) }
    /// The major version of HTTP is not spoken here (RFC 9110 section 15.6.6).
    public static var versionNotSupported: Status { Status(505) }
    /// There is no room to store what the request asks for (RFC 4918 section 11.5).
    public static var insufficientStorage: Status { Status(507) }
}
