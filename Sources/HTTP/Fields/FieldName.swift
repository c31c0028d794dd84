/// A field name that the service knows, as a literal: compared without regard to case, written as spelt here.
///
/// It consists of letters, digits and hyphens only (a precondition), which is what the folded comparison relies on.
package struct FieldName: Sendable {
    /// The name as it is written in answers.
    package let text: StaticString

    /// A name from a literal of letters, digits and hyphens.
    package init(_ text: StaticString) {
        assert(FieldName.isPlain(text), "a field name of letters, digits and hyphens is wanted")
        self.text = text
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
    package static var accept: FieldName { FieldName("Accept") }
    package static var accountID: FieldName { FieldName("Account-ID") }
    package static var allow: FieldName { FieldName("Allow") }
    package static var authorization: FieldName { FieldName("Authorization") }
    package static var cacheControl: FieldName { FieldName("Cache-Control") }
    package static var connection: FieldName { FieldName("Connection") }
    package static var acceptEncoding: FieldName { FieldName("Accept-Encoding") }
    package static var contentEncoding: FieldName { FieldName("Content-Encoding") }
    package static var contentLength: FieldName { FieldName("Content-Length") }
    package static var contentType: FieldName { FieldName("Content-Type") }
    package static var date: FieldName { FieldName("Date") }
    package static var entityTag: FieldName { FieldName("ETag") }
    package static var expect: FieldName { FieldName("Expect") }
    package static var host: FieldName { FieldName("Host") }
    package static var idempotencyKey: FieldName { FieldName("Idempotency-Key") }
    package static var idempotencyReplayed: FieldName { FieldName("Idempotency-Replayed") }
    package static var ifMatch: FieldName { FieldName("If-Match") }
    package static var ifNoneMatch: FieldName { FieldName("If-None-Match") }
    package static var lastEventID: FieldName { FieldName("Last-Event-ID") }
    package static var location: FieldName { FieldName("Location") }
    package static var prefer: FieldName { FieldName("Prefer") }
    package static var preferenceApplied: FieldName { FieldName("Preference-Applied") }
    package static var requestID: FieldName { FieldName("X-Request-ID") }
    package static var origin: FieldName { FieldName("Origin") }
    package static var allowOrigin: FieldName { FieldName("Access-Control-Allow-Origin") }
    package static var allowMethods: FieldName { FieldName("Access-Control-Allow-Methods") }
    package static var allowHeaders: FieldName { FieldName("Access-Control-Allow-Headers") }
    package static var exposeHeaders: FieldName { FieldName("Access-Control-Expose-Headers") }
    package static var maxAge: FieldName { FieldName("Access-Control-Max-Age") }
    package static var requestMethod: FieldName { FieldName("Access-Control-Request-Method") }
    package static var retryAfter: FieldName { FieldName("Retry-After") }
    package static var traceparent: FieldName { FieldName("traceparent") }
    package static var transferEncoding: FieldName { FieldName("Transfer-Encoding") }
    package static var upgrade: FieldName { FieldName("Upgrade") }
    package static var vary: FieldName { FieldName("Vary") }
    package static var accelBuffering: FieldName { FieldName("X-Accel-Buffering") }
    package static var wwwAuthenticate: FieldName { FieldName("WWW-Authenticate") }
}
