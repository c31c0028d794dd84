import Testing

/// The contract's main lines, over each model: the service knows neither.
@ServiceQueue @Suite struct `An account over HTTP` {
    @Test(arguments: ModelUnderTest.all) func `opens at revision 0 with an empty log and a state of its own`(
        _ model: ModelUnderTest
    ) throws {
        try withService(model: model.name) { service in
            let wire = try service.connect()
            let opened = try wire.exchange("POST", "/accounts")
            #expect(opened.status == 201)
            let account = Account(
                id: try #require(try opened.json["account"]?.integer), token: try #require(try opened.json["token"]?.string))
            #expect(account.id > 0)

            let state = try wire.get("/state", as: account)
            #expect(state.status == 200)
            #expect(state.field("Content-Type")?.hasPrefix("application/json") == true)
            #expect(try state.json["account"] == .integer(account.id))
            #expect(try state.json["revision"] == 0)
            let epoch = try #require(try state.json["epoch"]?.string)
            #expect(state.field("ETag") == "\"\(epoch).0\"")
            #expect(state.field("Cache-Control") == "private, no-cache")
            #expect(try wire.log(of: account) == [])
        }
    }

    @Test(arguments: ModelUnderTest.all) func `takes an action, logs it, and shows the state it led to`(_ model: ModelUnderTest)
        throws
    {
        try withService(model: model.name) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let before = try wire.state(of: account)
            let answer = try wire.act(model.action(1), as: account)
            #expect(answer.status == 200)
            let json = try answer.json
            let epoch = try #require(json["epoch"]?.string)
            #expect(json["account"] == .integer(account.id))
            #expect(json["revision"] == 1)
            #expect(json["changed"] == true)
            #expect(json["actions"] == [["revision": 1, "type": .string(model.change)]])
            #expect(answer.field("ETag") == "\"\(epoch).1\"")
            #expect(answer.field("Location") == "/actions/1")

            let after = try wire.state(of: account)
            #expect(after.revision == 1)
            #expect(after.tag == answer.field("ETag"))
            #expect(after.state != before.state)

            let logged = try wire.log(of: account)
            #expect(logged.map { $0["revision"] } == [1])
            #expect(logged.first?["type"] == .string(model.change))
            #expect(logged.first?["payload"] == (try Value(json: Array(model.payload(1).utf8))))
            #expect(logged.first?["at"]?.integer ?? 0 > 1_700_000_000_000)
            #expect(logged.first?["id"]?.string?.isEmpty == false)
        }
    }

    @Test(arguments: ModelUnderTest.all) func `takes a batch as one, with a revision each`(_ model: ModelUnderTest) throws {
        try withService(model: model.name) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let answer = try wire.act("[\(model.action(1)), \(model.action(2)), \(model.action(3))]", as: account)
            #expect(answer.status == 200)
            #expect(try answer.json["revision"] == 3)
            #expect(try answer.json["actions"]?.array?.map { $0["revision"] } == [1, 2, 3])
            #expect(try wire.log(of: account).map { $0["revision"] } == [1, 2, 3])
        }
    }

    @Test(arguments: ModelUnderTest.all) func `keeps nothing of a batch with a refused action in its middle`(
        _ model: ModelUnderTest
    ) throws {
        try withService(model: model.name) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            _ = try wire.act(model.action(1), as: account)
            let before = try wire.state(of: account)

            let answer = try wire.act("[\(model.action(2)), \(model.refused.action), \(model.action(3))]", as: account)
            #expect(answer.status == model.refused.status)
            #expect(answer.problem == model.refused.problem)
            // The answer names the one at fault: the second.
            #expect(String(decoding: answer.body, as: UTF8.self).contains("1"))

            let after = try wire.state(of: account)
            #expect(after.bytes == before.bytes)
            #expect(try wire.log(of: account).count == 1)
            #expect(try wire.act(model.action(4), as: account).json["revision"] == 2)
        }
    }

    @Test(arguments: ModelUnderTest.all) func `leaves no trace of a refused action`(_ model: ModelUnderTest) throws {
        try withService(model: model.name) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let before = try wire.state(of: account)
            let answer = try wire.act(model.refused.action, as: account)
            #expect(answer.status == model.refused.status)
            #expect(answer.problem == model.refused.problem)
            #expect(try wire.state(of: account).bytes == before.bytes)
            #expect(try wire.log(of: account) == [])
        }
    }

    @Test func `is invisible to the others, whose revisions run beside it`() throws {
        try withService { service in
            let wire = try service.connect()
            let (first, second) = (try wire.openAccount(), try wire.openAccount())
            #expect(first.id != second.id)
            #expect(first.token != second.token)
            #expect(try wire.act(ModelUnderTest.shop.action(1), as: first).status == 200)
            #expect(try wire.state(of: second).revision == 0)
            #expect(try wire.log(of: second) == [])

            // At the same revision, the tag of one account never answers for the other.
            #expect(try wire.act(ModelUnderTest.shop.action(1), as: second).status == 200)
            let tag = try #require(try wire.state(of: first).tag)
            #expect(try wire.get("/state", as: second, fields: [("If-None-Match", tag)]).status == 200)
            #expect(try wire.act(ModelUnderTest.shop.action(2), as: second, fields: [("If-Match", tag)]).status == 412)
        }
    }

    @Test func `is read in pages of the log`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            for number in 1...5 { #expect(try wire.act(ModelUnderTest.shop.action(number), as: account).status == 200) }
            let page = try wire.get("/actions?after=1&limit=2", as: account).json
            #expect(page["actions"]?.array?.map { $0["revision"] } == [2, 3])
            #expect(page["next"] != nil && page["next"] != .null)
            let last = try wire.get("/actions?after=3&limit=2", as: account).json
            #expect(last["actions"]?.array?.map { $0["revision"] } == [4, 5])
            #expect(try wire.get("/actions?after=5", as: account).json["actions"] == [])
            #expect(try wire.get("/actions/2", as: account).json["revision"] == 2)
            #expect(try wire.get("/actions/6", as: account).status == 404)
        }
    }

    @Test func `is read anew only when its tag has changed`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            _ = try wire.act(ModelUnderTest.shop.action(1), as: account)
            let tag = try #require(try wire.state(of: account).tag)

            let unchanged = try wire.get("/state", as: account, fields: [("If-None-Match", "W/\(tag)")])
            #expect(unchanged.status == 304)
            #expect(unchanged.field("ETag") == tag)
            #expect(unchanged.field("Vary") != nil)
            #expect(unchanged.field("Date") != nil)
            #expect(unchanged.body == [])

            _ = try wire.act(ModelUnderTest.shop.action(2), as: account)
            #expect(try wire.get("/state", as: account, fields: [("If-None-Match", tag)]).status == 200)
        }
    }

    @Test func `takes an action only at the revision If-Match names`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let tag = try #require(try wire.state(of: account).tag)
            #expect(try wire.act(ModelUnderTest.shop.action(1), as: account, fields: [("If-Match", tag)]).status == 200)
            let stale = try wire.act(ModelUnderTest.shop.action(2), as: account, fields: [("If-Match", tag)])
            #expect(stale.status == 412)
            #expect(stale.problem == Problems.preconditionFailed)
            #expect(try wire.state(of: account).revision == 1)
            #expect(try wire.act(ModelUnderTest.shop.action(3), as: account, fields: [("If-Match", "*")]).status == 200)
        }
    }

    @Test func `answers HEAD as GET, without the body`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            for target in ["/state", "/actions", "/catalog", "/healthz"] {
                let get = try wire.get(target, as: account)
                let head = try wire.exchange("HEAD", target, as: account)
                #expect(get.status == 200, "\(target): \(get)")
                #expect(head.status == get.status, "\(target)")
                #expect(head.field("Content-Length") == get.field("Content-Length"), "\(target)")
                #expect(head.field("ETag") == get.field("ETag"), "\(target)")
            }
        }
    }

    @Test func `answers pipelined requests in order`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let count = 50
            let actions = (1...count).flatMap { number in
                request("POST", "/actions", as: account, body: Array(ModelUnderTest.shop.action(number).utf8))
            }
            try wire.send(actions + request("GET", "/state", as: account) + request("GET", "/healthz"))
            for number in 1...count {
                let answer = try wire.receive()
                #expect(answer.status == 200)
                #expect(try answer.json["revision"]?.integer == Int64(number))
            }
            // What follows an unsafe request sees what it did.
            #expect(try wire.receive().json["revision"]?.integer == Int64(count))
            #expect(try wire.receive().status == 200)
        }
    }

    @Test func `takes a body in chunks, and in pieces`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let head = String(
                decoding: request(
                    "POST", "/actions", as: account,
                    fields: [("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")]),
                as: UTF8.self)
            let text = ModelUnderTest.shop.action(1)
            let chunks = text.utf8.map { "1\r\n\(Character(UnicodeScalar($0)))\r\n" }.joined() + "0\r\n\r\n"
            for piece in [head.prefix(20), head.dropFirst(20), chunks.prefix(7), chunks.dropFirst(7)] {
                try wire.send(String(piece))
            }
            #expect(try wire.receive().json["revision"] == 1)
        }
    }

    @Test func `can browse the catalog without a token`() throws {
        try withService { service in
            let answer = try service.connect().get("/catalog?limit=100")
            #expect(answer.status == 200)
            let products = try #require(try answer.json["products"]?.array)
            #expect(products.contains { $0["productID"] == "dune" })
            let members: Set = [
                "productID", "title", "author", "description", "category", "price", "stock", "rating", "publishedAt",
            ]
            #expect(products.allSatisfy { Set($0.members?.keys.map { $0 } ?? []).isSuperset(of: members) })
            #expect(products.contains { $0["stock"] == 0 })
            #expect(try answer.json["currency"]?.string?.count == 3)
        }
    }
}
