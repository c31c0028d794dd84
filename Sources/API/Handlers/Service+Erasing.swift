internal import Accounts
internal import HTTP
internal import HTTPServer
internal import Redux
internal import Runtime

// DELETE /account.

extension Service {
    /// Erases the account: log, states, sessions, outbox, keys. Its tokens are dead before this is answered, and 204 says that nothing is left.
    func eraseAccount(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let exchange = call.exchange
        accounts.erase(caller.account.id) { result in
            switch result {
            case .success: exchange.respond(Response(status: .noContent, fields: CommonFields.notStored))
            case .failure(let fault): exchange.respond(Problem(fault).response)
            }
        }
    }
}
