import Foundation
import Testing

/// How the process starts, ends, dies and comes back.
@ServiceQueue @Suite struct `The service's life` {
    @Test(arguments: [SIGTERM, SIGINT]) func `a signal drains it: the request in flight is answered, and it exits 0`(
        _ signal: Int32
    ) throws {
        try withService { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            // The head has been read and answered with 100 before the signal; the body's rest comes after it.
            let body = Array(ModelUnderTest.shop.action(1).utf8)
            let whole = request("POST", "/actions", as: account, fields: [("Expect", "100-continue")], body: body)
            try wire.send(Array(whole.dropLast(body.count)))
            #expect(String(decoding: try wire.receiveBytes(), as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
            try wire.send(Array(body.prefix(5)))
            service.send(signal: signal)
            try wire.send(Array(body.dropFirst(5)))
            let answer = try wire.receive()
            #expect(answer.status == 200)
            #expect(try service.waitForEnd() == .exit(0))

            try service.start()
            #expect(try service.connect().state(of: account).revision == 1)
        }
    }

    @Test func `a drain closes idle connections and takes no new ones`() throws {
        try withService { service in
            let idle = try service.connect()
            #expect(try idle.get("/healthz").status == 200)
            #expect(try service.end(by: SIGTERM) == .exit(0))
            try idle.expectClose()
            #expect(throws: Wire.Fault.self) { try service.connect() }
        }
    }

    @Test(arguments: ModelUnderTest.all) func `kill -9 loses no acknowledged action`(_ model: ModelUnderTest) throws {
        try withService(model: model.name) { service in
            let wire = try service.connect()
            let accounts = try (0..<3).map { _ in try wire.openAccount() }
            for number in 1...20 {
                for account in accounts { #expect(try wire.act(model.action(number), as: account).status == 200) }
            }
            let before = try accounts.map { try wire.state(of: $0).bytes }
            let logs = try accounts.map { try wire.log(of: $0) }
            #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))

            try service.start()
            let again = try service.connect()
            #expect(try accounts.map { try again.state(of: $0).bytes } == before)
            #expect(try accounts.map { try again.log(of: $0) } == logs)
            #expect(try again.act(model.action(21), as: accounts[0]).json["revision"] == 21)
            #expect(try again.openAccount().id > accounts.map(\.id).max() ?? 0)
        }
    }

    @Test func `a delayed effect survives a restart`() throws {
        try withService(model: "counter") { service in
            let wire = try service.connect()
            let account = try wire.openAccount()
            #expect(try wire.act(#"{"type": "counter/asyncIncrease"}"#, as: account).status == 200)
            // At its revision, since by now the delay may be over.
            #expect(try wire.get("/state?revision=1", as: account).json["state"] == ["value": 0])
            #expect(try service.end(by: SIGKILL) == .signal(SIGKILL))

            try service.start()
            let again = try service.connect()
            let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
            while try again.state(of: account).state != ["value": 1], ContinuousClock.now < deadline {}
            #expect(try again.state(of: account).state == ["value": 1])
            // The fact is in the log beside the intention that led to it, once.
            #expect(try again.log(of: account).count == 2)
        }
    }

    @Test func `a second process on the same database fails at once and names the holder`() throws {
        try withService { service in
            let arguments = Service.arguments(model: "shop", folder: service.folder)
            let second = try Service.run(arguments)
            #expect(second.end == .exit(1))
            #expect(second.said.contains("\(service.processID)"), "\(second.said)")
            #expect(try service.connect().get("/healthz").status == 200)
        }
    }

    @Test func `a database of another model is refused`() throws {
        try withService(model: "shop") { service in
            #expect(try service.end(by: SIGTERM) == .exit(0))
            let other = try Service.run(Service.arguments(model: "counter", folder: service.folder))
            #expect(other.end == .exit(78))
            #expect(other.said.contains("shop"))
            try service.start()
            #expect(try service.connect().get("/healthz").status == 200)
        }
    }

    @Test(
        arguments: [
            (["serve", "--prot", "8080"], 64, "--port"), (["serve", "--port", "eighty"], 78, "--port"), (["srve"], 64, "serve"),
            (["serve", "--model", "library"], 78, "shop"),
            (["serve", "--config", "/nowhere/at/all.json"], 78, "/nowhere/at/all.json"),
        ] as [([String], Int32, String)])
    func `what the command line gets wrong is named, and nothing is opened`(
        _ arguments: [String], _ status: Int32, _ named: String
    ) throws {
        try withFolder { folder in
            let database = folder.appending(path: "storehouse.sqlite")
            let result = try Service.run(arguments + (arguments[0] == "serve" ? ["--database", database.path] : []))
            #expect(result.end == .exit(status), "\(result.said)")
            #expect(result.said.contains(named), "\(result.said)")
            #expect(!FileManager.default.fileExists(atPath: database.path))
        }
    }

    @Test func `an unknown key of the configuration names the nearest`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "storehouse.json")
            try Data(#"{"prot": 8080}"#.utf8).write(to: file)
            let result = try Service.run(Service.arguments(model: "shop", folder: folder) + ["--config", file.path])
            #expect(result.end == .exit(78))
            #expect(result.said.contains("prot") && result.said.contains("port"), "\(result.said)")
        }
    }

    @Test func `a port that is taken is named`() throws {
        try withService { service in
            let result = try withFolder { folder in
                try Service.run([
                    "serve", "--host", "127.0.0.1", "--port", "\(service.port)", "--database",
                    folder.appending(path: "a.sqlite").path,
                ])
            }
            #expect(result.end == .exit(1))
            #expect(result.said.contains("\(service.port)"), "\(result.said)")
        }
    }
}
