import Foundation
import Testing

private let cheap = ["--identity-password-memory", "1", "--identity-password-passes", "1"]
/// Nothing that is asked of a service is answered while a test lasts.
private let silent = ["favorites", "payment", "profile", "loading"].flatMap { ["--shop-simulation-\($0)-delay", "600000"] }

/// `export`, `import` and `replay`, with the binary and its files.
@ServiceQueue @Suite struct `Accounts as files` {
    private func lines(_ text: String) throws -> [Value] {
        try text.split(separator: "\n").map { try Value(json: Array($0.utf8)) }
    }

    private func export(_ service: Service, _ options: [String] = [], to name: String = "export.ndjson") throws -> URL {
        let file = service.folder.appending(path: name)
        let result = try Service.run(["export", "--database", database(service.folder).path] + options + [file.path])
        #expect(result.end == .exit(0), "\(result.said)")
        return file
    }

    private func database(_ folder: URL, _ name: String = "storehouse.sqlite") -> URL { folder.appending(path: name) }

    /// A registered user of the shop with a past: cart, favourites, a search, a log-in.
    private func ada(_ wire: Wire) throws -> Account {
        let guest = try wire.openAccount()
        _ = try wire.act(#"{"type": "cart/addItem", "payload": {"productID": "dune", "quantity": 2}}"#, as: guest)
        let registered = try wire.register("ada@example.com", name: "Ada Lovelace", as: guest)
        let owner = Account(id: guest.id, token: try #require(try registered.json["token"]?.string))
        for action in [
            #"{"type": "favorites/toggle", "payload": {"productID": "solaris"}}"#,
            #"{"type": "catalog/search", "payload": {"query": "my own illness"}}"#,
            #"{"type": "profile/update", "payload": {"name": "Countess Lovelace"}}"#, #"{"type": "history/undo"}"#,
        ] {
            #expect(try wire.act(action, as: owner).status == 200)
        }
        return owner
    }

    @Test(arguments: ModelUnderTest.all) func `an export replays to the hashes it names, beside the live service`(
        _ model: ModelUnderTest
    ) throws {
        try withService(model: model.name) { service in
            let wire = try service.connect()
            let accounts = try (0..<3).map { _ in try wire.openAccount() }
            for number in 1...4 { for account in accounts { _ = try wire.act(model.action(number), as: account) } }
            let file = try export(service)
            let text = try String(contentsOf: file, encoding: .utf8)
            let records = try lines(text)
            #expect(records.first?["record"] == "export" && records.first?["model"]?.string == model.name)
            #expect(records.last == ["record": "done", "accounts": 3])
            #expect(records.count { $0["record"] == "action" } == 12)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)

            let replay = try Service.run(["replay", "--json", "--diff", file.path])
            #expect(replay.end == .exit(0), "\(replay.said)")
            let steps = try lines(replay.said)
            let recorded = records.filter { $0["record"] == "action" }.map { $0["hash"] }
            #expect(steps.filter { $0["end"] == nil }.map { $0["hash"] } == recorded)
            #expect(
                steps.filter { $0["end"] == true }.map { $0["hash"] }
                    == records.filter { $0["record"] == "end" }.map { $0["hash"] })
            #expect(steps.allSatisfy { $0["end"] == true || $0["agrees"] == true && $0["patch"]?.array?.isEmpty == false })

            let one = try export(service, ["--account", "2"], to: "one.ndjson")
            let until = try Service.run(["replay", "--json", "--state", "--until", "2", one.path])
            let end = try #require(try lines(until.said).last)
            #expect(end["revision"] == 2 && end["account"] == 2)
            let then = try wire.get("/state?revision=2", as: accounts[1]).json["state"]
            #expect(end["state"] == then)
        }
    }

    @Test func `an account moves to another database with owner, past and what waits`() throws {
        try withService(arguments: cheap + ["--shop-simulation-payment-delay", "600000"]) { service in
            let wire = try service.connect()
            let account = try ada(wire)
            #expect(try wire.act(#"{"type": "cart/checkout"}"#, as: account).status == 200)
            let guest = try wire.openAccount()
            // The payment does not end: what follows changes nothing any more.
            let before = try wire.settledState(of: account)
            let file = try export(service)
            let effects = try wire.get("/account/effects", as: account).json["effects"]
            let past = try wire.get("/state?revision=2", as: account)
            #expect(try service.end(by: SIGTERM) == .exit(0))

            let other = database(service.folder, "other.sqlite")
            let result = try Service.run(["import", "--tokens", "--json", "--database", other.path, file.path])
            #expect(result.end == .exit(0), "\(result.said)")
            let imported = try lines(result.said)
            #expect(imported.map { $0["account"]?.integer } == [account.id, guest.id])
            #expect(try Service.run(["verify", "--database", other.path]).end == .exit(0))
            let again = try Service.run(["import", "--database", other.path, file.path])
            #expect(
                again.end == .exit(1) && again.said.contains("has been given out") && again.said.contains("nothing was imported"))

            try service.start(arguments: cheap + ["--shop-simulation-payment-delay", "600000", "--database", other.path])
            let there = try service.connect()
            let moved = Account(id: account.id, token: try #require(imported[0]["token"]?.string))
            let after = try there.state(of: moved)
            #expect(after.revision == before.revision && after.state == before.state)
            #expect(after.tag?.split(separator: ".").first != before.tag?.split(separator: ".").first, "another epoch")
            #expect(try there.get("/account/effects", as: moved).json["effects"] == effects)
            #expect(try there.get("/state?revision=2", as: moved).json["state"] == past.json["state"])
            #expect(try there.signedIn("ada@example.com").id == account.id)
            #expect(try there.openAccount().id > guest.id)
        }
    }

    @Test func `a copy has a number of its own, and nothing that waits`() throws {
        try withService(arguments: cheap + ["--shop-simulation-payment-delay", "600000"]) { service in
            let wire = try service.connect()
            let account = try ada(wire)
            _ = try wire.act(#"{"type": "cart/checkout"}"#, as: account)
            let before = try wire.settledState(of: account)
            let file = try export(service)
            #expect(try service.end(by: SIGTERM) == .exit(0))
            let result = try Service.run(
                ["import", "--copy", "--tokens", "--json", "--database", database(service.folder).path, file.path])
            #expect(result.end == .exit(0), "\(result.said)")
            let imported = try #require(try lines(result.said).first)
            #expect(imported["original"]?.integer == account.id && imported["account"]?.integer == account.id + 1)

            try service.start(arguments: cheap)
            let there = try service.connect()
            let copy = Account(id: account.id + 1, token: try #require(imported["token"]?.string))
            let after = try there.state(of: copy)
            #expect(after.revision == before.revision && after.state["orders"] == before.state["orders"])
            #expect(after.state["cart"]?["status"] == "open" && before.state["cart"]?["status"] != "open")
            #expect(try there.get("/account/effects", as: copy).json["effects"] == [])
            #expect(try there.get("/account", as: copy).json["email"] == .null)
            #expect(try there.act(ModelUnderTest.shop.action(1), as: copy).status == 200)
        }
    }

    @Test func `a redacted export tells nothing of the person, and replays all the same`() throws {
        try withService(arguments: cheap + silent) { service in
            let wire = try service.connect()
            let account = try ada(wire)
            _ = try wire.act(#"{"type": "cart/checkout"}"#, as: account)
            let plain = try String(contentsOf: export(service), encoding: .utf8)
            let file = try export(service, ["--redact"], to: "redacted.ndjson")
            let text = try String(contentsOf: file, encoding: .utf8)
            for secret in ["ada@example.com", "Lovelace", "my own illness", "passwordHash", account.token] {
                #expect(!text.contains(secret), "\(secret)")
            }
            #expect(plain.contains("ada@example.com") && plain.contains("passwordHash") && !plain.contains(account.token))
            #expect(text.contains("redacted-1"))
            let (open, hidden) = (try lines(plain), try lines(text))
            #expect(open.map { $0["type"] } == hidden.map { $0["type"] })
            let replay = try Service.run(["replay", file.path])
            #expect(replay.end == .exit(0), "\(replay.said)")
            let end = try #require(hidden.last { $0["record"] == "end" }?["hash"]?.string)
            #expect(replay.said.contains(end))
        }
    }

    @Test func `what is no whole export is refused at its line, and nothing of it is kept`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let accounts = try (0..<2).map { _ in try wire.openAccount() }
            for account in accounts {
                for number in 1...3 { _ = try wire.act(ModelUnderTest.counter.action(number), as: account) }
            }
            let whole = try String(contentsOf: export(service), encoding: .utf8)
            let lines = whole.split(separator: "\n").map(String.init)
            try #require(lines.count == 12)
            func with(_ index: Int, _ line: String?) -> String {
                var changed = lines
                if let line { changed[index] = line } else { changed.remove(at: index) }
                return changed.joined(separator: "\n") + "\n"
            }
            let cases: [(text: String, said: String)] = [
                ("", "empty"), ("hello\n", "line 1"),
                (with(0, #"{"record":"export","version":2,"model":"counter","at":1}"#), "version 2"),
                (with(0, #"{"record":"export","version":1,"model":"library","at":1}"#), "library"), (with(0, nil), "line 1"),
                (with(3, nil), "revision 3 does not follow 1"),
                (with(3, lines[3].replacing("increase", with: "decrease")), "line 4"),
                (with(3, lines[3].replacing("counter/increase", with: "counter/explode")), "counter/explode"),
                (with(3, "{"), "line 4: it is not JSON"), (with(3, "[]"), "line 4: a line is an object"),
                (with(3, lines[3].replacing(#""at""#, with: #""ta""#)), "at is wanted"), (with(5, nil), "line 6"),
                (with(11, nil), "cut off"), (with(11, #"{"record":"done","accounts":1}"#), "2 were read"),
                (String(whole.dropLast(20)), "line 12"), (whole + lines[1] + "\n", "after the last line"),
                (with(8, ""), "line 9"),
                (with(6, lines[1]), "has been given out"),
            ]
            let target = database(service.folder, "target.sqlite")
            let file = service.folder.appending(path: "changed.ndjson")
            for (text, said) in cases {
                try Data(text.utf8).write(to: file)
                let result = try Service.run(["import", "--database", target.path, "--model", "counter", file.path])
                #expect(result.end == .exit(1) && result.said.contains(said), "\(said): \(result.said)")
                #expect(result.said.contains("nothing was imported"))
            }
            try Data(with(8, lines[8].replacing("increase", with: "decrease")).utf8).write(to: file)
            let replay = try Service.run(["replay", file.path])
            #expect(replay.end == .exit(1) && replay.said.contains("account 2, revision 2"), "\(replay.said)")

            // Every attempt left the target as it was: the whole export goes in as into a new database.
            let verified = try Service.run(["verify", "--json", "--database", target.path])
            #expect(try Value(json: Array(verified.said.utf8))["accounts"] == 0)
        }
    }

    @Test func `options that make no sense are named`() throws {
        try withService(model: "counter") { service in
            let path = database(service.folder).path
            #expect(try Service.run(["export", "--database", path, "--account", "x"]).end == .exit(64))
            let missing = try Service.run([
                "export", "--database", path, "--account", "7", service.folder.appending(path: "a").path,
            ])
            #expect(missing.end == .exit(1) && missing.said.contains("no account 7"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: service.folder.path).allSatisfy { !$0.hasPrefix("a") })
            #expect(try Service.run(["replay"]).end == .exit(64))
            #expect(try Service.run(["replay", "/nowhere/at/all"]).end == .exit(1))
            let file = try export(service)
            #expect(try Service.run(["export", "--database", path, file.path]).said.contains("there already"))
            #expect(try Service.run(["replay", "--until", "-1", file.path]).end == .exit(64))
            let live = try Service.run(["import", "--database", path, file.path])
            #expect(live.end == .exit(1) && live.said.contains("\(service.processID)"), "\(live.said)")
        }
    }
}
