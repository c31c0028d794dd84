import Foundation
import Testing

private let cheap = ["--identity-password-memory", "1", "--identity-password-passes", "1"]

/// Taking back, going back, and going on from the past beside the present.
@ServiceQueue @Suite struct `Undo, restore and fork over HTTP` {
    private func add(_ product: String, _ quantity: Int = 1) -> String {
        #"{"type": "cart/addItem", "payload": {"productID": "\#(product)", "quantity": \#(quantity)}}"#
    }

    private func toggle(_ product: String) -> String {
        #"{"type": "favorites/toggle", "payload": {"productID": "\#(product)"}}"#
    }

    private let undo = #"{"type": "history/undo"}"#
    private let redo = #"{"type": "history/redo"}"#

    /// What can be brought back.
    private func contents(_ state: Value?) -> [Value?] {
        [
            state?["cart"]?["lines"], state?["favorites"]?["productIDs"], state?["catalog"]?["query"],
            state?["catalog"]?["filter"], state?["catalog"]?["sort"],
        ]
    }

    @Test func `a change is taken back and brought back, with the effects of doing it by hand`() throws {
        // Saves that never end: what is asked for can be counted.
        try withService(arguments: ["--shop-simulation-favorites-delay", "600000"]) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            #expect(try wire.act(undo, as: account).problem == "nothing-to-undo")
            #expect(try wire.act(redo, as: account).problem == "nothing-to-redo")
            #expect(try wire.act(add("dune", 2), as: account).status == 200)
            let before = try wire.state(of: account).state
            #expect(try wire.act(toggle("dune"), as: account).status == 200)
            let after = try wire.state(of: account).state
            #expect(try wire.act(undo, as: account).status == 200)
            #expect(try contents(wire.state(of: account).state) == contents(before))
            let effects = try wire.get("/account/effects", as: account).json["effects"]?.array ?? []
            #expect(effects.compactMap { $0["revision"]?.integer }.allSatisfy { [2, 3].contains($0) } && !effects.isEmpty)
            #expect(effects.last?["kind"] == effects.first?["kind"])
            #expect(effects.allSatisfy { $0["payload"] == nil })
            #expect(try wire.act(redo, as: account).status == 200)
            #expect(try contents(wire.state(of: account).state) == contents(after))
        }
    }

    @Test func `restoring is one action that can be taken back`() throws {
        try withService(arguments: ["--shop-simulation-favorites-delay", "0"]) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            for action in [add("dune", 2), #"{"type": "catalog/search", "payload": {"query": "old"}}"#] {
                #expect(try wire.act(action, as: account).status == 200)
            }
            let past = try wire.state(of: account)
            for action in [add("solaris"), #"{"type": "cart/removeItem", "payload": {"productID": "dune"}}"#, toggle("kindred")] {
                #expect(try wire.act(action, as: account).status == 200)
            }
            try #require(past.revision == 2)
            let present = try wire.state(of: account)

            let dry = try wire.exchange("POST", "/account/restore?revision=2&dryRun=true", as: account)
            #expect(dry.status == 200)
            #expect(try contents(dry.json["state"]) == contents(past.state))
            #expect(try contents(wire.state(of: account).state) == contents(present.state))

            let stale = [("If-Match", "\"stale.0\"")]
            #expect(try wire.exchange("POST", "/account/restore?revision=2", as: account, fields: stale).status == 412)
            let key = [("Idempotency-Key", "once")]
            let answer = try wire.exchange("POST", "/account/restore?revision=2", as: account, fields: key)
            #expect(answer.status == 200)
            #expect(try answer.json["changed"] == true && answer.json["actions"]?.array?.count == 1)
            #expect(try answer.json["actions"]?[0]?["type"] == "history/restore")
            let again = try wire.exchange("POST", "/account/restore?revision=2", as: account, fields: key)
            #expect(again.body == answer.body && again.field("Idempotency-Replayed") == "true")
            let restored = try wire.state(of: account)
            #expect(contents(restored.state) == contents(past.state))
            #expect(restored.state["session"] == present.state["session"] && restored.state["orders"] == present.state["orders"])

            // What was brought back is in the log: folding it needs no look at the past.
            let location = try #require(answer.field("Location"))
            let entry = try wire.get(location, as: account).json
            #expect(entry["payload"]?["revision"] == 2 && entry["payload"]?["lines"]?[0]?["productID"] == "dune")
            #expect(try wire.act(undo, as: account).status == 200)
            #expect(try contents(wire.state(of: account).state) == contents(present.state))
        }
    }

    private func restore(_ wire: Wire, _ account: Account, _ query: String, body: [UInt8]? = nil) throws -> String? {
        try wire.exchange("POST", "/account/restore\(query)", as: account, body: body).problem
    }

    @Test func `what cannot be restored says so`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            #expect(try wire.act(add("dune"), as: account).status == 200)
            #expect(try restore(wire, account, "") == "invalid-parameter")
            #expect(try restore(wire, account, "?revision=x") == "invalid-parameter")
            #expect(try restore(wire, account, "?revison=1") == "invalid-parameter")
            #expect(try restore(wire, account, "?revision=2") == "revision-not-found")
            #expect(try restore(wire, account, "?revision=0", body: Array("{}".utf8)) == "invalid-body")
            #expect(try wire.exchange("POST", "/account/restore?revision=0").status == 401)
            let fact = #"{"type": "history/restore", "payload": {}}"#
            #expect(try wire.act(fact, as: account).problem == "fact-not-allowed")
            #expect(try wire.state(of: account).revision == 1)
        }
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            #expect(try wire.exchange("POST", "/account/restore?revision=0", as: account).problem == "not-restorable")
        }
    }

    @Test func `nothing is taken back or restored during a checkout, and a copy of it is free`() throws {
        try withService(arguments: cheap + ["--shop-simulation-payment-delay", "600000"]) { service in
            let wire = try service.connect()
            let registered = try wire.register("ada@example.com")
            let account = Account(
                id: try #require(try registered.json["account"]?.integer),
                token: try #require(try registered.json["token"]?.string)
            )
            #expect(try wire.act(add("dune"), as: account).status == 200)
            #expect(try wire.act(#"{"type": "cart/checkout"}"#, as: account).status == 200)
            let busy = try wire.settledState(of: account)
            #expect(busy.state["cart"]?["status"] != "open")
            #expect(try wire.act(undo, as: account).problem == "checkout-in-progress")
            #expect(try wire.exchange("POST", "/account/restore?revision=1", as: account).problem == "checkout-in-progress")
            #expect(try wire.state(of: account).bytes == busy.bytes)

            let fork = try wire.exchange("POST", "/accounts?fork=\(busy.revision)", as: account)
            #expect(fork.status == 201)
            let copy = Account(
                id: try #require(try fork.json["account"]?.integer), token: try #require(try fork.json["token"]?.string))
            #expect(try wire.get("/account/effects", as: copy).json["effects"] == [])
            #expect(try wire.get("/account/effects", as: account).json["effects"] != [])
            #expect(try wire.state(of: copy).state["cart"]?["status"] == "open")
            #expect(try wire.act(undo, as: copy).status == 200)
        }
    }

    @Test(arguments: ModelUnderTest.all) func `a fork goes on from its revision, apart from the original`(
        _ model: ModelUnderTest
    ) throws {
        try withService(model: model.name) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            for number in 1...5 { #expect(try wire.act(model.action(number), as: account).status == 200) }
            let original = try wire.state(of: account)
            let third = try wire.get("/state?revision=3", as: account).json["state"]

            let answer = try wire.exchange("POST", "/accounts?fork=3", as: account)
            #expect(answer.status == 201 && answer.field("Cache-Control") == "no-store")
            #expect(try answer.json["fork"] == ["account": .integer(account.id), "revision": 3])
            let copy = Account(
                id: try #require(try answer.json["account"]?.integer), token: try #require(try answer.json["token"]?.string))
            #expect(copy.id != account.id)
            let start = try wire.state(of: copy)
            #expect(start.revision == 3 && start.state == third)
            #expect(start.tag?.split(separator: ".").first != original.tag?.split(separator: ".").first)
            #expect(try wire.log(of: copy) == [])
            #expect(try wire.get("/account", as: copy).json["kind"] == "guest")
            #expect(try wire.get("/state?revision=2", as: copy).problem == "history-unavailable")
            #expect(try wire.get("/actions/3", as: copy).problem == "revision-not-found")

            #expect(try wire.act(model.action(6), as: copy).json["revision"] == 4)
            #expect(try wire.state(of: account).bytes == original.bytes)
            #expect(try wire.get("/state?revision=3", as: copy).body == start.bytes)
            let reset = try EventStream(service, "/events?after=1", as: copy)
            #expect(try reset.next()?.name == "reset")

            // The copy is as durable as any account, and a fork of a fork is one.
            let before = try wire.state(of: copy)
            #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))
            try service.start()
            let again = try service.connect()
            #expect(try again.state(of: copy).bytes == before.bytes)
            #expect(try again.exchange("POST", "/accounts?fork=4", as: copy).json["fork"]?["revision"] == 4)
            let verified = try Service.run(["verify", "--database", service.folder.appending(path: "storehouse.sqlite").path])
            #expect(verified.end == .exit(0), "\(verified.said)")
        }
    }

    @Test func `a fork wants a token, a revision there is, and no body`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            #expect(try wire.exchange("POST", "/accounts?fork=0").status == 401)
            #expect(try wire.exchange("POST", "/accounts?fork=1", as: account).problem == "revision-not-found")
            #expect(try wire.exchange("POST", "/accounts?fork=one", as: account).problem == "invalid-parameter")
            #expect(try wire.exchange("POST", "/accounts?fork=0", as: account, body: Array("{}".utf8)).problem == "invalid-body")
            #expect(try wire.exchange("POST", "/accounts?fork=0", as: account).status == 201)
            #expect(try wire.openAccount().id == 3)
        }
    }

    @Test(arguments: ModelUnderTest.all) func `the actions there are can be dispatched as their examples say`(
        _ model: ModelUnderTest
    ) throws {
        try withService(model: model.name) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let answer = try wire.get("/actions/types")
            #expect(answer.status == 200)
            let actions = try answer.json["actions"]?.array ?? []
            #expect(actions.contains { $0["type"]?.string == model.change })
            for action in actions {
                let type = try #require(action["type"]?.string)
                let payload =
                    action["example"].map { ["type": .string(type), "payload": $0] as Value } ?? ["type": .string(type)]
                let tried = try wire.act(payload.text, as: account)
                switch action["origin"] {
                case "fact": #expect(tried.problem == "fact-not-allowed", "\(type)")
                // Accepted or refused by the model, but understood.
                default: #expect(tried.status == 200 || tried.status == 409, "\(type): \(tried)")
                }
            }
        }
    }
}

extension Value: Encodable {
    /// The value as JSON text.
    fileprivate var text: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "" }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}
