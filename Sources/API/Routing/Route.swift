internal import Accounts
internal import HTTP
internal import HTTPServer
internal import Redux
internal import Runtime

/// One request on its way to its answer.
struct Call: Sendable {
    let request: Request
    let exchange: Exchange
    /// The variable segments of the path, decoded, in order.
    let variables: [String]
    /// The query's parameters; each at most once, all of them known to the route.
    let query: [String: String]
}

/// Who asks: an account that is in memory, and the session whose token said so.
struct Caller: Sendable {
    let account: AccountHandle
    let session: Session
}

/// One part of a path between two slashes.
enum PathSegment: Hashable, Sendable {
    case literal(String)
    /// Any one segment; the name is for documents.
    case variable(String)
}

/// A method and a path, and what answers there.
///
/// A class, so that finding one on the way of a request hands on a reference.
final class Route<Model: AccountModel>: Sendable {
    typealias OpenHandler = @Sendable (Service<Model>, Call, isolated EventLoop) -> Void
    typealias AccountHandler = @Sendable (Service<Model>, Call, Caller, isolated EventLoop) -> Void

    /// What a route needs of its caller, and what runs it.
    enum Action: Sendable {
        /// Anyone.
        case open(OpenHandler)
        /// The holder of a token.
        case account(AccountHandler)
    }

    let method: Method
    /// As it is written in documents: `/actions/{revision}`.
    let path: String
    /// The query parameters it takes; any other is refused.
    let parameters: [String]
    let summary: String
    let action: Action
    let segments: [PathSegment]

    init(_ method: Method, _ path: String, parameters: [String] = [], _ summary: String, _ action: Action) {
        self.method = method
        self.path = path
        self.parameters = parameters
        self.summary = summary
        self.action = action
        comparesConditions = method.isSafe || method == .post && ["/actions", "/account/restore"].contains(path)
        segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
            part.hasPrefix("{") ? .variable(String(part.dropFirst().dropLast())) : .literal(String(part))
        }
    }

    /// Whether its handler looks at If-Match and If-None-Match itself: reading, and what is dispatched to the store.
    let comparesConditions: Bool

    var needsAccount: Bool { if case .account = action { true } else { false } }
}
