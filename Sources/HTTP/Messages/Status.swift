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
    public static var `continue`: Status { Status(100) }
    public static var ok: Status { Status(200) }
    public static var created: Status { Status(201) }
    public static var accepted: Status { Status(202) }
    public static var noContent: Status { Status(204) }
    public static var notModified: Status { Status(304) }
    public static var badRequest: Status { Status(400) }
    public static var unauthorized: Status { Status(401) }
    public static var forbidden: Status { Status(403) }
    public static var notFound: Status { Status(404) }
    public static var methodNotAllowed: Status { Status(405) }
    public static var notAcceptable: Status { Status(406) }
    public static var requestTimeout: Status { Status(408) }
    public static var conflict: Status { Status(409) }
    public static var gone: Status { Status(410) }
    public static var preconditionFailed: Status { Status(412) }
    public static var contentTooLarge: Status { Status(413) }
    public static var uriTooLong: Status { Status(414) }
    public static var unsupportedMediaType: Status { Status(415) }
    public static var expectationFailed: Status { Status(417) }
    public static var unprocessableContent: Status { Status(422) }
    public static var locked: Status { Status(423) }
    public static var preconditionRequired: Status { Status(428) }
    public static var tooManyRequests: Status { Status(429) }
    public static var fieldsTooLarge: Status { Status(431) }
    public static var internalServerError: Status { Status(500) }
    public static var notImplemented: Status { Status(501) }
    public static var serviceUnavailable: Status { Status(503) }
    public static var versionNotSupported: Status { Status(505) }
    public static var insufficientStorage: Status { Status(507) }
}
