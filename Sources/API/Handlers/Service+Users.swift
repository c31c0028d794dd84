internal import Accounts
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Persistence
internal import Redux
internal import Runtime

// Users and their sessions: POST /accounts with a body, /accounts/verify, /sessions, GET /account.

/// `POST /accounts`: who is to be registered.
private struct RegistrationBody: Decodable {
    let email: String
    let password: String
    let name: String
}

/// `POST /sessions`: who is to be signed in.
private struct LogInBody: Decodable {
    let email: String
    let password: String
}

/// `POST /accounts/verify`: what was sent to the address.
private struct VerificationBody: Decodable {
    let code: String
}

extension Request {
    /// The body as a value of a type, with each fault of its form under its place.
    fileprivate func decoded<Value: Decodable>(as _: Value.Type) throws(Problem) -> Value {
        try requireJSON()
        guard !body.isEmpty else { throw Problem(.invalidBody, "A body is wanted.", pointer: .root) }
        do throws(JSONFault) {
            return try JSONDecoding.decode(Value.self, from: body)
        } catch {
            throw error.kind.isMalformedText ? Problem(error) : Problem(.invalidBody, error.detail, pointer: error.pointer)
        }
    }
}

extension Service {
    // MARK: Accounts

    /// Registers a user. With a guest's token its account becomes the user's; else there is a new one.
    func register(_ call: Call, on loop: isolated EventLoop) {
        let application: IdentityDesk<Model>.Application
        do throws(Problem) {
            let body = try call.request.decoded(as: RegistrationBody.self)
            application = .init(email: body.email, password: body.password, name: body.name)
        } catch {
            return call.exchange.respond(error.response, on: loop)
        }
        guard namesCaller(call.request.head) else { return register(application, guest: nil, call.exchange) }
        authenticate(call, on: loop) { result, loop in
            switch result {
            case .success(let caller): self.register(application, guest: caller.account, call.exchange)
            case .failure(let problem): call.exchange.respond(problem.response, on: loop)
            }
        }
    }

    private func register(_ application: IdentityDesk<Model>.Application, guest: AccountHandle?, _ exchange: Exchange) {
        desk.register(application, guest: guest) { result in
            exchange.respond(Self.response(to: result, status: .created, location: "/account"))
        }
    }

    func verify(_ call: Call, on loop: isolated EventLoop) {
        let exchange = call.exchange
        do throws(Problem) {
            let body = try call.request.decoded(as: VerificationBody.self)
            desk.verify(code: body.code) { result in
                switch result {
                case .success(let account):
                    let body: JSONValue = ["account": .integer(account.rawValue), "verified": true]
                    exchange.respond(Response(status: .ok, fields: CommonFields.notStoredJSON, body: body.canonicalBytes))
                case .failure(let fault): exchange.respond(Problem(fault).response)
                }
            }
        } catch {
            exchange.respond(error.response, on: loop)
        }
    }

    /// Who the account's owner is, and how much it takes.
    func readAccount(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let exchange = call.exchange
        let handle = caller.account
        accounts.database.sizes(of: handle.id) { result in
            switch result {
            case .failure(let fault): exchange.respond(Problem(fault).response)
            case .success(let sizes):
                exchange.respond(
                    Response(status: .ok, fields: CommonFields.accountJSON, body: Self.profile(of: handle, sizes).canonicalBytes))
            }
        }
    }

    private static func profile(of handle: AccountHandle, _ sizes: AccountSizes?) -> JSONValue {
        let record = handle.record
        var body = JSONObject()
        body["account"] = .integer(handle.id.rawValue)
        body["created"] = .integer(record.created)
        body["email"] = record.email.map { .string($0) } ?? .null
        body["epoch"] = .string(handle.epoch)
        body["kind"] = .string(record.email == nil ? "guest" : "registered")
        let published = handle.published
        // A model that has a profile shows it as a view.
        if let view = try? published.view("profile"), let value = try? JSONReader.read(view, limits: .stored) {
            body["profile"] = value
        }
        body["revision"] = .integer(published.revision)
        body["sessions"] = .integer(Int64(handle.sessions.count))
        body["verified"] = .bool(record.owner?.isVerified ?? false)
        if let sizes {
            body["sizes"] = [
                "idempotencyKeys": .integer(Int64(sizes.idempotency)), "logBytes": .integer(Int64(sizes.logBytes)),
                "logEntries": .integer(Int64(sizes.logEntries)), "outbox": .integer(Int64(sizes.outbox)),
                "outboxDead": .integer(Int64(sizes.outboxDead)),
                "postponed": .integer(Int64(sizes.postponed)), "snapshotBytes": .integer(Int64(sizes.snapshotBytes)),
                "snapshots": .integer(Int64(sizes.snapshots)),
            ]
        }
        return .object(body)
    }

    // MARK: Sessions

    func logIn(_ call: Call, on loop: isolated EventLoop) {
        let exchange = call.exchange
        do throws(Problem) {
            let body = try call.request.decoded(as: LogInBody.self)
            desk.logIn(email: body.email, password: body.password) { result in
                exchange.respond(Self.response(to: result, status: .created, location: "/sessions/current"))
            }
        } catch {
            exchange.respond(error.response, on: loop)
        }
    }

    func endSession(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        guard caller.session.hasToken else { return call.exchange.respond(Problem.noSession.response, on: loop) }
        end(caller.session, call.exchange)
    }

    func revokeSession(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let text = call.variables[0]
        guard let id = Decimals.read(text), let session = caller.account.sessions.first(where: { $0.id == id }) else {
            return call.exchange.respond(Problem.noSession.response, on: loop)
        }
        end(session, call.exchange)
    }

    private func end(_ session: Session, _ exchange: Exchange) {
        accounts.end(session, clear: desk.policy.clearsAtLogout) { result in
            switch result {
            case .success: exchange.respond(Response(status: .noContent, fields: CommonFields.notStored))
            case .failure(let fault): exchange.respond(Problem(fault).response)
            }
        }
    }

    func refreshSession(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        guard caller.session.hasToken else { return call.exchange.respond(Problem.noSession.response, on: loop) }
        let exchange = call.exchange
        accounts.renew(caller.session, of: caller.account, desk.policy.sessions) { result in
            exchange.respond(Self.response(to: result, status: .ok, location: nil))
        }
    }

    func readSession(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        guard caller.session.hasToken else { return call.exchange.respond(Problem.noSession.response, on: loop) }
        let body = Self.json(of: caller.session, current: caller.session)
        call.exchange.respond(Response(status: .ok, fields: CommonFields.accountJSON, body: body.canonicalBytes), on: loop)
    }

    func listSessions(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let now = loop.wallMilliseconds
        let sessions = caller.account.sessions.filter { $0.isLive(at: now) }.sorted { $0.id < $1.id }
        let body: JSONValue = ["sessions": .array(sessions.map { Self.json(of: $0, current: caller.session) })]
        call.exchange.respond(Response(status: .ok, fields: CommonFields.accountJSON, body: body.canonicalBytes), on: loop)
    }

    private static func json(of session: Session, current: Session) -> JSONValue {
        [
            "created": .integer(session.created), "current": .bool(session.id == current.id),
            "expiresAt": session.expires.map { .integer($0) } ?? .null, "id": .integer(session.id),
        ]
    }

    /// `{"account", "expiresAt", "token"}`, the one showing of the token.
    private static func response(to result: Result<NewSession, IdentityFault>, status: Status, location: String?) -> Response {
        switch result {
        case .failure(let fault): return Problem(fault).response
        case .success(let session):
            let body: JSONValue = [
                "account": .integer(session.account.id.rawValue),
                "expiresAt": session.expires.map { .integer($0) } ?? .null, "token": .string(session.token),
            ]
            let fields = CommonFields.notStoredJSON
            return Response(
                status: status, fields: location.map { fields.with(.location, $0) } ?? fields, body: body.canonicalBytes)
        }
    }
}
