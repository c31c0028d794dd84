import Testing

/// Conditions and other fields that decide what is done (RFC 9110, 13; RFC 7240), over a real socket.
@ServiceQueue @Suite struct `Fields that decide` {
    private static let action = #"{"type": "favorites/toggle", "payload": {"productID": "dune"}}"#

    @Test func `what changes something is not performed where its condition is false`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let tag = try #require(try wire.state(of: account).tag)
            for (field, value) in [
                ("If-Match", #""bogus""#), ("If-Match", "W/\(tag)"), ("If-None-Match", "*"), ("If-None-Match", tag),
                ("If-None-Match", "W/\(tag)"),
            ] {
                for answer in [
                    try wire.exchange("DELETE", "/account", as: account, fields: [(field, value)]),
                    try wire.act(Self.action, as: account, fields: [(field, value)]),
                    try wire.exchange("DELETE", "/sessions/current", as: account, fields: [(field, value)]),
                ] {
                    #expect(answer.status == 412, "\(field): \(value)")
                    #expect(answer.problem == "precondition-failed")
                    #expect(try answer.json["revision"] == 0)
                }
            }
            for (field, value) in [("If-Match", "garbage"), ("If-None-Match", "\"a")] {
                #expect(try wire.exchange("DELETE", "/account", as: account, fields: [(field, value)]).status == 400)
                #expect(try wire.act(Self.action, as: account, fields: [(field, value)]).status == 400)
            }
            #expect(try wire.state(of: account).revision == 0)
            // In entity tags a backslash is a character like any other (RFC 9110, 8.8.3).
            let list = #""a\", \#(tag)"#
            #expect(try wire.get("/state", as: account, fields: [("If-None-Match", list)]).status == 304)
            #expect(
                try wire.act(Self.action, as: account, fields: [("If-Match", list), ("If-None-Match", #""x""#)]).status == 200)
            #expect(try wire.exchange("DELETE", "/account", as: account, fields: [("If-Match", "*")]).status == 204)
        }
    }

    @Test func `reading compares If-Match before If-None-Match`() throws {
        // A save that never ends: the state stays as it is while it is read.
        try withService(arguments: ["--shop-simulation-favorites-delay", "600000"]) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            _ = try wire.act(Self.action, as: account)
            for target in ["/state", "/state?revision=1", "/state?pointer=/cart", "/views/favorites", "/state/diff?from=0&to=1"] {
                let tag = try #require(try wire.get(target, as: account).field("ETag"))
                #expect(try wire.get(target, as: account, fields: [("If-Match", tag)]).status == 200)
                #expect(try wire.get(target, as: account, fields: [("If-None-Match", tag)]).status == 304)
                let other = try wire.get(target, as: account, fields: [("If-Match", #""other""#), ("If-None-Match", tag)])
                #expect(other.status == 412, "\(target)")
            }
        }
    }

    @Test(arguments: [
        ";", "=", ";;", "=;=", "\"", "\"\\", "wait=", "wait=\"2;a\"", "wait=-1", "wait=+1", "wait=99999999999999999999",
    ])
    func `a preference that is none is ignored`(_ preference: String) throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            #expect(try wire.act(Self.action, as: account, fields: [("Prefer", preference)]).status == 200)
            let tag = try #require(try wire.state(of: account).tag)
            let answer = try wire.get("/views/ui", as: account, fields: [("Prefer", preference), ("If-None-Match", tag)])
            #expect(answer.status == 200)
            #expect(try wire.get("/state", as: account, fields: [("Prefer", preference), ("If-None-Match", "*")]).status == 304)
        }
    }

    @Test func `a body in another form than JSON as it is, is refused`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            for fields in [
                [("Content-Encoding", "gzip")], [("Content-Encoding", "identity, br")], [("Content-Type", ";application/json")],
                [("Content-Type", "application / json")], [("Content-Type", "application/json"), ("Content-Type", "text/plain")],
            ] {
                let answer = try wire.act(Self.action, as: account, fields: fields)
                #expect(answer.status == 415, "\(fields)")
            }
            #expect(
                try wire.act(Self.action, as: account, fields: [("Content-Encoding", "gzip")]).field("Accept-Encoding")
                    == "identity")
            for fields in [[("Content-Encoding", "identity")], [("Content-Type", "Application/JSON ; charset=utf-8")]] {
                #expect(try wire.act(Self.action, as: account, fields: fields).status == 200, "\(fields)")
            }
        }
    }

    @Test func `a key may have parameters, a number no sign`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let first = try wire.act(Self.action, as: account, fields: [("Idempotency-Key", #""k";p=1"#)])
            #expect(first.status == 200)
            let second = try wire.act(Self.action, as: account, fields: [("Idempotency-Key", "k")])
            #expect(second.body == first.body)
            #expect(try wire.act(Self.action, as: account, fields: [("Idempotency-Key", #""k"p"#)]).status == 400)
            #expect(try wire.get("/actions/1", as: account).status == 200)
            #expect(try wire.get("/actions/+1", as: account).status == 404)
            #expect(try wire.get("/state?revision=-0", as: account).status == 422)
            #expect(try wire.get("/state?revision=+1", as: account).status == 422)
        }
    }

    @Test func `HEAD of a stream states no length`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let head = try wire.exchange("HEAD", "/events", as: account)
            #expect(head.status == 200)
            #expect(head.field("Content-Length") == nil)
            #expect(head.field("Content-Type") == "text/event-stream")
            #expect(try wire.get("/healthz").status == 200, "the connection goes on")
        }
    }
}
