import Foundation
import Testing

/// Delayed effects of the counter: rows with a due time, which neither a stop nor kill -9 takes away.
@ServiceQueue @Suite struct `A durable timer` {
    private func log(_ wire: Wire, _ account: Account) throws -> [String] {
        try wire.log(of: account).compactMap { $0["type"]?.string }
    }

    private func waitForRevision(_ revision: Int64, _ wire: Wire, _ account: Account) throws {
        let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
        while try wire.state(of: account).revision < revision, ContinuousClock.now < deadline {}
    }

    @Test func `survives kill -9 and fires once, late rather than never`() throws {
        try withService(model: "counter") { service in
            var wire = try service.connect()
            let account = try wire.openAccount()
            let both = #"[{"type": "counter/asyncIncrease"}, {"type": "counter/asyncDecrease"}]"#
            #expect(try wire.act(both, as: account).status == 200)
            #expect(try wire.act(#"{"type": "counter/asyncIncrease"}"#, as: account).status == 200)
            #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))
            try service.start()
            wire = try service.connect()
            try waitForRevision(6, wire, account)
            // Each once, in whichever order: those that fall due while nobody runs them are all run at once.
            let facts = try log(wire, account).filter { $0 == "counter/decreased" || $0 == "counter/increased" }
            #expect(facts.sorted() == ["counter/decreased", "counter/increased", "counter/increased"])
            #expect(try wire.state(of: account).state["value"] == 1)
            // Nothing is left that could fire again.
            #expect(try wire.get("/account", as: account).json["sizes"]?["outbox"] == 0)
            #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))
            try service.start()
            wire = try service.connect()
            #expect(try wire.act(#"{"type": "counter/increase"}"#, as: account).json["revision"] == 7)
        }
    }

    @Test func `a thousand of one account pend across kill -9, and each fires once`() throws {
        try withService(model: "counter") { service in
            var wire = try service.connect()
            let account = try wire.openAccount()
            let hundred = "[" + Array(repeating: #"{"type": "counter/asyncIncrease"}"#, count: 100).joined(separator: ",") + "]"
            for _ in 0..<10 { #expect(try wire.act(hundred, as: account).status == 200) }
            #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))
            try service.start()
            wire = try service.connect()
            try waitForRevision(2_000, wire, account)
            let (revision, state, _, _) = try wire.state(of: account)
            #expect(revision == 2_000)
            #expect(state["value"] == 1_000)
            #expect(try wire.get("/account", as: account).json["sizes"]?["outbox"] == 0)
        }
    }
}
