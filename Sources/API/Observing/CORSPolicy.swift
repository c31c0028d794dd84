internal import HTTP

/// Which other origins' pages may use the service from a browser (the Fetch standard's CORS protocol). By default none.
///
/// Credentials of the browser's own (cookies) are never allowed: a page that has a token sends it itself.
public struct CORSPolicy: Sendable {
    /// The setting cannot be used; one sentence says why.
    public struct Fault: Error {
        /// Quotes the origin that cannot be used and says what one looks like.
        public let sentence: String
    }

    private let origins: [[UInt8]]
    private let allowsAll: Bool
    /// How long a browser may keep the answer to a preflight.
    private static let maxAgeSeconds = 600

    /// Fields that a page may send beside the ones every page may.
    private static let requestFields: [FieldName] = [
        .authorization, .contentType, .idempotencyKey, .ifMatch, .ifNoneMatch, .lastEventID, .prefer, .traceparent, .requestID,
    ]
    /// Fields of answers that a page may read beside the ones every page may.
    private static let answerFields: [FieldName] = [
        .entityTag, .idempotencyReplayed, .location, .preferenceApplied, .requestID, .retryAfter, .wwwAuthenticate,
    ]

    /// Reads origins separated by commas (`https://shop.example, http://localhost:3000`), or `*` for all; nil for none.
    public static func reading(_ text: String) throws(Fault) -> CORSPolicy? {
        let origins = text.split(separator: ",").map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
        guard !origins.isEmpty else { return nil }
        if origins == ["*"] { return CORSPolicy(origins: [], allowsAll: true) }
        for origin in origins where !isOrigin(origin) {
            throw Fault(sentence: "\"\(origin)\" is not an origin such as https://shop.example, without a path")
        }
        return CORSPolicy(origins: origins.map { Array($0.utf8) }, allowsAll: false)
    }

    private static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else { return false }
        let host = text.dropFirst(scheme.count)
        return !host.isEmpty && host == host.lowercased()
            && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-:[]".contains($0)) }
    }

    /// What goes into the answer to a request; at least `Vary`, so that a cache does not hand one origin's answer to another.
    func fields(for head: borrowing RequestHead) -> ResponseFields {
        guard let origin = head.fields.first(.origin), head.fields.count(of: .origin) == 1 else { return Self.varies }
        guard allowsAll || origins.contains(where: { origin.equals($0) }) else { return Self.varies }
        var fields = Self.varies
        fields.add(.allowOrigin, allowsAll ? Array("*".utf8) : origin.copy)
        fields.add(.exposeHeaders, Self.list(Self.answerFields))
        return fields
    }

    /// What goes into the answer to a preflight beside those: nothing where it is none, or of an origin that is not allowed.
    func preflightFields(for head: borrowing RequestHead, allow: String) -> ResponseFields {
        guard head.method == .options, head.fields.first(.requestMethod) != nil, let origin = head.fields.first(.origin),
            head.fields.count(of: .origin) == 1, allowsAll || origins.contains(where: { origin.equals($0) })
        else { return ResponseFields() }
        return ResponseFields([
            (.allowMethods, allow), (.allowHeaders, Self.list(Self.requestFields)), (.maxAge, String(Self.maxAgeSeconds)),
        ])
    }

    private static let varies = ResponseFields([(.vary, "Origin")])

    private static func list(_ names: [FieldName]) -> String { names.map(\.text.description).joined(separator: ", ") }
}
