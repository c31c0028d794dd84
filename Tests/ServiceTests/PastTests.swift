import Foundation
import Testing

/// The past of an account, and what might be, over HTTP.
@ServiceQueue @Suite struct `Past and hypothetical states` {
    @Test(arguments: ModelUnderTest.all) func `every revision is read as it was`(_ model: ModelUnderTest) throws {
        try withService(model: model.name) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            var bodies = [try wire.state(of: account)]
            for number in 1...5 {
                #expect(try wire.act(model.action(number), as: account).status == 200)
                bodies.append(try wire.state(of: account))
            }
            for (revision, then) in bodies.enumerated() {
                let answer = try wire.get("/state?revision=\(revision)", as: account)
                #expect(answer.status == 200 && answer.body == then.bytes && answer.field("ETag") == then.tag)
                let again = try wire.get("/state?revision=\(revision)", as: account, fields: [("If-None-Match", then.tag ?? "")])
                #expect(again.status == 304)
            }
            #expect(try wire.get("/state?revision=6", as: account).problem == "revision-not-found")
            #expect(try wire.get("/state?revision=-1", as: account).status == 422)
            #expect(try wire.get("/state?revision=two", as: account).status == 422)
        }
    }

    @Test func `a part of a past state has a tag of its own`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            for number in 1...3 { _ = try wire.act(ModelUnderTest.counter.action(number), as: account) }
            let answer = try wire.get("/state?revision=2&pointer=/value", as: account)
            #expect(answer.status == 200 && answer.body == Array("2".utf8))
            #expect(try wire.get("/state?pointer=/value", as: account).body == Array("3".utf8))
            #expect(try wire.get("/state?revision=2&pointer=/nothing", as: account).status == 404)
            #expect(try wire.get("/state?revision=2&pointer=value", as: account).status == 422)
            let tag = try #require(answer.field("ETag"))
            let part = try wire.get("/state?revision=2&pointer=/value", as: account, fields: [("If-None-Match", tag)])
            #expect(part.status == 304)
        }
    }

    @Test func `a difference is a bare patch`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            for number in 1...3 { _ = try wire.act(ModelUnderTest.counter.action(number), as: account) }
            let answer = try wire.get("/state/diff?from=1&to=3", as: account)
            #expect(answer.field("Content-Type") == "application/json-patch+json")
            #expect(try answer.json == [["op": "replace", "path": "/value", "value": 3]])
            #expect(
                try wire.get("/state/diff?from=3&to=0", as: account).json == [["op": "replace", "path": "/value", "value": 0]])
            #expect(try wire.get("/state/diff?from=3", as: account).json == [])
            #expect(try wire.get("/state/diff", as: account).status == 422)
            #expect(try wire.get("/state/diff?from=0&to=4", as: account).problem == "revision-not-found")
        }
    }

    @Test func `a filtered log is paged by what was looked at`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let pair = #"[{"type": "counter/increase"}, {"type": "counter/decrease"}]"#
            for _ in 1...5 { _ = try wire.act(pair, as: account) }
            var found: [Int64] = []
            var after: Int64? = 0
            while let from = after {
                let page = try wire.get("/actions?type=counter/decrease&limit=2&after=\(from)", as: account).json
                found += (page["actions"]?.array ?? []).compactMap { $0["revision"]?.integer }
                after = page["next"]?.integer
            }
            #expect(found == [2, 4, 6, 8, 10])
            let before = try wire.get("/actions?before=4&limit=3", as: account).json
            #expect(before["actions"]?.array?.count == 3 && before["next"] == .null)
            #expect(try wire.get("/actions?limit=3", as: account).json["next"] == 3)
        }
    }

    @Test func `a dry run keeps nothing`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let before = try wire.state(of: account)
            let stream = try EventStream(service, "/events", as: account)
            #expect(try stream.next()?.name == "snapshot")
            let body = Array(#"[{"type": "counter/increase"}, {"type": "counter/asyncIncrease"}]"#.utf8)
            let key = [("Idempotency-Key", "once")]
            let answer = try wire.exchange("POST", "/actions?dryRun=true", as: account, fields: key, body: body)
            #expect(answer.status == 200 && answer.field("ETag") == nil && answer.field("Location") == nil)
            #expect(try answer.json["dryRun"] == true && answer.json["state"] == ["value": 1])
            #expect(try answer.json["effects"]?.array?.count == 1)
            #expect(try wire.state(of: account).bytes == before.bytes)
            #expect(try wire.log(of: account) == [])
            // The key is free, and the stream has heard of nothing: the next revision is 1.
            let real = try wire.exchange(
                "POST", "/actions", as: account, fields: key, body: Array(#"{"type": "counter/increase"}"#.utf8))
            #expect(real.status == 200 && real.field("Idempotency-Replayed") == nil)
            #expect(try stream.next()?.revision == 1)
        }
    }
}
