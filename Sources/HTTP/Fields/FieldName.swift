/// A field name that the service knows, as a literal: compared without regard to case, written as spelt here.
///
/// It consists of letters, digits and hyphens only (a precondition), which is what the folded comparison relies on.
public struct FieldName: Sendable {
    /// The name as it is written in answers.
    public let text: StaticString

    /// A name from a literal of letters, digits and hyphens.
    public init(_ text: StaticString) {
        assert(FieldName.isPlain(text), "a field name of letters, digits and hyphens is wanted")
        self.text = text
    }

    /// Whether it is one of the fields that say how an answer is framed, which only the serializer writes.
    var isFraming: Bool {
        isSame(as: .date) || isSame(as: .contentLength) || isSame(as: .transferEncoding) || isSame(as: .connection)
    }

    /// Whether it is the same name, without regard to case.
    private func isSame(as other: FieldName) -> Bool {
        guard text.utf8CodeUnitCount == other.text.utf8CodeUnitCount else { return false }
        return text.description.utf8.elementsEqual(other.text.description.utf8) { $0 | 0x20 == $1 | 0x20 }
    }

    private static func isPlain(_ text: StaticString) -> Bool {
        text.utf8CodeUnitCount > 0
            && text.description.utf8.allSatisfy { byte in
                switch byte {
                case 0x2D, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: false
                }
            }
    }
}

extension FieldName {
    /// Which media types the client takes (RFC 9110 section 12.5.1).
    public static var accept: FieldName { FieldName("Accept") }
    /// The account that a trusted gateway speaks for, in place of a token; this service's own field.
    public static var accountID: FieldName { FieldName("Account-ID") }
    /// Which methods a resource takes (RFC 9110 section 10.2.1).
    public static var allow: FieldName { FieldName("Allow") }
    /// The client's credentials, here a bearer token (RFC 9110 section 11.6.2).
    public static var authorization: FieldName { FieldName("Authorization") }
    /// Who may keep an answer, and for how long (RFC 9111 section 5.2).
    public static var cacheControl: FieldName { FieldName("Cache-Control") }
    /// Whether the connection stays open, and which fields are for this hop alone (RFC 9110 section 7.6.1).
    public static var connection: FieldName { FieldName("Connection") }
    /// Which content codings are taken: by the client, or in a refusal by the service (RFC 9110 section 12.5.3).
    public static var acceptEncoding: FieldName { FieldName("Accept-Encoding") }
    /// Which codings the body went through, in order (RFC 9110 section 8.4).
    public static var contentEncoding: FieldName { FieldName("Content-Encoding") }
    /// The body's length in bytes (RFC 9110 section 8.6).
    public static var contentLength: FieldName { FieldName("Content-Length") }
    /// The body's media type (RFC 9110 section 8.3).
    public static var contentType: FieldName { FieldName("Content-Type") }
    /// When the answer was made (RFC 9110 section 6.6.1); written by the serializer alone.
    public static var date: FieldName { FieldName("Date") }
    /// Names the version of a resource that the answer shows, for conditions on later requests (RFC 9110 section 8.8.3).
    public static var entityTag: FieldName { FieldName("ETag") }
    /// What the client waits for before it sends the body; only `100-continue` is met here (RFC 9110 section 10.1.1).
    public static var expect: FieldName { FieldName("Expect") }
    /// The authority that the client believes it speaks to; required of every HTTP/1.1 request (RFC 9110 section 7.2).
    public static var host: FieldName { FieldName("Host") }
    /// Names a request for good, so that sending it again does nothing twice (draft-ietf-httpapi-idempotency-key-header).
    public static var idempotencyKey: FieldName { FieldName("Idempotency-Key") }
    /// `true` on an answer given before under the same idempotency key; this service's own field.
    public static var idempotencyReplayed: FieldName { FieldName("Idempotency-Replayed") }
    /// The request holds only while the resource is at one of these versions; else 412 (RFC 9110 section 13.1.1).
    public static var ifMatch: FieldName { FieldName("If-Match") }
    /// The answer is wanted only where the resource is at none of these versions; else 304 (RFC 9110 section 13.1.2).
    public static var ifNoneMatch: FieldName { FieldName("If-None-Match") }
    /// Where an event stream broke off, from a client that takes it up again (HTML Living Standard, "Server-sent events").
    public static var lastEventID: FieldName { FieldName("Last-Event-ID") }
    /// What a created resource is called, or where to go instead (RFC 9110 section 10.2.2).
    public static var location: FieldName { FieldName("Location") }
    /// How the client would like to be answered, such as `return=minimal`; may be passed over (RFC 7240 section 2).
    public static var prefer: FieldName { FieldName("Prefer") }
    /// Which preferences were met (RFC 7240 section 3).
    public static var preferenceApplied: FieldName { FieldName("Preference-Applied") }
    /// Names a request in logs: the client's own where it is fit for that, else one made here; a convention without a standard.
    public static var requestID: FieldName { FieldName("X-Request-ID") }
    /// The site whose page makes the request (RFC 6454 section 7, Fetch).
    public static var origin: FieldName { FieldName("Origin") }
    /// The site whose pages may read the answer, or `*` (Fetch, "CORS protocol").
    public static var allowOrigin: FieldName { FieldName("Access-Control-Allow-Origin") }
    /// In a preflight's answer, the methods that another site's page may use (Fetch, "CORS protocol").
    public static var allowMethods: FieldName { FieldName("Access-Control-Allow-Methods") }
    /// In a preflight's answer, the fields that another site's page may send (Fetch, "CORS protocol").
    public static var allowHeaders: FieldName { FieldName("Access-Control-Allow-Headers") }
    /// The fields of an answer that another site's page may read beside the few that are always open (Fetch, "CORS protocol").
    public static var exposeHeaders: FieldName { FieldName("Access-Control-Expose-Headers") }
    /// How many seconds a preflight's answer may be kept (Fetch, "CORS protocol").
    public static var maxAge: FieldName { FieldName("Access-Control-Max-Age") }
    /// The method that a page means to use; its presence makes an OPTIONS request a preflight (Fetch, "CORS protocol").
    public static var requestMethod: FieldName { FieldName("Access-Control-Request-Method") }
    /// When to try again, in seconds or as a date (RFC 9110 section 10.2.3).
    public static var retryAfter: FieldName { FieldName("Retry-After") }
    /// The trace that a request belongs to, and the span that made it (W3C Trace Context section 3.2).
    public static var traceparent: FieldName { FieldName("traceparent") }
    /// How the body is framed on this connection, such as `chunked` (RFC 9112 section 6.1).
    public static var transferEncoding: FieldName { FieldName("Transfer-Encoding") }
    /// Another protocol that the connection could change to (RFC 9110 section 7.8).
    public static var upgrade: FieldName { FieldName("Upgrade") }
    /// Which request fields an answer depended on, for caches (RFC 9110 section 12.5.5).
    public static var vary: FieldName { FieldName("Vary") }
    /// `no` tells nginx to pass an event stream on piece by piece; nginx's own field.
    public static var accelBuffering: FieldName { FieldName("X-Accel-Buffering") }
    /// Which credentials would be taken, on a 401 (RFC 9110 section 11.6.1).
    public static var wwwAuthenticate: FieldName { FieldName("WWW-Authenticate") }
}
