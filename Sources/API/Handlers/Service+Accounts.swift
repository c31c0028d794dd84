internal import Accounts
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Redux
internal import Runtime

// POST /accounts.

extension Service {
    /// Without a body an anonymous account; with one, a registered user's; with `fork`, a copy of the caller's.
    func createAccount(_ call: Call, on loop: isolated EventLoop) {
        guard call.query["fork"] == nil else { return forkAccount(call, on: loop) }
        guard call.request.body.isEmpty else { return register(call, on: loop) }
        let exchange = call.exchange
        accounts.create { result in
            switch result {
            case .success((let account, let token)):
                let body: JSONValue = ["account": .integer(account.id.rawValue), "token": .string(token)]
                exchange.respond(
                    Response(
                        status: .created, fields: CommonFields.notStoredJSON.with(.location, "/account"),
                        body: body.canonicalBytes))
            case .failure(let fault): exchange.respond(Problem(fault).response)
            }
        }
    }
}
