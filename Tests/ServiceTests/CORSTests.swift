import Testing

/// Pages of other origins.
@ServiceQueue @Suite struct `Other origins` {
    static let shop = "https://shop.example"

    @Test func `by default none is allowed`() throws {
        try withService { service in
            let wire = try service.connect()
            let answer = try wire.get("/catalog", fields: [("Origin", Self.shop)])
            #expect(answer.status == 200 && answer.field("Access-Control-Allow-Origin") == nil && answer.field("Vary") == nil)
            let preflight = try wire.exchange(
                "OPTIONS", "/actions", fields: [("Origin", Self.shop), ("Access-Control-Request-Method", "POST")])
            #expect(preflight.status == 204 && preflight.field("Access-Control-Allow-Methods") == nil)
        }
    }

    @Test func `one that is named is allowed, in every answer; others are not`() throws {
        try withService(arguments: ["--cors-origins", "\(Self.shop), http://localhost:3000"]) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let preflight = try wire.exchange(
                "OPTIONS", "/actions",
                fields: [
                    ("Origin", Self.shop), ("Access-Control-Request-Method", "POST"),
                    ("Access-Control-Request-Headers", "authorization, content-type, idempotency-key"),
                ])
            #expect(preflight.status == 204 && preflight.body.isEmpty)
            #expect(preflight.field("Access-Control-Allow-Origin") == Self.shop)
            #expect(preflight.field("Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS, POST")
            let allowed = try #require(preflight.field("Access-Control-Allow-Headers"))
            for name in ["Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Last-Event-ID", "Prefer"] {
                #expect(allowed.contains(name))
            }
            #expect(preflight.field("Access-Control-Max-Age") == "600")
            #expect(preflight.field("Vary") == "Origin")

            for (target, status) in [("/state", 200), ("/nowhere", 404), ("/actions?limit=x", 422)] {
                let answer = try wire.get(target, as: account, fields: [("Origin", "http://localhost:3000")])
                #expect(answer.status == status)
                #expect(answer.field("Access-Control-Allow-Origin") == "http://localhost:3000")
                #expect(answer.field("Access-Control-Expose-Headers")?.contains("ETag") == true)
                #expect(answer.field("Access-Control-Allow-Credentials") == nil)
            }
            let stranger = try wire.get("/state", as: account, fields: [("Origin", "https://shop.example.evil")])
            #expect(stranger.status == 200 && stranger.field("Access-Control-Allow-Origin") == nil)
            #expect(stranger.field("Vary")?.contains("Origin") == true)
            let strange = try wire.exchange(
                "OPTIONS", "/actions", fields: [("Origin", "null"), ("Access-Control-Request-Method", "POST")])
            #expect(strange.status == 204 && strange.field("Access-Control-Allow-Methods") == nil)
            let stream = try EventStream(service, "/events", as: account)
            #expect(stream.field("Vary") == "Origin")
        }
    }

    @Test func `all may be`() throws {
        try withService(arguments: ["--cors-origins", "*"]) { service in
            let answer = try service.connect().get("/catalog", fields: [("Origin", "https://any.example")])
            #expect(answer.field("Access-Control-Allow-Origin") == "*")
        }
    }

    @Test(arguments: ["shop.example", "https://shop.example/", "https://", "ftp://shop.example", "https://Shop.example"])
    func `what is no origin is a fault of the configuration`(_ text: String) throws {
        let result = try Service.run(["check-config", "--cors-origins", text])
        #expect(result.end == .exit(78) && result.said.contains("cors.origins"))
    }
}
