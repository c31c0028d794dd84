import Testing

/// What bad input gets: each error over a real socket, after which the same connection serves the next request where HTTP allows it.
@ServiceQueue @Suite struct `Bad input` {
    /// A request that is refused.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let status: Int
        let problem: String
        /// Framing can no longer be trusted, or the rest was not read: the service closes.
        var closes = false
        /// The problem's `detail` names this.
        var detail: String?
        /// The end of the JSON pointer that the problem gives.
        var pointer: String?
        /// A field the answer must have.
        var field: String?
        let bytes: @Sendable (Account) -> [UInt8]

        var testDescription: String { name }

        /// A case that posts `body` to /actions.
        static func post(
            _ name: String, _ status: Int, _ problem: String, detail: String? = nil, pointer: String? = nil, _ body: String
        ) -> Case {
            Case(name: name, status: status, problem: problem, detail: detail, pointer: pointer) { account in
                request("POST", "/actions", as: account, body: Array(body.utf8))
            }
        }
    }

    nonisolated static let bodies: [Case] = [
        .post("malformed JSON, with its offset", 400, Problems.malformedJSON, detail: "at byte 10", #"{"type": nonsense}"#),
        .post("JSON that ends early", 400, Problems.malformedJSON, #"{"type": "cart/clear""#),
        .post("text after the JSON", 400, Problems.malformedJSON, #"{"type": "cart/clear"} {}"#),
        .post("an empty body", 422, Problems.invalidAction, ""),
        .post(
            "a duplicate name", 400, Problems.malformedJSON, detail: "at byte 23",
            #"{"type": "cart/clear", "type": "cart/clear"}"#),
        .post(
            "a duplicate name, written otherwise", 400, Problems.malformedJSON,
            #"{"type": "cart/clear", "ty\u0070e": "cart/clear"}"#),
        .post(
            "depth over the limit", 400, Problems.malformedJSON,
            #"{"type": "cart/clear", "payload": "# + String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
                + "}"),
        .post(
            "a number beyond every range", 400, Problems.malformedJSON,
            #"{"type": "cart/addItem", "payload": {"productID": "dune", "quantity": 1e400}}"#),
        .post(
            "a number that does not fit", 422, Problems.invalidPayload, pointer: "/payload/quantity",
            #"{"type": "cart/addItem", "payload": {"productID": "dune", "quantity": 9223372036854775808}}"#),
        .post(
            "a fraction for an integer", 422, Problems.invalidPayload, pointer: "/payload/quantity",
            #"{"type": "cart/addItem", "payload": {"productID": "dune", "quantity": 1.5}}"#),
        .post("a lone surrogate", 400, Problems.malformedJSON, #"{"type": "catalog/search", "payload": {"query": "\ud800"}}"#),
        Case(name: "invalid UTF-8", status: 400, problem: Problems.malformedJSON) { account in
            request("POST", "/actions", as: account, body: Array(#"{"type": ""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8))
        },
        Case(name: "a byte order mark", status: 400, problem: Problems.malformedJSON) { account in
            request("POST", "/actions", as: account, body: [0xEF, 0xBB, 0xBF] + Array(#"{"type": "cart/clear"}"#.utf8))
        },
        .post("a body that is no action", 422, Problems.invalidAction, "7"),
        .post("an action without a type", 422, Problems.invalidAction, pointer: "/type", #"{"payload": {}}"#),
        .post(
            "an unknown member of an action", 422, Problems.invalidAction, pointer: "/payloud",
            #"{"type": "cart/clear", "payloud": {}}"#),
        .post("an empty batch", 422, Problems.invalidAction, "[]"),
        .post(
            "a batch over the limit", 422, Problems.batchTooLarge,
            "[" + Array(repeating: #"{"type": "cart/clear"}"#, count: 101).joined(separator: ",") + "]"),
        .post(
            "an unknown action, naming the nearest", 422, Problems.unknownAction, detail: "cart/addItem",
            #"{"type": "cart/addItme"}"#),
        .post(
            "a payload of the wrong type", 422, Problems.invalidPayload, pointer: "/payload/productID",
            #"{"type": "cart/addItem", "payload": {"productID": 7}}"#),
        .post(
            "a payload without a member", 422, Problems.invalidPayload, pointer: "/payload/productID",
            #"{"type": "cart/addItem", "payload": {}}"#),
        .post(
            "a payload with an unknown member", 422, Problems.invalidPayload, pointer: "/payload/colour",
            #"{"type": "cart/addItem", "payload": {"productID": "dune", "colour": "red"}}"#),
        .post(
            "a fault in the middle of a batch", 422, Problems.invalidPayload, pointer: "/1/payload/productID",
            #"[{"type": "cart/clear"}, {"type": "cart/addItem", "payload": {"productID": 7}}]"#),
        .post(
            "a fact from a client", 403, Problems.factNotAllowed,
            #"{"type": "favorites/saveFailed", "payload": {"productID": "dune"}}"#),
    ]

    nonisolated static let requests: [Case] = [
        Case(name: "no token", status: 401, problem: Problems.unauthorized, field: "WWW-Authenticate") { _ in
            request("GET", "/state")
        },
        Case(name: "another scheme", status: 401, problem: Problems.unauthorized, field: "WWW-Authenticate") { _ in
            request("GET", "/state", fields: [("Authorization", "Basic dXNlcjpwYXNz")])
        },
        Case(name: "junk for a token", status: 401, problem: Problems.invalidToken, field: "WWW-Authenticate") { _ in
            request("GET", "/state", fields: [("Authorization", "Bearer junk")])
        },
        Case(name: "a token with a bit changed", status: 401, problem: Problems.invalidToken, field: "WWW-Authenticate") {
            account in
            let last = account.token.last == "A" ? "B" : "A"
            return request("GET", "/state", as: Account(id: account.id, token: account.token.dropLast() + last))
        },
        Case(name: "a malformed token", status: 400, problem: Problems.invalidAuthorization, field: "WWW-Authenticate") { _ in
            request("GET", "/state", fields: [("Authorization", "Bearer two words")])
        },
        Case(name: "two tokens", status: 400, problem: Problems.invalidAuthorization) { account in
            request("GET", "/state", as: account, fields: [("Authorization", "Bearer \(account.token)")])
        },
        Case(name: "an unknown path", status: 404, problem: Problems.notFound) { account in
            request("GET", "/nowhere", as: account)
        },
        Case(name: "a wrong method", status: 405, problem: Problems.methodNotAllowed, field: "Allow") { account in
            request("DELETE", "/state", as: account)
        },
        Case(name: "a wrong media type", status: 415, problem: Problems.unsupportedMediaType) { account in
            request("POST", "/actions", as: account, fields: [("Content-Type", "text/plain")], body: Array("hello".utf8))
        },
        Case(name: "a page of 0", status: 422, problem: Problems.invalidParameter) { request("GET", "/actions?limit=0", as: $0) },
        Case(name: "a page of 1,001", status: 422, problem: Problems.invalidParameter) {
            request("GET", "/actions?limit=1001", as: $0)
        },
        Case(name: "a stale If-Match", status: 412, problem: Problems.preconditionFailed) { account in
            request(
                "POST", "/actions", as: account, fields: [("If-Match", "\"elsewhere.9\"")],
                body: Array(#"{"type": "cart/clear"}"#.utf8))
        },
        Case(name: "an announced body over the limit", status: 413, problem: Problems.contentTooLarge, closes: true) { account in
            request(
                "POST", "/actions", as: account, fields: [("Content-Type", "application/json"), ("Content-Length", "999999999")])
        },
        Case(name: "a header section over the limit", status: 431, problem: Problems.fieldsTooLarge, closes: true) { account in
            request("GET", "/state", as: account, fields: [("X-Long", String(repeating: "x", count: 70_000))])
        },
        Case(name: "a target over the limit", status: 414, problem: Problems.targetTooLong, closes: true) { account in
            request("GET", "/state?" + String(repeating: "x", count: 70_000), as: account)
        },
        Case(name: "a length given twice", status: 400, problem: Problems.badRequest, closes: true) { account in
            request(
                "POST", "/actions", as: account, fields: [("Content-Length", "2"), ("Content-Length", "3")],
                body: Array("{}".utf8))
        },
    ]

    @Test(arguments: bodies + requests) func `is refused, and the connection serves on`(_ bad: Case) throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            try wire.send(bad.bytes(account))
            let answer = try wire.receive()

            #expect(answer.status == bad.status)
            #expect(answer.problem == bad.problem, "\(answer)")
            let problem = try answer.json
            #expect(problem["status"]?.integer == Int64(answer.status))
            #expect(problem["title"]?.string?.isEmpty == false)
            if let detail = bad.detail { #expect(problem["detail"]?.string?.contains(detail) == true, "\(answer)") }
            if let pointer = bad.pointer {
                let pointers = [problem["pointer"]] + (problem["errors"]?.array?.map { $0["pointer"] } ?? [])
                #expect(pointers.contains { $0?.string?.hasSuffix(pointer) == true }, "\(answer)")
            }
            if let field = bad.field { #expect(answer.field(field) != nil, "\(answer)") }

            if bad.closes {
                #expect(answer.announcesClose)
                try wire.expectClose()
                #expect(try service.connect().state(of: account).revision == 0)
            } else {
                #expect(!answer.announcesClose)
                #expect(try wire.state(of: account).revision == 0, "a refused request left a trace")
            }
        }
    }

    @Test(arguments: ModelUnderTest.all) func `is refused with its place by either model`(_ model: ModelUnderTest) throws {
        try withService(model: model.name) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let answer = try wire.act(model.misshapen.action, as: account)
            #expect(answer.status == 422)
            #expect(answer.problem == Problems.invalidPayload)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(model.misshapen.pointer))
            let unknown = try wire.act(#"{"type": "nobody/knowsThis"}"#, as: account)
            #expect(unknown.status == 422)
            #expect(unknown.problem == Problems.unknownAction)
            #expect(try wire.act(model.action(1), as: account).json["revision"] == 1)
        }
    }

    @Test func `in one request does not spoil those pipelined around it`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let good = { (number: Int) in
                request("POST", "/actions", as: account, body: Array(ModelUnderTest.shop.action(number).utf8))
            }
            try wire.send(good(1) + request("POST", "/actions", as: account, body: Array("{".utf8)) + good(2))
            #expect(try wire.receive().json["revision"] == 1)
            #expect(try wire.receive().status == 400)
            #expect(try wire.receive().json["revision"] == 2)
        }
    }

    @Test func `in the framing ends a connection after the answers that are due`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let good = request("POST", "/actions", as: account, body: Array(ModelUnderTest.shop.action(1).utf8))
            try wire.send(good + Array("GET /state HTTP/1.1\r\nHost : broken\r\n\r\n".utf8) + request("GET", "/healthz"))
            #expect(try wire.receive().json["revision"] == 1)
            #expect(try wire.receive().status == 400)
            try wire.expectClose()
        }
    }
}
