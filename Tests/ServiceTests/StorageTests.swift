import Foundation
import Testing

/// What the service does about its files: refuses the wrong ones, sets damage apart, keeps its word through stops of every kind.
@ServiceQueue @Suite struct `The database and the service` {
    // MARK: What is refused

    /// A file that is not what it should be, and what is said of it.
    struct Wrong: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let said: String
        /// Changes a sound database, by its path.
        let change: @Sendable (String) throws -> Void

        init(_ name: String, _ said: String, _ change: @escaping @Sendable (String) throws -> Void) {
            (testDescription, self.said, self.change) = (name, said, change)
        }

        static func edit(_ path: String, _ body: (inout Data) -> Void) throws {
            var bytes = try Data(contentsOf: URL(filePath: path))
            body(&bytes)
            try bytes.write(to: URL(filePath: path))
        }

        static let all = [
            Wrong("a newer schema", "newer version") { path in try edit(path) { $0[62] = 9 } },
            Wrong("another application's database", "another application") { path in try edit(path) { $0[68] ^= 1 } },
            Wrong("a text file", "not an SQLite database") { path in try Data("hello\n".utf8).write(to: URL(filePath: path)) },
            Wrong("an empty file", "empty") { path in try Data().write(to: URL(filePath: path)) },
            Wrong("a truncated file", "cut off") { path in try edit(path) { $0.removeSubrange(($0.count / 2)...) } },
            Wrong("a flipped bit in the first page", "damaged") { path in try edit(path) { $0[100] ^= 0x80 } },
            Wrong("a folder", "folder") { path in
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            },
            Wrong("nothing, where there was one", "gone") { path in try FileManager.default.removeItem(atPath: path) },
        ]
    }

    @Test(arguments: Wrong.all) func `a wrong file is refused, says why, and is left as it was`(_ wrong: Wrong) throws {
        try withService { service in
            _ = try service.connect().openAccount()
            #expect(try service.end(by: SIGTERM) == .exit(0))
            let path = service.folder.appending(path: "storehouse.sqlite").path
            try wrong.change(path)
            let before = FileManager.default.contents(atPath: path)
            let result = try Service.run(Service.arguments(model: "shop", folder: service.folder))
            #expect(result.end == .exit(1) || result.end == .exit(78))
            #expect(result.said.contains(wrong.said), "\(result.said)")
            #expect(FileManager.default.contents(atPath: path) == before)
        }
    }

    @Test func `a path that cannot be written is refused`() throws {
        let result = try Service.run(["serve", "--port", "0", "--database", "/proc/nowhere/storehouse.sqlite"])
        #expect(result.end == .exit(1))
        #expect(result.said.contains("/proc/nowhere"), "\(result.said)")
    }

    // MARK: What is set apart

    @Test func `an account whose log was changed is set aside and named; no other is touched`() throws {
        try withService { service in
            var wire = try service.connect()
            let (damaged, sound) = (try wire.openAccount(), try wire.openAccount())
            for word in ["heron", "zebra", "egret"] {
                let action = #"{"type": "catalog/search", "payload": {"query": "\#(word) stripes"}}"#
                #expect(try wire.act(action, as: damaged).status == 200)
            }
            #expect(try wire.act(ModelUnderTest.shop.action(1), as: sound).status == 200)
            // Killed twice: the second start moves the log into the file, so that the change is not covered by it.
            for _ in 0..<2 {
                #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))
                try service.start()
            }
            #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))
            let path = service.folder.appending(path: "storehouse.sqlite").path
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try Wrong.edit(path) { bytes in
                while let found = bytes.range(of: Data("zebra".utf8)) { bytes[found.lowerBound] = UInt8(ascii: "Z") }
            }
            try service.start()
            wire = try service.connect()
            for target in ["/state", "/state", "/views/cart", "/actions", "/actions/2", "/state?revision=2"] {
                let answer = try wire.get(target, as: damaged)
                #expect(answer.status == 500 && answer.problem == "account-unreadable", "\(target)")
            }
            // It can be read as far as it is sound, and nothing is written.
            #expect(try wire.get("/actions/1", as: damaged).json["revision"] == 1)
            #expect(try wire.get("/state?revision=1", as: damaged).json["revision"] == 1)
            #expect(try wire.get("/account", as: damaged).json["revision"] == 3)
            #expect(try wire.act(ModelUnderTest.shop.action(2), as: damaged).problem == "account-unreadable")
            #expect(
                try wire.get("/state", as: Account(id: damaged.id, token: sound.token)).status == 200,
                "the token names the account")
            #expect(try wire.state(of: sound).revision == 1)
            #expect(try wire.act(ModelUnderTest.shop.action(2), as: sound).status == 200)
            let verified = try Service.run(["verify", "--database", path])
            #expect(verified.end == .exit(1))
            #expect(verified.said.contains("account \(damaged.id), revision 2"), "\(verified.said)")
            #expect(!verified.said.contains("account \(sound.id),"), "\(verified.said)")
            // Its owner can be rid of it, and then nothing of it is left.
            #expect(try wire.exchange("DELETE", "/account", as: damaged).status == 204)
            #expect(try wire.get("/state", as: damaged).status == 401)
            #expect(try wire.state(of: sound).revision == 2)
            #expect(try Service.run(["verify", "--database", path]).end == .exit(0))
        }
    }

    // MARK: What it lives through

    @Test func `a stopped process goes on where it was: nothing is lost, and a delayed effect runs once`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            #expect(try wire.act(#"{"type": "counter/asyncIncrease"}"#, as: account).status == 200)
            service.send(signal: SIGSTOP)
            // What comes meanwhile waits in the socket, past the moment at which the effect falls due.
            try wire.send(request("POST", "/actions", as: account, body: Array(#"{"type": "counter/increase"}"#.utf8)))
            let due = ContinuousClock.now + .milliseconds(1_200)
            while ContinuousClock.now < due { sched_yield() }
            service.send(signal: SIGCONT)
            #expect(try wire.receive().status == 200)
            let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
            while try wire.state(of: account).state != ["value": 2], ContinuousClock.now < deadline {}
            #expect(try wire.log(of: account).map { $0["type"]?.string }.filter { $0 == "counter/increased" }.count == 1)
            #expect(try wire.state(of: account).revision == 3)
        }
    }

    @Test func `a backup that is killed leaves nothing under the backup's name, or a whole one`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            for number in 1...30 { _ = try wire.act(ModelUnderTest.counter.action(number), as: account) }
            let path = service.folder.appending(path: "storehouse.sqlite").path
            var whole = 0
            for attempt in 0..<12 {
                let copy = service.folder.appending(path: "copy-\(attempt)").path
                let child = try Child(["backup", copy, "--database", path])
                for _ in 0..<attempt * attempt * 40 { sched_yield() }
                child.kill(SIGKILL)
                _ = child.waitUntilEnded()
                guard FileManager.default.fileExists(atPath: copy) else { continue }
                whole += 1
                #expect(try Service.run(["verify", "--database", copy]).end == .exit(0))
            }
            let copy = service.folder.appending(path: "copy").path
            #expect(
                try Service.run(["backup", copy, "--database", path]).end == .exit(0), "what a killed one left is not in the way")
            #expect(try Service.run(["verify", "--database", copy]).end == .exit(0))
            #expect(try wire.act(ModelUnderTest.counter.action(31), as: account).json["revision"] == 31)
        }
    }

    @Test func `what retention has let go is said to be gone`() throws {
        try withService(model: "counter", arguments: ["--retention-actions", "100"]) { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            let batch = "[" + Array(repeating: #"{"type": "counter/increase"}"#, count: 100).joined(separator: ",") + "]"
            for _ in 0..<6 { #expect(try wire.act(batch, as: account).status == 200) }
            let page = try wire.get("/actions?limit=1", as: account).json
            let oldest = try #require(page["oldest"]?.integer)
            #expect(oldest > 1 && oldest <= 501)
            #expect(page["actions"]?[0]?["revision"] == .integer(oldest))
            #expect(try wire.get("/actions/\(oldest)", as: account).status == 200)
            for target in ["/actions/1", "/state?revision=1", "/state/diff?from=1&to=600"] {
                let answer = try wire.get(target, as: account)
                #expect(answer.status == 410 && answer.problem == "history-unavailable", "\(target)")
            }
            #expect(try wire.get("/actions/601", as: account).problem == "revision-not-found")
            #expect(try wire.get("/state?revision=\(oldest)", as: account).json["state"] == ["value": .integer(oldest)])

            let epoch = try #require(try wire.get("/state", as: account).json["epoch"]?.string)
            let late = try EventStream(service, "/events", as: account, lastID: "\(epoch).1")
            let first = try late.next(2)
            #expect(first[0].name == "reset" && first[0].json?["reason"] == "trimmed")
            #expect(first[1].revision == 600)
            let early = try EventStream(service, "/events", as: account, lastID: "\(epoch).\(oldest)")
            #expect(try early.next()?.revision == oldest + 1)
        }
    }
}
