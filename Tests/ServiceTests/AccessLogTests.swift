import Foundation
import Testing

/// One line a request and a transition, with ids, and without anything that is a secret.
@ServiceQueue @Suite struct `Access and transition logs` {
    static let arguments = ["--log-form", "json", "--log-access", "--log-transitions"]
    static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    /// The lines of a message, once there are so many.
    static func lines(_ message: String, of service: Service, atLeast count: Int) -> [Value] {
        let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
        while true {
            let lines = service.said.split(separator: "\n").compactMap { try? Value(json: Array($0.utf8)) }
                .filter { $0["message"]?.string == message }
            if lines.count >= count || ContinuousClock.now >= deadline { return lines }
        }
    }

    @Test func `a request and its transition are found by one trace`() throws {
        try withService(arguments: Self.arguments) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let answer = try wire.act(
                ModelUnderTest.shop.action(1), as: account,
                fields: [("traceparent", "00-\(Self.trace)-00f067aa0ba902b7-01"), ("X-Request-ID", "mine-7")])
            #expect(answer.status == 200 && answer.field("X-Request-ID") == "mine-7")
            let line = try #require(Self.lines("request", of: service, atLeast: 2).last)
            #expect(
                line["request"] == "mine-7" && line["method"] == "POST" && line["route"] == "/actions" && line["status"] == 200)
            #expect(line["account"]?.integer == account.id && line["bytes"]?.integer == Int64(answer.body.count))
            #expect(line["trace"]?.string?.contains(Self.trace) == true)
            let transition = try #require(Self.lines("transition", of: service, atLeast: 1).first)
            #expect(transition["trace"]?.string == "00-\(Self.trace)-00f067aa0ba902b7-01")
            #expect(transition["revision"] == 1 && transition["type"] == "catalog/search" && transition["payload"] == nil)
            // Kept with the action, and there for the account to read.
            let entry = try wire.get("/actions/1", as: account).json
            #expect(entry["trace"]?.string == "00-\(Self.trace)-00f067aa0ba902b7-01")
        }
    }

    @Test(arguments: [
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
        ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", true),
        ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", false),
        ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
        ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
        ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false), ("00-4bf9-00f067aa0ba902b7-01", false),
    ]) func `a traceparent counts where it is one`(_ text: String, _ counts: Bool) throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            _ = try wire.act(#"{"type": "counter/increase"}"#, as: account, fields: [("traceparent", text)])
            let trace = try wire.get("/actions/1", as: account).json["trace"]?.string
            #expect(trace == (counts ? "00-\(Self.trace)-00f067aa0ba902b7-01" : nil))
        }
    }

    @Test func `every answer has an id, a new one where the client's is not fit`() throws {
        try withService(arguments: Self.arguments) { service in
            let wire = try service.connect()
            let first = try #require(try wire.get("/healthz").field("X-Request-ID"))
            let second = try #require(try wire.get("/nowhere", fields: [("X-Request-ID", "a b\"c")]).field("X-Request-ID"))
            #expect(first != second && first.count == 32 && second.count == 32)
            #expect(Self.lines("request", of: service, atLeast: 2).map { $0["request"]?.string } == [first, second])
        }
        // Without the logs nobody asked for one.
        let quiet = try withService { try $0.connect().get("/healthz") }
        #expect(quiet.field("X-Request-ID") == nil)
    }

    @Test func `no secret is logged`() throws {
        try withService(arguments: Self.arguments + ["--log-level", "debug"]) { service in
            let wire = try service.connect()
            let registration = #"{"email": "ada@example.com", "password": "correct horse battery", "name": "Ada"}"#
            let user = try wire.exchange("POST", "/accounts", body: Array(registration.utf8))
            let token = try #require(try user.json["token"]?.string)
            let account = Account(id: try #require(try user.json["account"]?.integer), token: token)
            let ticket = try #require(try wire.exchange("POST", "/events/tickets", as: account).json["ticket"]?.string)
            let stream = try EventStream(service, "/events?ticket=\(ticket)")
            #expect(stream.status == 200)
            _ = try wire.get("/catalog?query=something%20private")
            _ = try wire.get("/state?ticket=\(ticket)")
            try wire.send("GET /state HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(token) \(token)\r\n\r\n")
            _ = try wire.receive()
            let broken = try service.connect()
            try broken.send("GET /state HTTP/1.1\r\nAuthorization: Bearer \(token)\r\n\r\n")
            #expect(try broken.receive().status == 400)
            #expect(Self.lines("request", of: service, atLeast: 6).count >= 6)
            #expect(Self.lines("request refused", of: service, atLeast: 1).count == 1)
            for secret in [token, ticket, "correct horse", "private", "ada@example.com"] {
                #expect(!service.said.contains(secret), "the log tells \(secret)")
            }
            #expect(service.said.contains("/events?ticket=…"))
        }
    }
}
