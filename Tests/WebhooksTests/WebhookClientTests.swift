import Foundation
import Sodium
import Testing

@testable import Webhooks

@Suite(.timeLimit(.minutes(10))) struct `A webhook call` {
    private static func answer(_ status: String, fields: String = "", _ body: String = "{}") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(fields)\r\n\(body)"
    }

    /// Calls a server with a script, and gives the outcomes of so many calls.
    private func outcomes(
        _ server: ScriptedServer, count: Int = 1, secret: [UInt8]? = nil,
        _ change: (inout WebhookClient.Limits) -> Void = { _ in }
    ) async throws -> [WebhookOutcome] {
        defer { server.end() }
        var limits = WebhookClient.Limits()
        change(&limits)
        let client = WebhookClient(limits: limits, secret: secret)
        defer { client.close() }
        let address = try WebhookAddress("http://127.0.0.1:\(server.port)/pay?shop=1", allowedHosts: ["127.0.0.1"])
        var outcomes: [WebhookOutcome] = []
        for attempt in 1...count {
            outcomes.append(
                try await client.post(
                    WebhookCall(to: address, body: Array(#"{"amount":1}"#.utf8), idempotencyKey: "7.1.0.ab", attempt: attempt)))
        }
        return outcomes
    }

    @Test func `posts JSON with key, trace and signature`() async throws {
        let server = try ScriptedServer(.send(Self.answer("201 Created")))
        let secret = Array("secret".utf8)
        #expect(try await outcomes(server, secret: secret) == [.done])
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("POST /pay?shop=1 HTTP/1.1\r\n"))
        #expect(request.hasSuffix("\r\n\r\n{\"amount\":1}"))
        let fields = Dictionary(
            request.split(separator: "\r\n").dropFirst().compactMap { line in
                line.firstIndex(of: ":").map {
                    (line[..<$0].lowercased(), line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces))
                }
            }, uniquingKeysWith: { first, _ in first })
        #expect(fields["content-type"] == "application/json")
        #expect(fields["idempotency-key"] == "\"7.1.0.ab\"")
        #expect(fields["traceparent"]?.wholeMatch(of: /00-[0-9a-f]{32}-[0-9a-f]{16}-01/) != nil)
        let signature = try #require(fields["storehouse-signature"]?.wholeMatch(of: /t=(\d+),v1=([0-9a-f]{64})/))
        let code = MessageCode.sha256(Array("\(signature.1).7.1.0.ab.{\"amount\":1}".utf8), key: secret)
        #expect(hexadecimal(code) == String(signature.2))
    }

    @Test func `is refused by a 4xx, with the reason it gives`() async throws {
        let server = try ScriptedServer(
            .send(Self.answer("402 Payment Required", #"{"reason": "The card is expired."}"#)),
            .send(Self.answer("422 Unprocessable Content", #"{"title": "No", "detail": "Too much."}"#)),
            .send(Self.answer("404 Not Found", "<html>")))
        #expect(
            try await outcomes(server, count: 3) == [
                .refused(reason: "The card is expired."), .refused(reason: "Too much."),
                .refused(reason: "The service refused it (404)."),
            ])
    }

    @Test func `that stalls is given up in time, its outcome unknown`() async throws {
        let outcomes = try await outcomes(ScriptedServer(.stall)) { $0.milliseconds = 100 }
        #expect(outcomes == [.unknown(reason: "The service does not answer.", retryAfter: nil)])
    }

    @Test func `that is reset, closed early or answered wrongly has no known outcome`() async throws {
        let server = try ScriptedServer(
            .reset, .send(""), .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"), .send("220 mail.example.com ESMTP\r\n"))
        for outcome in try await outcomes(server, count: 4, { $0.milliseconds = 2_000 }) {
            guard case .unknown = outcome else {
                Issue.record("\(outcome)")
                continue
            }
        }
    }

    @Test func `that nobody listens to has no known outcome`() async throws {
        let server = try ScriptedServer()
        server.end()
        #expect(try await outcomes(server) == [.unknown(reason: "The service does not answer.", retryAfter: nil)])
    }

    @Test func `an answer twice is one answer`() async throws {
        let twice = Self.answer("200 OK") + Self.answer("500 Internal Server Error")
        #expect(try await outcomes(ScriptedServer(.send(twice))) == [.done])
    }

    @Test func `an answer beyond its bound is none`() async throws {
        let server = try ScriptedServer(
            .flood(head: "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n", bytes: 100_000_000),
            .flood(head: "HTTP/1.1 200 OK\r\n\r\n", bytes: 1_000_000))
        for outcome in try await outcomes(server, count: 2, { $0.responseBytesMax = 1_000 }) {
            #expect(outcome == .unknown(reason: "The service's answer is too large.", retryAfter: nil))
        }
    }

    @Test func `a redirect is not followed`() async throws {
        let other = try ScriptedServer(.send(Self.answer("200 OK")))
        defer { other.end() }
        let server = try ScriptedServer(
            .send(Self.answer("307 Temporary Redirect", fields: "Location: http://127.0.0.1:\(other.port)/\r\n")))
        #expect(try await outcomes(server) == [.unknown(reason: "The service answered 307.", retryAfter: nil)])
        #expect(other.requests.isEmpty)
    }

    @Test(
        arguments: [
            (200, nil, .done), (204, nil, .done), (408, nil, nil), (409, "3", 3_000), (425, nil, nil), (429, "60", 60_000),
            (500, nil, nil), (503, "5", 5_000), (503, "-1", nil), (503, "soon", nil), (503, "999999999", 86_400_000),
            (301, nil, nil), (503, "Sun, 06 Nov 1994 08:49:37 GMT", 37_000), (503, "Sun, 06 Nov 1994 08:48:00 GMT", 0),
            (503, "Fri, 01 Mar 1996 00:00:00 GMT", 86_400_000), (503, "Sun, 06 Nov 1994 08:49:37 CET", nil),
            (503, "Sunday, 06-Nov-94 08:49:37 GMT", nil), (503, "Sun, 06 Nov 1994 8h49 GMT", nil),
        ] as [(Int, String?, Wait)])
    func `what a status means`(_ status: Int, _ retryAfter: String?, _ wait: Wait) {
        // Sun, 06 Nov 1994 08:49:00 GMT
        let outcome = WebhookOutcome(
            status: status, wait: RetryAfter.milliseconds(retryAfter, now: 784_111_740), reason: nil)
        switch wait {
        case .done: #expect(outcome == .done)
        case .after(let milliseconds):
            #expect(outcome == .unknown(reason: "The service answered \(status).", retryAfter: milliseconds))
        }
    }

    /// What the table expects: it is done, or to be tried again, no sooner than asked.
    enum Wait: Sendable, ExpressibleByNilLiteral, ExpressibleByIntegerLiteral {
        case done
        case after(Int64?)

        init(nilLiteral: ()) { self = .after(nil) }
        init(integerLiteral value: Int64) { self = .after(value) }
    }

    @Test(arguments: [
        "http://evil.example/", "ftp://127.0.0.1/", "127.0.0.1", "", "http://user:secret@127.0.0.1/", "http:///pay",
        "http://127.0.0.1.evil.example/",
    ])
    func `an address that is not allowed is refused`(_ text: String) {
        #expect(throws: WebhookAddress.Fault.self) { try WebhookAddress(text, allowedHosts: ["127.0.0.1", "localhost"]) }
    }

    @Test(arguments: [
        "ftp://user:secret@127.0.0.1/", "http://user:secret@127.0.0.1/", "http://user:se cret@", "user:secret@host",
    ])
    func `an address that is refused shows no password`(_ text: String) {
        let fault = #expect(throws: WebhookAddress.Fault.self) { try WebhookAddress(text, allowedHosts: ["127.0.0.1"]) }
        #expect(fault.map { !$0.sentence.contains("secret") && !$0.sentence.contains("cret@") } == true)
    }

    @Test func `every attempt has one trace and a span of its own`() throws {
        let address = try WebhookAddress("http://localhost/", allowedHosts: ["LocalHost"])
        let parents = (1...2).map { WebhookCall(to: address, body: [], idempotencyKey: "k", attempt: $0).traceparent }
        #expect(parents[0].prefix(36) == parents[1].prefix(36))
        #expect(parents[0] != parents[1])
    }

    @Test func `a call goes on with the trace of the request that led to it`() throws {
        let address = try WebhookAddress("http://localhost/", allowedHosts: ["localhost"])
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"
        let parent = WebhookCall(to: address, body: [], idempotencyKey: "k", attempt: 1, trace: trace).traceparent
        #expect(parent.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") && parent.hasSuffix("-00"))
        #expect(!parent.contains("00f067aa0ba902b7"), "the span is the call's own")
    }
}
