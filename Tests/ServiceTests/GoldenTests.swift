import Foundation
import Testing

/// Databases as every past version left them (`Tests/Golden/make.py` made them): today's service opens each, and every state is the same bytes.
@ServiceQueue @Suite struct `Databases of past versions` {
    private nonisolated static let golden = Service.checkout.appending(path: "Tests/Golden")

    /// `VERSION/NAME` of each that is kept.
    nonisolated static let all: [String] = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: golden.path)) ?? []
        return versions.sorted().flatMap { version in
            let folder = golden.appending(path: version).path
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.sorted().map { "\(version)/\($0)" }
        }
    }()

    @Test func `are kept: both models, and one as a kill -9 left it`() {
        #expect(
            Set(Self.all).isSuperset(
                of: ["schema-1", "schema-2", "schema-3"].flatMap { ["\($0)/counter", "\($0)/shop", "\($0)/crash"] }))
        for schema in ["schema-1", "schema-2", "schema-3"] {
            let log = Self.golden.appending(path: "\(schema)/crash/database-wal").path
            #expect((FileManager.default.contents(atPath: log)?.count ?? 0) > 4_096, "something is in the log alone")
        }
    }

    /// What is expected of one of its accounts.
    private struct Expected: Decodable {
        struct Account: Decodable {
            let account: Int64
            let state: String
            let token: String?
            let email: String?
            let password: String?
        }
        let model: String
        let accounts: [Account]
    }

    @Test(arguments: all) func `open, with every state as it was, and go on`(_ name: String) throws {
        let kept = Self.golden.appending(path: name)
        let expected = try JSONDecoder().decode(Expected.self, from: Data(contentsOf: kept.appending(path: "expected.json")))
        try withFolder { folder in
            for suffix in ["", "-wal", ".mark"] {
                let file = kept.appending(path: "database" + suffix)
                guard FileManager.default.fileExists(atPath: file.path) else { continue }
                try FileManager.default.copyItem(at: file, to: folder.appending(path: "storehouse.sqlite" + suffix))
            }
            let service = try Service(model: expected.model, arguments: [], folder: folder)
            defer { service.remove() }
            let wire = try service.connect()
            for account in expected.accounts {
                let known = Account(id: account.account, token: try token(of: account, over: wire))
                let body = Array(account.state.utf8)
                let then = try #require(try Value(json: body)["revision"]?.integer)
                // Signing in is a fact of its own: of an owner the state before it is compared.
                if account.token != nil { #expect(try wire.state(of: known).bytes == body) }
                #expect(try wire.get("/state?revision=\(then)", as: known).body == body)
                let model = try #require(ModelUnderTest.all.first { $0.name == expected.model })
                let head = try #require(try wire.act(model.action(1), as: known).json["revision"]?.integer)
                #expect(head > then)
                #expect(
                    try wire.log(of: known).compactMap { $0["revision"]?.integer } == Array(1...head), "the whole log is there")
            }
            #expect(try service.end(by: SIGTERM) == .exit(0))
            let verified = try Service.run([
                "verify", "--database", folder.appending(path: "storehouse.sqlite").path, "--model", expected.model,
            ])
            #expect(verified.end == .exit(0), "\(verified.said)")
        }
    }

    private func token(of account: Expected.Account, over wire: Wire) throws -> String {
        if let token = account.token { return token }
        let body = #"{"email": "\#(account.email ?? "")", "password": "\#(account.password ?? "")"}"#
        let answer = try wire.exchange("POST", "/sessions", body: Array(body.utf8))
        guard let token = try answer.json["token"]?.string else { throw UnexpectedAnswer(answer: answer) }
        return token
    }
}
