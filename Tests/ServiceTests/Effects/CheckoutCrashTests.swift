import Foundation
import Testing

/// Kill -9 between every two steps of a checkout that is paid over HTTP: the order is placed exactly once.
@ServiceQueue @Suite struct `A checkout survives kill -9` {
    /// What has happened when the service is killed.
    enum Step: CaseIterable, Sendable {
        /// The checkout was sent, and no answer read: it is sent again under its key.
        case requested
        /// The checkout was acknowledged; whether the payment has been called is left to chance.
        case committed
        /// The payment server has the request, and has done nothing yet.
        case called
        /// It has charged, and could not answer.
        case charged
        /// It has answered; whether the answer was read is left to chance.
        case answered
        /// The outcome is in the log.
        case outcomeCommitted
    }

    private func arguments(_ server: PaymentServer) -> [String] {
        ["--webhooks-payment", "http://127.0.0.1:\(server.port)/pay", "--webhooks-allowed-hosts", "127.0.0.1"]
    }

    private func orders(_ wire: Wire, _ account: Account) throws -> Int {
        try wire.state(of: account).state["orders"]?["placed"]?.array?.count ?? -1
    }

    /// Reads until so many orders are placed, or patience ends.
    private func waitForOrder(_ service: Service, _ account: Account) throws {
        let wire = try service.connect()
        let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
        while try orders(wire, account) == 0, ContinuousClock.now < deadline {}
    }

    @Test(arguments: Step.allCases) func `and the order is placed exactly once`(_ step: Step) throws {
        let server = try PaymentServer()
        defer { server.end() }
        try withService(arguments: arguments(server)) { service in
            let wire = try service.connect()
            let account = try wire.fillCart()
            let checkout = request(
                "POST", "/actions", as: account, fields: [("Idempotency-Key", "checkout-1")],
                body: Array(#"{"type": "cart/checkout"}"#.utf8))
            try wire.send(checkout)
            if step != .requested { #expect(try wire.receive().status == 200) }
            switch step {
            case .requested, .committed: break
            case .called, .charged: #expect(server.waitForRequest())
            case .answered:
                #expect(server.waitForRequest())
                server.reply(.charge)
            case .outcomeCommitted:
                #expect(server.waitForRequest())
                server.reply(.charge)
                try waitForOrder(service, account)
            }
            if step == .charged {
                server.reply(.chargeSilently)
                server.waitForCharge()
            }
            #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))

            // From here on every request is answered, also the one of the dead service.
            server.replyFromNowOn(.charge)
            try service.start(arguments: arguments(server))
            let again = try service.connect()
            // What a client does that has no answer, and may do that has one: the same request once more.
            try again.send(checkout)
            #expect(try again.receive().status == 200)
            try waitForOrder(service, account)
            let state = try again.state(of: account).state
            #expect(state["orders"]?["placed"]?.array?.count == 1)
            #expect(state["cart"]?["lines"]?.array?.count == 0)
            #expect(state["cart"]?["status"] == "open")
            #expect(server.charges.count == 1, "charged once, under one key: \(server.charges)")
            let log = try again.log(of: account).compactMap { $0["type"]?.string }
            #expect(log.filter { $0 == "cart/checkout" }.count == 1)
            #expect(log.filter { $0 == "cart/checkoutSucceeded" }.count == 1)
            let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
            while try again.get("/account", as: account).json["sizes"]?["outbox"] != 0, ContinuousClock.now < deadline {}
            #expect(try again.get("/account", as: account).json["sizes"]?["outbox"] == 0)
        }
    }

    @Test func `a refused payment unlocks the cart and keeps it`() throws {
        let server = try PaymentServer()
        defer { server.end() }
        try withService(arguments: arguments(server)) { service in
            let wire = try service.connect()
            let account = try wire.checkOut()
            #expect(server.waitForRequest())
            #expect(try wire.state(of: account).state["cart"]?["status"] == "checkingOut")
            server.reply(.refuse)
            let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
            while try wire.state(of: account).state["cart"]?["status"] != "open", ContinuousClock.now < deadline {}
            let cart = try #require(try wire.state(of: account).state["cart"])
            #expect(cart["error"]?["message"] == "The card is expired.")
            #expect(cart["lines"]?.array?.count == 1)
            #expect(server.charges.isEmpty)
        }
    }

    @Test func `a payment that fails at first is made once it can be`() throws {
        let server = try PaymentServer()
        defer { server.end() }
        try withService(arguments: arguments(server)) { service in
            let account = try service.connect().checkOut()
            #expect(server.waitForRequest())
            server.reply(.fail)
            #expect(server.waitForRequest())
            server.reply(.chargeSilently)
            #expect(server.waitForCharge())
            server.replyFromNowOn(.charge)
            try waitForOrder(service, account)
            #expect(try orders(service.connect(), account) == 1)
            #expect(server.charges.count == 1)
            #expect(server.requests == 3)
        }
    }
}

extension Wire {
    /// A registered account with two pieces of one product in its cart.
    func fillCart() throws -> Account {
        let answer = try exchange(
            "POST", "/accounts", body: Array(#"{"email": "a@example.com", "password": "secret-1", "name": "Ada"}"#.utf8))
        guard answer.status == 201, let id = try answer.json["account"]?.integer, let token = try answer.json["token"]?.string
        else { throw UnexpectedAnswer(answer: answer) }
        let account = Account(id: id, token: token)
        let added = try act(#"{"type": "cart/addItem", "payload": {"productID": "dune", "quantity": 2}}"#, as: account)
        guard added.status == 200 else { throw UnexpectedAnswer(answer: added) }
        return account
    }

    /// The same, checked out.
    func checkOut() throws -> Account {
        let account = try fillCart()
        let checkedOut = try act(#"{"type": "cart/checkout"}"#, as: account)
        guard checkedOut.status == 200 else { throw UnexpectedAnswer(answer: checkedOut) }
        return account
    }
}
