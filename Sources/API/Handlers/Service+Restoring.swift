internal import Accounts
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Redux
internal import Runtime

// POST /account/restore and POST /accounts?fork=: going back, and going on from the past beside the present.

extension Service {
    /// Dispatches the fact that brings back what the state at `revision` held; answered as any other action.
    func restore(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let (account, exchange, accounts) = (caller.account, call.exchange, accounts)
        do throws(Problem) {
            try call.refuseBody()
            let revision = try pastRevision(call, "revision", of: account)
            let request = try dispatchRequest(call, (actions: [], isBatch: false))
            accounts.past.state(of: account.id, at: revision) { result in
                switch result {
                case .failure(let fault): exchange.respond(Problem(fault).response)
                case .success(let found):
                    guard let fact = Model.restoration(of: found.state, at: revision) else {
                        let problem = Problem(.notRestorable, "Past states of the model \(Model.name) can be read, not restored.")
                        return exchange.respond(problem.response)
                    }
                    var request = request
                    request.actions = [fact]
                    accounts.dispatch(request, to: account.id) { exchange.respond(Self.response(to: $0)) }
                }
            }
        } catch {
            exchange.respond(error.response, on: loop)
        }
    }

    /// 201 `{"account", "fork": {"account", "revision"}, "token"}`: an account of its own, anonymous, as the caller's was at a revision.
    func forkAccount(_ call: Call, on loop: isolated EventLoop) {
        authenticate(call, on: loop) { caller, loop in
            do throws(Problem) {
                let original = try caller.get().account
                try call.refuseBody()
                let revision = try self.pastRevision(call, "fork", of: original)
                let exchange = call.exchange
                self.accounts.fork(original.id, at: revision) { result in
                    switch result {
                    case .failure(.past(let fault)): exchange.respond(Problem(fault).response)
                    case .failure(.commit(let fault)): exchange.respond(Problem(fault).response)
                    case .success((let copy, let token)):
                        let body: JSONValue = [
                            "account": .integer(copy.id.rawValue),
                            "fork": ["account": .integer(original.id.rawValue), "revision": .integer(revision)],
                            "token": .string(token),
                        ]
                        exchange.respond(
                            Response(
                                status: .created, fields: CommonFields.notStoredJSON.with(.location, "/account"),
                                body: body.canonicalBytes))
                    }
                }
            } catch {
                call.exchange.respond(error.response, on: loop)
            }
        }
    }

    /// A parameter that names a revision the account has come to.
    private func pastRevision(_ call: Call, _ name: String, of account: AccountHandle) throws(Problem) -> Revision {
        guard let revision = try call.integer(name, in: 0...Int64.max) else {
            throw Problem(.invalidParameter, "\(name) is the revision to go back to.").with("parameter", .string(name))
        }
        let head = account.published.revision
        guard revision <= head else { throw Problem.noRevision(revision, head: head) }
        return revision
    }
}

extension Call {
    /// What is asked for is in the target; a body would say something else.
    fileprivate func refuseBody() throws(Problem) {
        guard request.body.isEmpty else { throw Problem(.invalidBody, "No body is wanted here.", pointer: .root) }
    }
}
