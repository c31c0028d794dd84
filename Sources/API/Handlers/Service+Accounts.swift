internal import Accounts
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Redux
internal import Runtime

// POST /accounts and the sessions.

extension Service {
    func createAccount(_ call: Call, on loop: isolated EventLoop) {
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

    func endSession(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let exchange = call.exchange
        accounts.end(caller.session) { result in
            switch result {
            case .success: exchange.respond(Response(status: .noContent, fields: CommonFields.notStored))
            case .failure(let fault): exchange.respond(Problem(fault).response)
            }
        }
    }
}
