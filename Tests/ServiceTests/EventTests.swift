import Foundation
import Testing

/// `GET /events`, over real sockets.
@ServiceQueue @Suite struct `A stream of events` {
    @Test func `begins with a snapshot, then tells each transition`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let stream = try EventStream(service, "/events?patch=true", as: account)
            #expect(stream.status == 200)
            #expect(stream.field("Content-Type") == "text/event-stream")
            #expect(stream.field("Cache-Control") == "no-store")
            #expect(stream.field("X-Accel-Buffering") == "no")
            let snapshot = try stream.next(1)[0]
            let state = try wire.state(of: account)
            #expect(snapshot.name == "snapshot" && Array(snapshot.data.utf8) == state.bytes)
            #expect(snapshot.id.map { "\"\($0)\"" } == state.tag)
            _ = try wire.act(ModelUnderTest.counter.action(1), as: account)
            let transition = try stream.next(1)[0]
            let tag = try wire.state(of: account).tag
            #expect(transition.name == "transition" && transition.id.map { "\"\($0)\"" } == tag)
            #expect(transition.json?["patch"] == [["op": "replace", "path": "/value", "value": 1]])
            var entry = try wire.log(of: account)[0].members ?? [:]
            entry["patch"] = transition.json?["patch"]
            #expect(transition.json == .object(entry))
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `resumes without gap or repeat over cuts and kill -9`(_ seed: UInt64) throws {
        try withService(model: "counter") { service in
            var random = SeededNumbers(seed: seed)
            var wire = try service.connect()
            let account = try wire.openAccount()
            let after = try EventStream(service, "/events", as: account)
            #expect(try after.next()?.name == "snapshot")
            var (lastID, told, head) = (after.lastID, 0 as Int64, 0 as Int64)
            for _ in 0..<12 {
                let stream = try EventStream(service, "/events", as: account, lastID: lastID)
                for _ in 0..<random.next(below: 30) {
                    head += 1
                    #expect(try wire.act(ModelUnderTest.counter.action(Int(head)), as: account).status == 200)
                }
                // Some of what there is; the rest is for the next connection.
                for _ in 0..<random.next(below: Int(head - told) + 1) {
                    let event = try stream.next(1)[0]
                    #expect(event.name == "transition" && event.revision == told + 1, "\(event)")
                    told += 1
                }
                lastID = stream.lastID
                if random.next(below: 3) == 0 {
                    #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))
                    try service.start()
                    wire = try service.connect()
                }
            }
            let stream = try EventStream(service, "/events", as: account, lastID: lastID)
            for event in try stream.next(Int(head - told)) {
                told += 1
                #expect(event.revision == told)
            }
            #expect(try wire.state(of: account).state == ["value": .integer(told)])
        }
    }

    @Test func `of one account has nothing of another, whatever id it brings`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let (mine, other) = (try wire.openAccount(), try wire.openAccount())
            let stream = try EventStream(service, "/events", as: mine)
            #expect(try stream.next()?.name == "snapshot")
            let others = try EventStream(service, "/events", as: other)
            #expect(try others.next()?.name == "snapshot")
            for number in 1...3 { _ = try wire.act(ModelUnderTest.counter.action(number), as: other) }
            _ = try wire.act(ModelUnderTest.counter.action(1), as: mine)
            #expect(try stream.next()?.id == stream.lastID)
            #expect(try others.next(3).map(\.revision) == [1, 2, 3])
            // Another's id is of another history.
            let strange = try EventStream(service, "/events", as: mine, lastID: others.lastID)
            let events = try strange.next(2)
            #expect(events[0] == .init(id: nil, name: "reset", data: #"{"reason":"epoch"}"#))
            #expect(events[1].name == "snapshot" && events[1].json?["account"] == .integer(mine.id))
            #expect(try wire.get("/state", as: mine, fields: [("If-None-Match", "\"\(others.lastID ?? "")\"")]).status == 200)
        }
    }

    @Test func `of a view tells distinct values`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let stream = try EventStream(service, "/events?view=counter", as: account)
            #expect(try stream.next(1).map(\.data) == ["0"])
            let there = #"[{"type": "counter/increase"}, {"type": "counter/decrease"}]"#
            #expect(try wire.act(there, as: account).status == 200)
            #expect(try wire.act(ModelUnderTest.counter.action(1), as: account).status == 200)
            let event = try stream.next(1)[0]
            #expect(event.name == "view" && event.data == "1")
            // The value the client has is not told again; the next one is.
            let again = try EventStream(service, "/events?view=counter", as: account, lastID: stream.lastID)
            #expect(try wire.act(ModelUnderTest.counter.action(2), as: account).status == 200)
            #expect(try again.next(1).map(\.data) == ["2"])
        }
    }

    @Test func `opens with a ticket, which is good for streams alone and ends with its session`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let answer = try wire.exchange("POST", "/events/tickets", as: account)
            #expect(answer.status == 201 && answer.field("Cache-Control") == "no-store")
            let ticket = try #require(try answer.json["ticket"]?.string)
            #expect(try answer.json["expiresAt"]?.integer != nil)
            let stream = try EventStream(service, "/events?ticket=\(ticket)")
            #expect(try stream.next()?.name == "snapshot")
            let again = try EventStream(service, "/events?ticket=\(ticket)&after=0")
            #expect(again.status == 200)

            #expect(try wire.get("/state?ticket=\(ticket)").status == 422)
            let asToken = Account(id: account.id, token: ticket)
            #expect(try wire.get("/state", as: asToken).problem == Problems.invalidToken)
            #expect(try wire.get("/events?ticket=\(account.token)").problem == Problems.invalidToken)
            // On the same connection a ticket leaves nothing behind for the next request.
            #expect(try wire.exchange("HEAD", "/events?ticket=\(ticket)").status == 200)
            #expect([400, 401].contains(try wire.get("/state", fields: [("Authorization", "")]).status))

            #expect(try wire.exchange("DELETE", "/sessions/current", as: account).status == 204)
            #expect(try wire.get("/events?ticket=\(ticket)").problem == Problems.invalidToken)
        }
    }

    @Test func `says what is wrong with a request`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            #expect(try wire.get("/events").problem == Problems.unauthorized)
            #expect(try wire.get("/events?view=contour", as: account).problem == "view-not-found")
            #expect(try wire.get("/events?after=x", as: account).status == 422)
            #expect(try wire.get("/events?patch=maybe", as: account).status == 422)
            #expect(try wire.get("/events?view=counter&patch=true", as: account).status == 422)
            #expect(try wire.exchange("HEAD", "/events", as: account).field("Content-Type") == "text/event-stream")
        }
    }

    @Test func `ends with a word when the service stops`() throws {
        try withService(model: "counter") { service in
            let account = try service.connect().openAccount()
            let stream = try EventStream(service, "/events", as: account)
            #expect(try stream.next()?.name == "snapshot")
            #expect(try service.end(by: SIGTERM) == .exit(0))
            let bye = try stream.next(1)[0]
            #expect(bye.name == "bye" && bye.json?["reason"] == "shutdown")
            #expect(bye.json?["resume"]?.string == stream.lastID)
            #expect(try stream.next() == nil)
        }
    }
}

/// `GET /state` that waits, over real sockets.
@ServiceQueue @Suite struct `A long poll` {
    private func poll(_ tag: String?, wait: Int = 30) -> [(String, String)] {
        [("If-None-Match", tag ?? ""), ("Prefer", "wait=\(wait)")]
    }

    @Test func `is answered by the next state`() throws {
        try withService(model: "counter") { service in
            let (waiting, acting) = (try service.connect(), try service.connect())
            let account = try acting.openAccount()
            let tag = try acting.state(of: account).tag
            try waiting.send(request("GET", "/state", as: account, fields: poll(tag)))
            _ = try acting.act(ModelUnderTest.counter.action(1), as: account)
            let answer = try waiting.receive()
            #expect(answer.status == 200)
            #expect(answer.field("ETag") == (try acting.state(of: account).tag))
            #expect(try answer.json["state"] == ["value": 1])
        }
    }

    @Test func `ends with 304 after its time, when the service stops, and when the client says no more`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let tag = try wire.state(of: account).tag
            let answer = try wire.get("/state", as: account, fields: poll(tag, wait: 1))
            #expect(answer.status == 304 && answer.field("ETag") == tag)
            #expect(answer.field("Preference-Applied") == "wait=1")
            #expect(try wire.get("/state", as: account, fields: [("If-None-Match", tag ?? "")]).status == 304)

            let leaving = try service.connect()
            try leaving.send(request("GET", "/state", as: account, fields: poll(tag)))
            leaving.finishSending()
            #expect(try leaving.receive().status == 304)

            // Both are taken in together: once the first is answered, the second is waiting.
            let drained = try service.connect()
            try drained.send(request("GET", "/healthz") + request("GET", "/state", as: account, fields: poll(tag)))
            #expect(try drained.receive().status == 200)
            service.send(signal: SIGTERM)
            #expect(try drained.receive().status == 304)
            // A second signal would not wait; none is sent, the end alone is waited for.
            #expect(try service.end(by: 0) == .exit(0))
        }
    }
}

/// SplitMix64: the same numbers for the same seed.
private struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// From 0 up to, not including, `bound`.
    mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
