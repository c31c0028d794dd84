import Foundation
import Testing

/// A payment whose outcome stays unknown is left for a person: seen, tried again or dropped with `storehouse effects`.
@ServiceQueue @Suite struct `A payment of unknown outcome` {
    private func arguments(_ server: PaymentServer) -> [String] {
        [
            "--webhooks-payment", "http://127.0.0.1:\(server.port)/pay", "--webhooks-allowed-hosts", "127.0.0.1",
            "--effects-attempts", "1",
        ]
    }

    /// With these a payment is too old by the time it is tried again.
    private let impatient = ["--effects-age-seconds", "1"]

    private func effects(_ command: String, _ service: Service, _ options: String...) throws -> (end: Service.End, said: String) {
        let database = service.folder.appending(path: "storehouse.sqlite").path
        return try Service.run(["effects", command, "--database", database] + options)
    }

    private func wait(_ condition: () throws -> Bool) rethrows {
        let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
        while try !condition(), ContinuousClock.now < deadline {}
    }

    /// Has a payment die of age; the cart is locked, and the service has ended.
    private func die(_ server: PaymentServer, _ service: Service) throws -> Account {
        for _ in 0..<100 { server.reply(.fail) }
        let account = try service.connect().checkOut()
        #expect(server.waitForRequest() && server.waitForRequest(), "its one attempt was not enough to give it up")
        // Only now, or the first attempt might come too late already.
        #expect(try service.end(by: SIGTERM) == .exit(0))
        try service.start(arguments: arguments(server) + impatient)
        let wire = try service.connect()
        try wait { try wire.get("/account", as: account).json["sizes"]?["outboxDead"] == 1 }
        let state = try wire.state(of: account).state
        #expect(state["cart"]?["status"] == "checkingOut", "an outcome that is not known is no refusal")
        #expect(state["cart"]?["error"] == .null)
        let listed = try effects("list", service, "--dead")
        #expect(listed.end == .exit(0))
        #expect(listed.said.contains("payment dead: The service answered 503."))
        #expect(listed.said.split(separator: "\n").count == 1)
        #expect(try effects("drop", service, "--all").end == .exit(1), "not beside a running service")
        #expect(try service.end(by: SIGTERM) == .exit(0))
        return account
    }

    @Test func `is dropped by a person who knows that it was not made: the cart opens`() throws {
        let server = try PaymentServer()
        defer { server.end() }
        try withService(arguments: arguments(server)) { service in
            let account = try die(server, service)
            #expect(try effects("drop", service).end == .exit(64))
            let dropped = try effects("drop", service, "--account", String(account.id))
            #expect(dropped.end == .exit(0))
            #expect(dropped.said.contains("1 effect dropped"))
            let calls = server.requests
            try service.start(arguments: arguments(server))
            let wire = try service.connect()
            try wait { try wire.state(of: account).state["cart"]?["status"] == "open" }
            let state = try wire.state(of: account).state
            #expect(state["cart"]?["error"]?["message"] == "It was called off.")
            #expect(state["cart"]?["lines"]?.array?.count == 1)
            #expect(state["orders"]?["placed"]?.array?.count == 0)
            #expect(server.requests == calls, "it was not called again")
            #expect(try wire.get("/account", as: account).json["sizes"]?["outbox"] == 0)
        }
    }

    @Test func `is tried again by hand, and places its order`() throws {
        let server = try PaymentServer()
        defer { server.end() }
        try withService(arguments: arguments(server)) { service in
            let account = try die(server, service)
            server.replyFromNowOn(.charge)
            #expect(try effects("retry", service, "--all").said.contains("1 effect to be tried again"))
            try service.start(arguments: arguments(server))
            let wire = try service.connect()
            try wait { try wire.state(of: account).state["orders"]?["placed"]?.array?.count == 1 }
            let state = try wire.state(of: account).state
            #expect(state["orders"]?["placed"]?.array?.count == 1)
            #expect(state["cart"]?["status"] == "open")
            #expect(server.charges.count == 1)
        }
    }
}
