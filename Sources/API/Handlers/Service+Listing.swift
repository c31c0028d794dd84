internal import Accounts
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Persistence
internal import Redux
internal import Runtime

// What there is to dispatch, and what waits to be run.

extension Service {
    /// `{"actions": [{"example", "origin", "summary", "type", "version"}]}`; an action without a payload has no `example`. No token is needed.
    func listActionTypes(_ call: Call, on loop: isolated EventLoop) {
        let actions = Model.Action.kinds.map { kind in
            var action = JSONObject()
            action["type"] = .string(kind.name)
            action["origin"] = .string(kind.origin.rawValue)
            action["summary"] = .string(kind.summary)
            action["version"] = .integer(Int64(kind.version))
            if let example = kind.example, let value = try? JSONEncoding.encodeValue(example) { action["example"] = value }
            return JSONValue.object(action)
        }
        let body: JSONValue = ["actions": .array(actions)]
        call.exchange.respond(
            Response(status: .ok, fields: CommonFields.json.with(.cacheControl, "no-cache"), body: body.canonicalBytes), on: loop)
    }

    /// `{"effects": [{"attempt", "dead", "due", "id", "key", "kind", "revision"}]}` in the order in which they were asked for. What they carry
    /// is not shown: it may hold what only the effect's receiver is to see.
    func listEffects(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let exchange = call.exchange
        accounts.database.outbox(of: caller.account.id) { result in
            switch result {
            case .failure(let fault): exchange.respond(Problem(fault).response)
            case .success(let entries):
                let effects = entries.map { entry in
                    var effect = JSONObject()
                    effect["attempt"] = .integer(Int64(entry.attempt))
                    effect["dead"] = entry.deadReason.map { .string($0) } ?? .null
                    effect["due"] = .integer(entry.due)
                    effect["id"] = .string(entry.id.description)
                    effect["key"] = entry.key.map { .string($0) } ?? .null
                    effect["kind"] = .string(entry.kind)
                    effect["revision"] = .integer(entry.revision)
                    return JSONValue.object(effect)
                }
                let body: JSONValue = ["effects": .array(effects)]
                exchange.respond(Response(status: .ok, fields: CommonFields.accountJSON, body: body.canonicalBytes))
            }
        }
    }
}
