import Foundation
import Testing

@ServiceQueue @Suite struct `Postponed work` {
    private func postpone(_ wire: Wire, _ account: Account, _ tag: String, _ action: String, key: String? = nil) throws -> Answer
    {
        try wire.exchange(
            "POST", "/actions?postpone=\(tag)", as: account, fields: key.map { [("Idempotency-Key", $0)] } ?? [],
            body: Array(action.utf8))
    }

    @Test func `survives kill -9 and runs by its tag, past a refusal`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let add = #"{"type": "cart/addItem", "payload": {"productID": "dune", "quantity": 1}}"#
            let first = try postpone(wire, account, "later", add)
            #expect(first.status == 202)
            #expect(try first.json == ["account": .integer(account.id), "tag": "later", "waiting": 1])
            // Refused when it is run: a guest cannot check out.
            #expect(try postpone(wire, account, "later", #"{"type": "cart/checkout"}"#).status == 202)
            let last = #"[{"type": "catalog/search", "payload": {"query": "tea"}}, {"type": "cart/clear"}]"#
            #expect(try postpone(wire, account, "later", last, key: "k").status == 202)
            #expect(try postpone(wire, account, "later", last, key: "k").field("Idempotency-Replayed") == "true")
            #expect(try wire.state(of: account).revision == 0)
            #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))

            try service.start()
            let again = try service.connect()
            let ran = try again.exchange("POST", "/postponed/later/run", as: account)
            #expect(ran.status == 200)
            let results = try #require(try ran.json["results"]?.array)
            #expect(results.count == 3)
            #expect(results.first?["revision"] == 1)
            #expect(results[1]["problem"]?["status"] == 409)
            #expect(results[2]["revision"] == 3)
            #expect(try again.state(of: account).revision == 3)
            let nothing = try again.exchange("POST", "/postponed/later/run", as: account)
            #expect(try nothing.json["results"]?.array?.count == 0)
        }
    }

    @Test func `that is not understood is refused when it is postponed`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            #expect(try postpone(wire, account, "t", #"{"type": "cart/nothing"}"#).problem == "unknown-action")
            #expect(try postpone(wire, account, "t", #"{"type": "cart/loaded"}"#).status == 403)
            #expect(try postpone(wire, account, "a%20b", #"{"type": "cart/clear"}"#).problem == "invalid-parameter")
            #expect(try postpone(wire, account, "t&dryRun=true", #"{"type": "cart/clear"}"#).problem == "invalid-parameter")
            #expect(try wire.exchange("POST", "/postponed/t/run", as: account).json["results"]?.array?.count == 0)
            #expect(try wire.exchange("POST", "/postponed/t/run").status == 401)
        }
    }
}
