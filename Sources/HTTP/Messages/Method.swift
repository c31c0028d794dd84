/// A request method (RFC 9110 section 9). Methods are case-sensitive: `get` is an unknown method, not GET.
///
/// A token that is none of the registered methods is `other`; a server answers it with 501. CONNECT never reaches a
/// handler: the parser refuses it, since what follows it may be a tunnel's bytes.
public enum Method: UInt8, Sendable, Hashable, CaseIterable {
    case get, head, post, put, delete, options, patch, trace, connect, other

    /// Whether the method asks for nothing to be changed (RFC 9110 section 9.2.1); an unknown method counts as unsafe.
    public var isSafe: Bool {
        switch self {
        case .get, .head, .options, .trace: true
        case .post, .put, .delete, .patch, .connect, .other: false
        }
    }

    /// The method's token as it stands on the wire; empty for `other`, whose token only the request head knows.
    public var token: StaticString {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .patch: "PATCH"
        case .trace: "TRACE"
        case .connect: "CONNECT"
        case .other: ""
        }
    }

    /// Reads a method from the token at `range`, which has been found to be one.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        let candidates: (Method, Method) =
            switch range.count {
            case 3: (.get, .put)
            case 4: (.post, .head)
            case 5: (.patch, .trace)
            case 6: (.delete, .delete)
            case 7: (.options, .connect)
            default: (.other, .other)
            }
        if candidates.0 != .other, bytes.holds(candidates.0.token, at: range.lowerBound) {
            self = candidates.0
        } else if candidates.1 != .other, bytes.holds(candidates.1.token, at: range.lowerBound) {
            self = candidates.1
        } else {
            self = .other
        }
    }
}
