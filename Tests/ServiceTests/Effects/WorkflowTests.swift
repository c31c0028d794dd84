import Foundation
import Testing

/// Work that the state waits for: a profile that is being changed, what a log-in loads, what a log-out calls off.
@ServiceQueue @Suite struct `Work that the state waits for` {
    /// Longer than any test: what is asked for does not come to an end.
    private static let forever = "600000"
    private static let ada = Array(#"{"email": "ada@example.com", "password": "password123", "name": "Ada"}"#.utf8)
    private static let credentials = Array(#"{"email": "ada@example.com", "password": "password123"}"#.utf8)

    private func account(_ answer: Answer) throws -> Account {
        guard answer.status == 201, let id = try answer.json["account"]?.integer, let token = try answer.json["token"]?.string
        else { throw UnexpectedAnswer(answer: answer) }
        return Account(id: id, token: token)
    }

    private func register(_ wire: Wire) throws -> Account { try account(wire.exchange("POST", "/accounts", body: Self.ada)) }

    private func signIn(_ wire: Wire) throws -> Account {
        try account(wire.exchange("POST", "/sessions", body: Self.credentials))
    }

    private func log(_ wire: Wire, _ account: Account) throws -> [String] {
        try wire.log(of: account).compactMap { $0["type"]?.string }
    }

    /// Reads until the condition holds, or patience ends.
    private func wait(_ condition: () throws -> Bool) rethrows {
        let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
        while try !condition(), ContinuousClock.now < deadline {}
    }

    private func update(_ name: String, _ wire: Wire, _ account: Account) throws -> Value? {
        try wire.act(#"{"type": "profile/update", "payload": {"name": "\#(name)"}}"#, as: account).json["changed"]
    }

    @Test func `a second change of the profile is skipped while one runs, and the first survives kill -9`() throws {
        try withService(arguments: ["--shop-simulation-profile-delay", Self.forever]) { service in
            var wire = try service.connect()
            let guest = try wire.openAccount()
            #expect(try update("Ada", wire, guest) == true)
            #expect(try update("Bea", wire, guest) == false)
            #expect(try wire.state(of: guest).state["profile"]?["isUpdating"] == true)
            #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))

            try service.start(arguments: ["--shop-simulation-profile-delay", "0"])
            wire = try service.connect()
            try wait { try wire.state(of: guest).state["profile"]?["isUpdating"] == false }
            #expect(try wire.state(of: guest).state["profile"]?["name"] == "Ada")
            #expect(try log(wire, guest) == ["profile/update", "profile/update", "profile/updateSucceeded"])
            #expect(try update("Bea", wire, guest) == true)
        }
    }

    @Test func `a log-in loads the profile and the cart`() throws {
        try withService { service in
            let wire = try service.connect()
            let owner = try register(wire)
            let loaded = { (first: Revision, account: Account) throws -> Set<String> in
                try wait { try log(wire, account).count >= first + 4 }
                return Set(try log(wire, account).dropFirst(Int(first)))
            }
            let names: Set = ["profile/load", "cart/load", "profile/loaded", "cart/loaded"]
            #expect(try loaded(1, owner) == names)
            #expect(try wire.exchange("DELETE", "/sessions/current", as: owner).status == 204)
            let again = try signIn(wire)
            #expect(try log(wire, again)[5...6] == ["session/signedOut", "session/signedIn"])
            #expect(try loaded(7, again) == names)
            let state = try wire.state(of: again).state
            #expect(state["profile"]?["isLoading"] == false)
            #expect(state["cart"]?["isLoading"] == false)
        }
    }

    @Test func `a log-out calls off what is being loaded, and keeps what is being saved`() throws {
        let arguments = ["--shop-simulation-loading-delay", Self.forever, "--shop-simulation-favorites-delay", Self.forever]
        try withService(arguments: arguments) { service in
            let wire = try service.connect()
            let owner = try register(wire)
            #expect(try wire.act(#"{"type": "favorites/toggle", "payload": {"productID": "dune"}}"#, as: owner).status == 200)
            #expect(try wire.get("/account", as: owner).json["sizes"]?["outbox"] == 3)
            #expect(try wire.exchange("DELETE", "/sessions/current", as: owner).status == 204)
            let again = try signIn(wire)
            #expect(
                try log(wire, again) == [
                    "session/registered", "profile/load", "cart/load", "favorites/toggle", "session/signedOut", "cart/loadFailed",
                    "profile/loadFailed", "session/signedIn", "profile/load", "cart/load",
                ])
            // The save, and what the second log-in asked for: nothing of the first is left.
            #expect(try wire.get("/account", as: again).json["sizes"]?["outbox"] == 3)
            #expect(try wire.state(of: again).state["favorites"]?["pending"]?.array?.count == 1)
        }
    }

    private typealias Revision = Int64
}
