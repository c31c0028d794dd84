import Foundation
import Testing

@ServiceQueue @Suite struct `An account with as many effects waiting as it may` {
    /// Longer than any test: a save does not come to an end.
    private let stalled = ["--shop-simulation-favorites-delay", "600000", "--effects-waiting-per-account", "1"]

    private func toggle(_ product: String) -> String { #"{"type": "favorites/toggle", "payload": {"productID": "\#(product)"}}"# }
    private let search = #"{"type": "catalog/search", "payload": {"query": "tea"}}"#

    @Test func `is refused more of them with 429, also after kill -9, until one is done; all else goes on`() throws {
        try withService(arguments: stalled) { service in
            var wire = try service.connect()
            let account = try wire.openAccount()
            #expect(try wire.act(toggle("dune"), as: account).status == 200)
            let before = try wire.state(of: account)
            let refused = try wire.act(toggle("solaris"), as: account)
            #expect(refused.status == 429 && refused.problem == "too-many-effects")
            #expect(refused.field("Retry-After") == "60")
            let batch = try wire.act("[\(search), \(toggle("solaris"))]", as: account)
            #expect(batch.status == 429 && batch.problem == "too-many-effects")
            #expect(try batch.json["index"] == 1)
            let dry = try wire.exchange("POST", "/actions?dryRun=true", as: account, body: Array(toggle("solaris").utf8))
            #expect(dry.status == 429 && dry.problem == "too-many-effects")
            #expect(try wire.state(of: account).bytes == before.bytes)
            #expect(try wire.log(of: account).count == 1)
            #expect(try wire.get("/account", as: account).json["sizes"]?["outbox"] == 1)
            #expect(try wire.act(search, as: account).json["revision"] == 2)

            #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))
            try service.start(arguments: stalled)
            wire = try service.connect()
            #expect(try wire.act(toggle("solaris"), as: account).status == 429)
            #expect(try wire.act(search, as: account).json["revision"] == 3)
            #expect(try service.end(by: SIGTERM) == .exit(0))

            try service.start(arguments: ["--effects-waiting-per-account", "1", "--shop-simulation-favorites-delay", "0"])
            wire = try service.connect()
            _ = try wire.settledState(of: account)
            #expect(try wire.act(toggle("solaris"), as: account).status == 200)
        }
    }
}
