import Foundation
import Testing

@testable import Persistence

@Suite(.timeLimit(.minutes(10))) struct UpkeepTests {
    let folder: Folder
    let account = Sample.account(1)

    init() throws { folder = try Folder() }

    /// Ticks, and waits until the writer has done what it does at a tick.
    private func tick(_ database: Database) async {
        database.tick()
        await withCheckedContinuation { waiting in database.writer.onQueue { _ in waiting.resume() } }
    }

    @Test(arguments: [true, false])
    func `a database file that is moved away takes no writes until it is back`(deleted: Bool) async throws {
        let database = try Database.test(folder)
        #expect(await database.commit(.createAccount(Sample.record(account))).fault == nil)
        await tick(database)
        #expect(!database.metrics.isDisplaced)
        try FileManager.default.moveItem(atPath: folder.database, toPath: folder.database + ".moved")
        // Another file under the name is not it, either.
        if !deleted { try folder.write([1, 2, 3], to: "store.sqlite") }
        await tick(database)
        #expect(database.metrics.isDisplaced)
        #expect(await database.commit(.append(Sample.entry(account, 1))).fault == .displaced)
        #expect(try await database.loaded(account)?.head == 0, "reads go on")

        if !deleted { try folder.remove("store.sqlite") }
        try FileManager.default.moveItem(atPath: folder.database + ".moved", toPath: folder.database)
        await tick(database)
        #expect(await database.commit(.append(Sample.entry(account, 1))).fault == nil)
        await database.closed()
    }

    @Test func `an erasure empties the log at the next idle tick`() async throws {
        let database = try Database.test(folder)
        let secret = "nobody-shall-read-this-again"
        #expect(
            await database.commit(
                .createAccount(Sample.record(account)), .append(Sample.entry(account, 1, payload: #"{"by":"\#(secret)"}"#))
            ).fault == nil)
        #expect(await database.commit(.eraseAccount(account)).fault == nil)
        func isHeld() throws -> Bool { try Data(folder.read("store.sqlite-wal")).range(of: Data(secret.utf8)) != nil }
        #expect(try isHeld())
        await tick(database)
        #expect(try isHeld(), "the writer was not idle yet")
        await tick(database)
        #expect(try !isHeld())
        await database.closed()
    }

    @Test func `a writer that is never idle cuts the log all the same, some time after an erasure`() {
        var policy = CheckpointPolicy()
        policy.didErase()
        for _ in 0..<CheckpointPolicy.erasureTicksMax {
            #expect(policy.didCommit(frames: 10) == .none)
            #expect(policy.didTick() == .none)
        }
        #expect(policy.didCommit(frames: 10) == .none)
        #expect(policy.didTick() == .truncate)
        policy.didTruncate()
        policy.didCheckpoint(isComplete: true)
        #expect(policy.didTick() == .none)
    }

    @Test func `which version of the model wrote an entry is known without a stored state`() async throws {
        func open(_ version: String) throws -> Database {
            try Database.test(folder) { $0.modelVersion = Array(version.utf8) }
        }
        var database = try open("1")
        #expect(
            await database.commit(.createAccount(Sample.record(account)), .append(Sample.entry(account, 1))).fault == nil)
        #expect(try await database.loaded(account)?.isTailOfOtherVersion == false)
        await database.closed()

        database = try open("1")
        #expect(try await database.loaded(account)?.isTailOfOtherVersion == false)
        await database.closed()

        database = try open("2")
        #expect(try await database.loaded(account)?.isTailOfOtherVersion == true)
        #expect(
            await database.commit(.append(Sample.entry(account, 2)), .snapshot(Sample.snapshot(account, 2, isBase: true))).fault
                == nil)
        #expect(await database.commit(.append(Sample.entry(account, 3))).fault == nil)
        #expect(try await database.loaded(account)?.isTailOfOtherVersion == false)
        await database.closed()
    }
}
