import Foundation
import Testing

/// Users of the service under test.
extension Wire {
    func logIn(_ email: String, _ password: String = "password123") throws -> Answer {
        try exchange("POST", "/sessions", body: Array(#"{"email": "\#(email)", "password": "\#(password)"}"#.utf8))
    }

    func register(_ email: String, _ password: String = "password123", name: String = "Ada", as guest: Account? = nil) throws
        -> Answer
    {
        try exchange(
            "POST", "/accounts", as: guest,
            body: Array(#"{"email": "\#(email)", "password": "\#(password)", "name": "\#(name)"}"#.utf8))
    }

    /// Signs in, which must succeed.
    func signedIn(_ email: String) throws -> Account {
        let answer = try logIn(email)
        guard answer.status == 201, let id = try answer.json["account"]?.integer, let token = try answer.json["token"]?.string
        else {
            throw UnexpectedAnswer(answer: answer)
        }
        return Account(id: id, token: token)
    }
}

/// Hashes that cost next to nothing, where a test is not about them.
private let cheap = ["--identity-password-memory", "1", "--identity-password-passes", "1"]

@ServiceQueue @Suite struct `Users over HTTP` {
    @Test func `the demonstration has a user for every case`() throws {
        try withService(arguments: ["--demo"] + cheap) { service in
            let wire = try service.connect()
            let user = try wire.logIn("user@example.com")
            #expect(user.status == 201)
            #expect(user.field("Cache-Control") == "no-store")
            #expect(try user.json["expiresAt"]?.integer ?? 0 > 1_700_000_000_000)

            let wrong = try wire.logIn("user@example.com", "not the password")
            #expect(wrong.status == 401)
            #expect(wrong.problem == "invalid-credentials")
            #expect(wrong.field("WWW-Authenticate") == "Bearer realm=\"storehouse\"")
            let nobody = try wire.logIn("nobody@example.com")
            #expect(nobody.body == wrong.body, "the two cannot be told apart")

            for password in ["password123", "any other"] {
                let locked = try wire.logIn("locked@example.com", password)
                #expect(locked.status == 423)
                #expect(locked.problem == "account-locked")
                #expect(Int(locked.field("Retry-After") ?? "") ?? 0 > 0)
                let failing = try wire.logIn("error@example.com", password)
                #expect(failing.status == 503)
                #expect(failing.problem == "identity-unavailable")
                #expect(failing.field("Retry-After") != nil)
            }
            let unverified = try wire.logIn("unverified@example.com")
            #expect(unverified.status == 403)
            #expect(unverified.problem == "email-not-verified")
            #expect(try wire.logIn("unverified@example.com", "not the password").status == 401)

            let taken = try wire.register("Existing@Example.com")
            #expect(taken.status == 409)
            #expect(taken.problem == "email-taken")

            // A second start finds them there.
            #expect(try service.end(by: SIGTERM) == .exit(0))
            try service.start(arguments: ["--demo"] + cheap)
            #expect(try service.connect().logIn("user@example.com").json["account"] == user.json["account"])
        }
    }

    @Test(
        arguments: [
            (#"{"email": "a@example.com", "password": "12345", "name": "A"}"#, 422, "password-too-short", "/password"),
            (#"{"email": "a.example.com", "password": "123456", "name": "A"}"#, 422, "invalid-email", "/email"),
            (#"{"email": "a@example.com", "password": "123456", "name": ""}"#, 422, "invalid-name", "/name"),
            (#"{"email": "a@example.com", "password": "123456"}"#, 422, "invalid-body", "/name"),
            (#"{"email": "a@example.com", "password": 123456, "name": "A"}"#, 422, "invalid-body", "/password"),
            (#"{"email": "a@example.com", "password": "123456", "name": "A", "admin": true}"#, 422, "invalid-body", "/admin"),
            (#"{"email": "a@example.com""#, 400, "malformed-json", nil), ("{}", 422, "invalid-body", "/email"),
        ] as [(String, Int, String, String?)])
    func `a registration that cannot be taken is refused at its place, and opens nothing`(
        _ body: String, _ status: Int, _ problem: String, _ pointer: String?
    ) throws {
        try withService(arguments: cheap) { service in
            let wire = try service.connect()
            let answer = try wire.exchange("POST", "/accounts", body: Array(body.utf8))
            #expect(answer.status == status)
            #expect(answer.problem == problem)
            #expect(try answer.json["pointer"]?.string == pointer)
            #expect(try wire.openAccount().id == 1)
        }
    }

    @Test func `a guest who registers keeps cart and favourites, and can check out`() throws {
        try withService(arguments: cheap + ["--shop-simulation-payment-delay", "0"]) { service in
            let wire = try service.connect()
            let guest = try wire.openAccount()
            #expect(try wire.act(#"{"type": "cart/addItem", "payload": {"productID": "dune"}}"#, as: guest).status == 200)
            #expect(try wire.act(#"{"type": "favorites/toggle", "payload": {"productID": "dune"}}"#, as: guest).status == 200)
            let early = try wire.act(#"{"type": "cart/checkout"}"#, as: guest)
            #expect(early.status == 409)
            #expect(early.problem == "requires-login")

            let registered = try wire.register("ada@example.com", as: guest)
            #expect(registered.status == 201)
            let owner = Account(id: guest.id, token: try #require(try registered.json["token"]?.string))
            #expect(try registered.json["account"]?.integer == guest.id)
            let state = try wire.state(of: owner).state
            #expect(state["cart"]?["lines"]?[0]?["productID"] == "dune")
            #expect(state["favorites"]?["productIDs"] == ["dune"])
            #expect(state["session"]?["kind"] == "registered")
            #expect(try wire.act(#"{"type": "cart/checkout"}"#, as: owner).status == 200)
            #expect(try wire.register("other@example.com", as: owner).problem == "already-registered")
            let profile = try wire.get("/account", as: owner).json
            #expect(profile["email"] == "ada@example.com")
            #expect(profile["kind"] == "registered")
            #expect(profile["sizes"]?["logEntries"]?.integer ?? 0 > 2)
        }
    }

    @Test func `signing in with a guest's token does not merge two accounts`() throws {
        try withService(arguments: cheap) { service in
            let wire = try service.connect()
            let owner = try #require(try wire.register("ada@example.com").json["account"]?.integer)
            let guest = try wire.openAccount()
            #expect(try wire.act(#"{"type": "favorites/toggle", "payload": {"productID": "dune"}}"#, as: guest).status == 200)
            let answer = try wire.exchange(
                "POST", "/sessions", as: guest, body: Array(#"{"email": "ada@example.com", "password": "password123"}"#.utf8))
            #expect(try answer.json["account"]?.integer == owner)
            let token = try #require(try answer.json["token"]?.string)
            #expect(try wire.state(of: Account(id: owner, token: token)).state["favorites"]?["productIDs"] == [])
            #expect(try wire.state(of: guest).state["favorites"]?["productIDs"] == ["dune"])
        }
    }

    @Test func `two sessions share one store; one that ends is dead on every connection at once`() throws {
        try withService(arguments: cheap) { service in
            let (first, second) = (try service.connect(), try service.connect())
            _ = try first.register("ada@example.com")
            let phone = try first.signedIn("ada@example.com")
            let desktop = try second.signedIn("ada@example.com")
            #expect(phone.id == desktop.id)
            #expect(try first.act(ModelUnderTest.shop.action(1), as: phone).status == 200)
            _ = try first.settledState(of: phone)
            #expect(try second.state(of: desktop).bytes == first.state(of: phone).bytes)

            let other = try service.connect()
            #expect(try other.get("/state", as: phone).status == 200)
            let listed = try #require(try second.get("/sessions", as: desktop).json["sessions"]?.array)
            #expect(listed.count == 3)
            #expect(listed.filter { $0["current"] == true }.count == 1)
            #expect(try first.exchange("DELETE", "/sessions/current", as: phone).status == 204)
            for wire in [other, first, second] {
                let dead = try wire.get("/state", as: phone)
                #expect(dead.status == 401)
                #expect(dead.problem == "invalid-token")
                #expect(dead.field("WWW-Authenticate")?.contains(#"error="invalid_token""#) == true)
            }
            #expect(try second.get("/state", as: desktop).status == 200)

            // Revoked from elsewhere, and renewed.
            let current = try #require(listed.first { $0["current"] == true }?["id"]?.integer)
            let rest = try #require(listed.first { $0["current"] == false }?["id"]?.integer)
            #expect(try second.exchange("DELETE", "/sessions/\(rest)", as: desktop).status == 204)
            #expect(try second.exchange("DELETE", "/sessions/\(rest)", as: desktop).problem == "session-not-found")
            let renewed = try second.exchange("POST", "/sessions/current/refresh", as: desktop)
            #expect(renewed.status == 200)
            #expect(try first.get("/state", as: desktop).status == 401)
            let again = Account(id: desktop.id, token: try #require(try renewed.json["token"]?.string))
            #expect(try first.get("/sessions/current", as: again).json["id"]?.integer == current)

            // Dead and alive over a restart, too.
            #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))
            try service.start(arguments: cheap)
            let later = try service.connect()
            #expect(try later.get("/state", as: phone).status == 401)
            #expect(try later.get("/state", as: desktop).status == 401)
            #expect(try later.get("/state", as: again).status == 200)
        }
    }

    @Test func `the last log-out signs the account out, and clears it where that is the policy`() throws {
        try withService(arguments: cheap + ["--shop-logout", "clear"]) { service in
            let wire = try service.connect()
            _ = try wire.register("ada@example.com")
            let owner = try wire.signedIn("ada@example.com")
            #expect(try wire.act(#"{"type": "cart/addItem", "payload": {"productID": "dune"}}"#, as: owner).status == 200)
            for session in try #require(try wire.get("/sessions", as: owner).json["sessions"]?.array)
            where session["current"] == false {
                #expect(try wire.exchange("DELETE", "/sessions/\(session["id"]?.integer ?? 0)", as: owner).status == 204)
            }
            #expect(try wire.exchange("DELETE", "/sessions/current", as: owner).status == 204)
            let again = try wire.signedIn("ada@example.com")
            #expect(try wire.state(of: again).state["cart"]?["lines"] == [])
            let names = try wire.log(of: again).compactMap { $0["type"]?.string }
            #expect(names.filter { $0 == "session/signedOut" }.count == 1)
        }
    }

    @Test func `a name is locked after five failures, with the time to wait`() throws {
        try withService(arguments: cheap) { service in
            let wire = try service.connect()
            _ = try wire.register("ada@example.com")
            for _ in 0..<5 { #expect(try wire.logIn("ada@example.com", "wrong password").status == 401) }
            let locked = try wire.logIn("ada@example.com")
            #expect(locked.status == 423)
            #expect((800...900).contains(Int(locked.field("Retry-After") ?? "") ?? 0))
        }
    }

    @Test func `a session ends by itself`() throws {
        try withService(arguments: cheap + ["--identity-session-seconds", "1"]) { service in
            let wire = try service.connect()
            let answer = try wire.register("ada@example.com")
            let owner = Account(id: 1, token: try #require(try answer.json["token"]?.string))
            let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
            while try wire.get("/state", as: owner).status == 200, ContinuousClock.now < deadline {}
            #expect(try wire.get("/state", as: owner).problem == "invalid-token")
            #expect(Date.now.timeIntervalSince1970 * 1000 >= Double(try #require(try answer.json["expiresAt"]?.integer)))
        }
    }

    @Test func `a required verification keeps the token from working until the code is brought back`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "codes.jsonl")
            let arguments = cheap + ["--identity-require-verification", "--identity-verification-file", file.path]
            try withService(arguments: arguments) { service in
                let wire = try service.connect()
                let answer = try wire.register("ada@example.com")
                let owner = Account(id: 1, token: try #require(try answer.json["token"]?.string))
                #expect(try wire.get("/state", as: owner).problem == "email-not-verified")
                let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
                while (try? Data(contentsOf: file))?.last != 10, ContinuousClock.now < deadline {}
                let sent = try Value(json: try Data(contentsOf: file))
                #expect(sent["email"] == "ada@example.com")
                let code = try #require(sent["code"]?.string)
                #expect(!service.said.contains(code))
                let wrong = try wire.exchange("POST", "/accounts/verify", body: Array(#"{"code": "0000"}"#.utf8))
                #expect(wrong.problem == "invalid-code")
                let right = try wire.exchange("POST", "/accounts/verify", body: Array(#"{"code": "\#(code)"}"#.utf8))
                #expect(right.status == 200)
                #expect(try wire.get("/state", as: owner).status == 200)
                #expect(try wire.state(of: owner).state["profile"]?["verified"] == true)
            }
            let alone = try Service.run(Service.arguments(model: "shop", folder: folder) + ["--identity-require-verification"])
            #expect(alone.end == .exit(78))
            #expect(alone.said.contains("identity.verificationFile"))
        }
    }

    @Test func `no secret is in a log line, an answer, the account's log or the database`() throws {
        try withService(arguments: cheap + ["--log-level", "debug"]) { service in
            let wire = try service.connect()
            let secret = "correct horse battery staple"
            let registered = try wire.register("ada@example.com", secret)
            var owner = Account(id: 1, token: try #require(try registered.json["token"]?.string))
            _ = try wire.register("ada@example.com", secret)
            _ = try wire.register("bob@example.com", "bad")
            _ = try wire.exchange("POST", "/accounts", body: Array(#"{"email": 7, "password": "\#(secret)"}"#.utf8))
            let signedIn = try wire.logIn("ada@example.com", secret)
            let failed = try wire.logIn("ada@example.com", secret + "!")
            let renewed = try wire.exchange("POST", "/sessions/current/refresh", as: owner)
            let tokens = try [registered, signedIn, renewed].map { try #require(try $0.json["token"]?.string) }
            owner = Account(id: 1, token: tokens[2])
            #expect(!failed.description.contains(secret))
            let log = try wire.get("/actions?limit=1000", as: owner)
            let state = try wire.get("/state", as: owner)
            _ = try wire.get("/state", as: Account(id: 1, token: "nonsense"))
            #expect(try service.end(by: SIGTERM) == .exit(0))

            var places = ["the log": Data(service.said.utf8), "the actions": Data(log.body), "the state": Data(state.body)]
            for file in try FileManager.default.contentsOfDirectory(at: service.folder, includingPropertiesForKeys: nil) {
                places[file.lastPathComponent] = try? Data(contentsOf: file)
            }
            #expect(places.count >= 4)
            for (place, data) in places {
                for word in [secret] + tokens {
                    #expect(data.range(of: Data(word.utf8)) == nil, "a secret is in \(place)")
                }
            }
            #expect(service.said.contains("login"))
            #expect(!service.said.contains("ada@example.com"))
        }
    }

    @Test func `a trusted gateway names the account, and nobody else can`() throws {
        try withService(arguments: cheap + ["--gateway-trusted"]) { service in
            let wire = try service.connect()
            let (first, second) = (try wire.openAccount(), try wire.openAccount())
            func named(_ id: String) -> [(String, String)] { [("Account-ID", id)] }
            #expect(try wire.get("/state", fields: named("\(first.id)")).json["account"]?.integer == first.id)
            #expect(try wire.get("/state", fields: named("\(second.id)")).json["account"]?.integer == second.id)
            #expect(try wire.act(ModelUnderTest.shop.action(1), as: nil, fields: named("\(second.id)")).status == 200)
            #expect(try wire.get("/state", as: first, fields: named("\(second.id)")).json["revision"] == 1)
            #expect(try wire.get("/state", as: first).json["account"]?.integer == first.id)
            for id in ["0", "-1", "x", "", "9223372036854775808", "1, 2", "+1"] {
                let answer = try wire.get("/state", fields: named(id))
                #expect(answer.status == 400, "\(id)")
                #expect(answer.problem == "invalid-account")
            }
            let twice = try wire.get("/state", fields: named("1") + named("2"))
            #expect(twice.problem == "invalid-account")
            let unknown = try wire.get("/state", fields: named("99"))
            #expect(unknown.status == 404)
            #expect(unknown.problem == "account-not-found")
            #expect(try wire.exchange("DELETE", "/sessions/current", fields: named("1")).problem == "session-not-found")
            #expect(try wire.get("/state").status == 401)
        }
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            #expect(try wire.get("/state", fields: [("Account-ID", "\(account.id)")]).status == 401, "off unless configured")
        }
    }
}
