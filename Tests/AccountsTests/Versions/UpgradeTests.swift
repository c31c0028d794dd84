import Accounts
import Counter
import Foundation
import Persistence
import Redux
import Testing

/// A database of an older schema is brought up to date in one transaction for each version: whatever happens meanwhile, it is of one of them.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `Bringing a database up to date` {
    private static let golden = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Golden")

    private struct Expected: Decodable {
        struct Account: Decodable {
            let account: Int64
            let state: String
        }
        let accounts: [Account]
    }

    private func copy(_ schema: String) throws -> String {
        let folder = Bench<CounterModel>.newFolder()
        for suffix in ["", ".mark"] {
            try FileManager.default.copyItem(
                at: Self.golden.appending(path: "\(schema)/counter/database\(suffix)"),
                to: URL(filePath: "\(folder)/\(Copies.database)\(suffix)"))
        }
        return folder
    }

    private func compare(_ bench: Bench<CounterModel>, _ schema: String, _ comment: Comment) async throws {
        let expected = try JSONDecoder().decode(
            Expected.self, from: Data(contentsOf: Self.golden.appending(path: "\(schema)/counter/expected.json")))
        for account in expected.accounts {
            let handle = try await bench.open(#require(AccountID(rawValue: account.account))).get()
            #expect(String(decoding: try handle.published.body(), as: UTF8.self) == account.state, "\(comment)")
        }
    }

    @Test(arguments: [FaultyDisk.Operation.write, .sync], ["schema-1", "schema-2"])
    func `fails as a whole, leaves what was there, and succeeds the next time`(
        _ operation: FaultyDisk.Operation, _ schema: String
    ) async throws {
        var refusals = 0
        for number in 1...1_000 {
            let folder = try copy(schema)
            let disk = FaultyDisk(folder: folder)
            FaultyFileSystem.insert(disk)
            disk.arm(.init(operation: operation, failure: .error, number: number, lasts: false))
            let opened: Bench<CounterModel>?
            do { opened = try Bench(in: folder, environment: .init(), loops: 1) } catch is StorageFault { opened = nil }
            let hasFired = disk.fired > 0
            disk.heal()
            refusals += opened == nil ? 1 : 0
            await opened?.close()
            // Looked at from outside, as `migrate --check` does, in whichever schema it is.
            let whole = try Examination(
                CounterModel.self, of: Inspector.open(path: "\(folder)/\(Copies.database)", model: nil),
                asking: .agreesWithThisBuild)
            #expect(whole.findings == [] && whole.accounts == 3, "\(operation) \(number)")
            let again = try Bench<CounterModel>(in: folder, environment: .init(), loops: 1)
            try await compare(again, schema, "\(operation) \(number)")
            await again.end()
            FaultyFileSystem.remove(disk)
            guard hasFired else { break }
        }
        #expect(refusals > 0)
    }
}
