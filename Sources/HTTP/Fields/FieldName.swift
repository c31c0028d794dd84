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
    public static var accept: FieldName { FieldName("Accept") }
    public static var accountID: FieldName { FieldName("Account-ID") }
    public static var allow: FieldName { FieldName("Allow") }
    public static var authorization: FieldName { FieldName("Authorization") }
    public static var cacheControl: FieldName { FieldName("Cache-Control") }
    public static var connection: FieldName { FieldName("Connection") }
    public static var acceptEncoding: FieldName { FieldName("Accept-Encoding") }
    public static var contentEncoding: FieldName { FieldName("Content-Encoding") }
    public static var contentLength: FieldName { FieldName("Content-Length") }
    public static var contentType: FieldName { FieldName("Content-Type") }
    public static var date: FieldName { FieldName("Date") }
    public static var entityTag: FieldName { FieldName("ETag") }
    public static var expect: FieldName { FieldName("Expect") }
    public static var host: FieldName { FieldName("Host") }
    public static var idempotencyKey: FieldName { FieldName("Idempotency-Key") }
    public static var idempotencyReplayed: FieldName { FieldName("Idempotency-Replayed") }
    public static var ifMatch: FieldName { FieldName("If-Match") }
    public static var ifNoneMatch: FieldName { FieldName("If-None-Match") }
    public static var lastEventID: FieldName { FieldName("Last-Event-ID") }
    public static var location: FieldName { FieldName("Location") }
    public static var prefer: FieldName { FieldName("Prefer") }
    public static var preferenceApplied: FieldName { FieldName("Preference-Applied") }
    public static var requestID: FieldName { FieldName("X-Request-ID") }
    public static var origin: FieldName { FieldName("Origin") }
    public static var allowOrigin: FieldName { FieldName("Access-Control-Allow-Origin") }
    public static var allowMethods: FieldName { FieldName("Access-Control-Allow-Methods") }
    public static var allowHeaders: FieldName { FieldName("Access-Control-Allow-Headers") }
    public static var exposeHeaders: FieldName { FieldName("Access-Control-Expose-Headers") }
    public static var maxAge: FieldName { FieldName("Access-Control-Max-Age") }
    public static var requestMethod: FieldName { FieldName("Access-Control-Request-Method") }
    public static var retryAfter: FieldName { FieldName("Retry-After") }
    public static var traceparent: FieldName { FieldName("traceparent") }
    public static var transferEncoding: FieldName { FieldName("Transfer-Encoding") }
    public static var upgrade: FieldName { FieldName("Upgrade") }
    public static var vary: FieldName { FieldName("Vary") }
    public static var accelBuffering: FieldName { FieldName("X-Accel-Buffering") }
    public static var wwwAuthenticate: FieldName { FieldName("WWW-Authenticate") }
}
