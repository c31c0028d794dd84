import Foundation
import Testing

/// What the service tells those who run it: metrics, readiness.
@ServiceQueue @Suite struct `Metrics and readiness` {
    static func scrape(_ wire: Wire) throws -> Exposition {
        let answer = try wire.get("/metrics")
        #expect(answer.status == 200)
        #expect(answer.field("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        return try Exposition(String(decoding: answer.body, as: UTF8.self))
    }

    @Test(arguments: ModelUnderTest.all) func `metrics keep Prometheus' rules and count what happens`(_ model: ModelUnderTest)
        throws
    {
        try withService(model: model.name) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            for number in 1...3 { _ = try wire.act(model.action(number), as: account) }
            _ = try wire.act(model.refused.action, as: account)
            _ = try wire.get("/state", as: account)
            _ = try wire.get("/nowhere")
            let metrics = try Self.scrape(wire)
            let requests = "storehouse_http_requests_total"
            #expect(metrics.value(requests, ["method": "POST", "route": "/actions", "status": "200"]) == 3)
            #expect(metrics.value(requests, ["method": "POST", "route": "/actions", "status": "\(model.refused.status)"]) == 1)
            #expect(metrics.value(requests, ["method": "GET", "route": "/state", "status": "200"]) == 1)
            #expect(metrics.value(requests, ["method": "none", "route": "none", "status": "404"]) == 1)
            #expect(
                metrics.value("storehouse_http_request_duration_seconds_count", ["method": "POST", "route": "/actions"]) == 4)
            #expect(metrics.value("storehouse_actions_committed_total") == 3)
            #expect(metrics.value("storehouse_mailbox_actions") == 0)
            #expect(metrics.value("storehouse_stores_in_memory") == 1)
            #expect(metrics.value("storehouse_commit_duration_seconds_count") ?? 0 >= 4)
            #expect(metrics.value("storehouse_commit_batch_writes_sum") ?? 0 >= 4)
            #expect(metrics.value("storehouse_database_bytes") ?? 0 > 4096)
            #expect(metrics.value("storehouse_wal_bytes") ?? 0 > 4096)
            #expect(metrics.value("storehouse_http_connections") == 1)
            #expect(metrics.value("storehouse_stream_followers") == 0)
            #expect(metrics.value("storehouse_accounts_quarantined") == 0)
            #expect(metrics.value("process_resident_memory_bytes") ?? 0 > 1e6)
            #expect(metrics.value("process_start_time_seconds") ?? 0 > 1.6e9)
            #expect(metrics.value("process_cpu_seconds_total") ?? -1 >= 0)
            // Every series again, with the same names and labels, and nothing of the account in them.
            let again = try Self.scrape(wire)
            #expect(Set(metrics.families.keys) == Set(again.families.keys))
            for family in again.families.values {
                for sample in family.samples where sample.labels.values.contains("\(account.id)") && sample.labels["le"] == nil {
                    Issue.record("\(sample) names an account")
                }
            }
        }
    }

    @Test func `streams are followers, and count when they begin`() throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let stream = try EventStream(service, "/events", as: account)
            #expect(stream.status == 200)
            _ = try stream.next()
            let metrics = try Self.scrape(wire)
            #expect(metrics.value("storehouse_stream_followers") == 1)
            #expect(metrics.value("storehouse_http_requests_total", ["method": "GET", "route": "/events", "status": "200"]) == 1)
        }
    }

    @Test func `readiness lists its checks, and ends where the disk has no room`() throws {
        try withService { service in
            let wire = try service.connect()
            #expect(try wire.get("/readyz").status == 200)
            let verbose = try wire.get("/readyz?verbose")
            #expect(
                String(decoding: verbose.body, as: UTF8.self) == "[+] draining\n[+] writer\n[+] database file\n[+] disk space\n")
        }
        try withService(arguments: ["--storage-free-bytes-min", "1125899906842624"]) { service in
            let wire = try service.connect()
            let full = try wire.exchange("POST", "/accounts")
            #expect(full.problem == "storage-full" && full.status == 507)
            let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
            while try wire.get("/readyz").status != 503, ContinuousClock.now < deadline {}
            let unready = try wire.get("/readyz")
            #expect(unready.problem == "unavailable" && unready.field("Retry-After") == "1")
            #expect(try wire.get("/readyz?verbose").status == 503)
            #expect(try wire.get("/healthz").status == 200)
            #expect(try Self.scrape(wire).value("storehouse_disk_full") == 1)
        }
    }

    @Test func `readiness ends when the drain begins`() throws {
        try withService { service in
            let wire = try service.connect()
            // What is half received when the signal comes is still answered; it is there, since it came with what has been answered.
            let half = "GET /readyz HTTP/1.1\r\nHost: service.test\r\n"
            try wire.send("GET /healthz HTTP/1.1\r\nHost: service.test\r\n\r\n" + half)
            _ = try wire.receive()
            service.send(signal: SIGTERM)
            let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
            while !service.said.contains("stopping"), ContinuousClock.now < deadline {}
            try wire.send("\r\n")
            let answer = try wire.receive()
            #expect(answer.status == 503 && answer.problem == "unavailable")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("draining"))
            #expect(try service.waitForEnd() == .exit(0))
        }
    }

    @Test(arguments: [
        "a 1\n", "# HELP a b\n# TYPE a counter\na 1\n", "# HELP a b\n# TYPE a gauge\na{x=\"1\"} 1\na{x=\"1\"} 2\n",
        "# TYPE a gauge\na 1\n",
        "# HELP a b\n# TYPE a gauge\na one\n", "# HELP a b\n# TYPE a gauge\na{x=1} 1\n", "# HELP a b\n# TYPE a gauge\na 1",
        "# HELP a b\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
    ]) func `the parser is strict`(_ text: String) {
        #expect(throws: Exposition.Fault.self) { try Exposition(text) }
    }
}

/// Refusals that protect the service, as a client sees them.
@ServiceQueue @Suite struct `Overload` {
    @Test func `an account that is too fast gets 429 and the time to wait`() throws {
        try withService(model: "counter", arguments: ["--accounts-actions-per-second", "0.01", "--accounts-actions-burst", "2"]) {
            service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let increase = #"{"type": "counter/increase"}"#
            #expect(try wire.act(increase, as: account).status == 200)
            #expect(try wire.act(increase, as: account, fields: [("Idempotency-Key", "a")]).status == 200)
            let refused = try wire.act(increase, as: account)
            #expect(refused.status == 429 && refused.problem == "rate-limited")
            let seconds = try #require(refused.field("Retry-After").flatMap(Int.init))
            #expect((1...100).contains(seconds))
            #expect(
                try wire.act(increase, as: account, fields: [("Idempotency-Key", "a")]).field("Idempotency-Replayed") == "true")
            #expect(try wire.state(of: account).revision == 2)
            let other = try wire.openAccount()
            #expect(try wire.act(increase, as: other).status == 200)
        }
    }

    @Test func `what does not fit the mailbox or the backlog gets 503, and is not performed`() throws {
        let arguments = [["--accounts-mailbox", "1"], ["--accounts-waiting-actions", "1", "--loops", "1"]]
        for arguments in arguments {
            try withService(model: "counter", arguments: arguments) { service in
                let wire = try service.connect()
                let account = try wire.openAccount()
                let body = Array(#"{"type": "counter/increase"}"#.utf8)
                // In one segment, and so in one turn of the loop.
                try wire.send((1...8).flatMap { _ in request("POST", "/actions", as: account, body: body) })
                let answers = try (1...8).map { _ in try wire.receive() }
                let taken = answers.filter { $0.status == 200 }.count
                let refused = answers.filter { $0.status == 503 }
                #expect(taken >= 1 && taken + refused.count == 8 && !refused.isEmpty, "\(answers.map(\.status))")
                for answer in refused { #expect(answer.problem == "overloaded" && answer.field("Retry-After") == "1") }
                #expect(try wire.state(of: account).revision == Int64(taken))
            }
        }
    }
}
