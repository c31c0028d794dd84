public import Accounts
public import HTTP
public import HTTPServer
internal import JSON
public import Redux
public import Runtime
internal import Synchronization

/// The HTTP surface of an account model: what the server asks for every request.
///
/// From here a request is routed, its caller authenticated, its parameters checked; the handlers (one file per noun) do the rest. Runs
/// on the connection's loop and never blocks it.
public final class Service<Model: AccountModel>: Responder {
    /// What every handler reads from and dispatches to.
    public let accounts: AccountService<Model>
    /// Where registrations, log-ins and verification codes are taken.
    public let desk: IdentityDesk<Model>
    /// Whether a gateway in front names the callers by `Account-ID`.
    let trustsGateway: Bool
    /// Whether the developer page is served.
    let showsDevTools: Bool
    let routes: [Route<Model>]
    let router: Router
    let tickets = StreamTickets()
    let document: DocumentShelf
    let cors: CORSPolicy?
    /// What metrics and documents say of this build.
    let version: String
    /// Whether anything goes with requests to their answers.
    let accompanies: Bool
    private let draining = Atomic<Bool>(false)
    private let server = Mutex<Server?>(nil)

    /// - Parameters:
    ///   - trustsGateway: takes whom `Account-ID` names for the caller; only behind a gateway that sets it itself.
    ///   - cors: which other origins' pages may use the service; nil for none.
    ///   - showsDevTools: serves the developer page.
    ///   - version: what the documents say of this build.
    public init(
        _ accounts: AccountService<Model>, desk: IdentityDesk<Model>, trustsGateway: Bool = false, cors: CORSPolicy? = nil,
        showsDevTools: Bool = false, version: String = "0"
    ) {
        self.cors = cors
        self.version = version
        accompanies = cors != nil || !accounts.log.topics.isEmpty
        self.accounts = accounts
        self.desk = desk
        self.trustsGateway = trustsGateway
        self.showsDevTools = showsDevTools
        let routes = Routes<Model>.all
        self.routes = routes
        document = DocumentShelf { OpenAPIDocument(version: version, routes: routes).value.canonicalBytes }
        router = Router(routes.map { ($0.method, $0.path, $0.segments) })
    }

    /// Whether the service is stopping: true from the moment it begins to, and never false again.
    public var isDraining: Bool {
        get { draining.load(ordering: .acquiring) }
        set { draining.store(newValue, ordering: .releasing) }
    }

    /// Says whose figures the metrics show.
    public func observe(_ server: Server) { self.server.withLock { $0 = server } }

    var observed: Server? { server.withLock { $0 } }

    // MARK: Responder

    /// A route is numbered by its place in the table; what matches none has -1.
    public var routeCount: Int { routes.count }

    /// Safe methods share a lane; consecutive `POST /actions` of the same credentials need not wait for each other; all else
    /// goes alone.
    public func lane(of head: borrowing RequestHead) -> Lane {
        if head.method.isSafe { return .safe }
        guard head.method == .post, head.target.pathEquals("/actions"), let credentials = head.fields.first(callerField(head))
        else {
            return .exclusive
        }
        return .ordered(credentials.withSpan { bytes in digest(bytes) })
    }

    /// Routes a request and answers what fits no route, or has a parameter its route does not know, at once.
    public func respond(to request: consuming Request, exchange: Exchange, on loop: isolated EventLoop) {
        var exchange = exchange
        let match = router.match(request.head.method, request.head.target)
        if case .found(let number, _) = match { exchange.route = number }
        if accompanies { exchange.companion = companion(of: request.head, route: exchange.route, exchange, on: loop) }
        switch match {
        case .found(let number, let variables):
            let route = routes[number]
            do throws(Problem) {
                let query = try query(of: request.head.target, for: route)
                run(route, Call(request: request, exchange: exchange, variables: variables, query: query), on: loop)
            } catch {
                exchange.respond(error.response, on: loop)
            }
        case .otherMethod(let allow):
            exchange.respond(methodNotAllowed(request.head, allow: allow), on: loop)
        case .none:
            exchange.respond(nothing(at: request.head), on: loop)
        }
    }

    /// Spares the body where the head decides: no such path or method there (404, 405, 501), or no credentials where the route
    /// needs an account (401). The credentials themselves are looked at with the request.
    public func answerBeforeBody(of head: borrowing RequestHead, on loop: isolated EventLoop) -> Response? {
        switch router.match(head.method, head.target) {
        case .found(let number, _):
            guard routes[number].needsAccount, !namesCaller(head) else { return nil }
            return Problem.noToken.response
        case .otherMethod(let allow): return methodNotAllowed(head, allow: allow)
        case .none: return nothing(at: head)
        }
    }

    /// A problem document of the kind that has this status, `bad-request` where none has; noted in the access log.
    public func refusal(_ status: Status, detail: String) -> Response {
        tellRefusal(status, detail)
        return Problem(.of(status), detail).response
    }

    // MARK: Steps

    private func run(_ route: Route<Model>, _ call: Call, on loop: isolated EventLoop) {
        switch route.action {
        case .open(let handle):
            handle(self, call, loop)
        case .account(let handle):
            if let caller = knownCaller(call, on: loop) { return admit(caller, to: route, handle, call, on: loop) }
            authenticate(call, on: loop) { caller, loop in
                switch caller {
                case .success(let caller): self.admit(caller, to: route, handle, call, on: loop)
                case .failure(let problem): call.exchange.respond(problem.response, on: loop)
                }
            }
        }
    }

    private func admit(
        _ caller: Caller, to route: Route<Model>, _ handle: Route<Model>.AccountHandler, _ call: Call, on loop: isolated EventLoop
    ) {
        call.exchange.companion?.note(account: caller.account.id.rawValue)
        if !route.comparesConditions, let refusal = refusal(of: call.request.head, for: caller) {
            return call.exchange.respond(refusal.response, on: loop)
        }
        handle(self, call, caller, loop)
    }

    /// The parameters, each known to the route and given once.
    private func query(of target: Target, for route: Route<Model>) throws(Problem) -> [String: String] {
        guard target.hasQuery else { return [:] }
        var query: [String: String] = [:]
        for (name, value) in target.queryItems {
            guard route.parameters.contains(name) else {
                let nearest = nearestNames(to: name, among: route.parameters)
                let hint = nearest.isEmpty ? "" : " Did you mean \(nearest.joined(separator: " or "))?"
                throw Problem(.invalidParameter, "\(route.path) takes no parameter \"\(name)\".\(hint)").with(
                    "parameter", .string(name))
            }
            guard query.updateValue(value, forKey: name) == nil else {
                throw Problem(.invalidParameter, "The parameter \"\(name)\" is given twice.").with("parameter", .string(name))
            }
        }
        return query
    }

    private func methodNotAllowed(_ head: borrowing RequestHead, allow: String) -> Response {
        switch head.method {
        case .options:
            var fields = ResponseFields([(.allow, allow)])
            if let cors { fields.add(cors.preflightFields(for: head, allow: allow)) }
            return Response(status: .noContent, fields: fields)
        case .other:
            return Problem(.notImplemented, "The method is not known; this path has \(allow).").response
        default:
            var problem = Problem(.methodNotAllowed, "This path has \(allow).")
            problem.fields.add(.allow, allow)
            return problem.response
        }
    }

    private func nothing(at head: borrowing RequestHead) -> Response {
        if head.method == .options, head.target.form == .asterisk {
            return Response(status: .noContent, fields: ResponseFields([(.allow, "DELETE, GET, HEAD, OPTIONS, POST")]))
        }
        if head.method == .other { return Problem(.notImplemented, "The method is not known.").response }
        return Problem(.notFound, "The paths of this service are described in its documents.").response
    }
}

/// A quick digest of credentials, to tell the lanes of a connection apart; a collision only lets two accounts' actions overlap.
private func digest(_ bytes: Span<UInt8>) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01b3 }
    return Int64(bitPattern: hash)
}
