import Testing

/// The failures that a client is to be built against, without a real service behind them.
@ServiceQueue @Suite struct `Simulated services over HTTP` {
    /// The account's state once `condition` holds; asked for with the patience of a long poll.
    private func state(of account: Account, on wire: Wire, once condition: (Value) -> Bool) throws -> Value {
        for _ in 0..<100 {
            let (_, state, _, tag) = try wire.state(of: account)
            if condition(state) { return state }
            _ = try wire.get("/state", as: account, fields: [("If-None-Match", tag ?? ""), ("Prefer", "wait=5")])
        }
        Issue.record("the state that was waited for has not come")
        return try wire.state(of: account).state
    }

    @Test func `a save that is refused takes its own change back, and says so`() throws {
        try withService(arguments: ["--shop-simulation-favorites-failure-rate", "1", "--shop-simulation-favorites-delay", "50"]) {
            service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let toggle = try wire.act(#"{"type": "favorites/toggle", "payload": {"productID": "dune"}}"#, as: account)
            #expect(toggle.status == 200)
            let failed = try state(of: account, on: wire) { $0["favorites"]?["pending"] == [] }
            #expect(failed["favorites"]?["productIDs"] == [])
            #expect(failed["favorites"]?["error"] != .null)
            #expect(failed["ui"]?["toast"]?["kind"] == "error")
            #expect(try wire.log(of: account).map { $0["type"]?.string } == ["favorites/toggle", "favorites/saveFailed"])
        }
    }

    @Test func `a payment that is refused keeps the cart and unlocks it`() throws {
        let arguments = [
            "--demo", "--identity-password-memory", "1", "--identity-password-passes", "1",
            "--shop-simulation-payment-failure-rate", "1", "--shop-simulation-payment-delay", "50",
        ]
        try withService(arguments: arguments) { service in
            let wire = try service.connect()
            let account = try wire.signedIn("user@example.com")
            #expect(try wire.act(#"{"type": "cart/addItem", "payload": {"productID": "dune"}}"#, as: account).status == 200)
            #expect(try wire.act(#"{"type": "cart/checkout"}"#, as: account).status == 200)
            let failed = try state(of: account, on: wire) { $0["cart"]?["status"] == "open" && $0["cart"]?["error"] != .null }
            #expect(failed["cart"]?["lines"]?[0]?["productID"] == "dune")
            #expect(failed["orders"]?["placed"] == [])
            #expect(failed["ui"]?["toast"]?["kind"] == "error")
            #expect(try wire.act(#"{"type": "cart/clearError"}"#, as: account).status == 200)
            #expect(try wire.state(of: account).state["cart"]?["error"] == .null)
        }
    }
}
