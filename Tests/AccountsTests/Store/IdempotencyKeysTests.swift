import Accounts
import Persistence
import Redux
import Testing

@Suite struct `Idempotency keys` {
    private func record(_ key: String, _ print: UInt8 = 1, at: Milliseconds = 0) throws -> IdempotencyRecord {
        IdempotencyRecord(
            account: try #require(AccountID(rawValue: 1)), key: key, fingerprint: [print], status: 200, head: [], body: [], at: at
        )
    }

    private func name(_ lookup: IdempotencyKeys.Lookup) -> String {
        switch lookup {
        case .new: "new"
        case .done: "done"
        case .running: "running"
        case .mismatch: "mismatch"
        case .full: "full"
        }
    }

    @Test func `a key runs, is done, and expires after its lifetime`() throws {
        var keys = IdempotencyKeys()
        #expect(name(keys.look(up: "a", fingerprint: [1], now: 0)) == "new")
        keys.begin("a", fingerprint: [1])
        #expect(name(keys.look(up: "a", fingerprint: [1], now: 0)) == "running")
        #expect(name(keys.look(up: "a", fingerprint: [2], now: 0)) == "mismatch")
        keys.finish(try record("a"))
        #expect(name(keys.look(up: "a", fingerprint: [1], now: IdempotencyKeys.lifetime - 1)) == "done")
        #expect(name(keys.look(up: "a", fingerprint: [2], now: 5)) == "mismatch")
        #expect(name(keys.look(up: "a", fingerprint: [2], now: IdempotencyKeys.lifetime)) == "new")
    }

    @Test func `room is never made by dropping a key early`() throws {
        var keys = IdempotencyKeys(
            records: try (0..<IdempotencyKeys.countMax).map { try record("k\($0)", at: $0 == 0 ? 0 : 1000) })
        #expect(name(keys.look(up: "new", fingerprint: [1], now: 999)) == "full")
        #expect(name(keys.look(up: "k5", fingerprint: [1], now: 999)) == "done")
        #expect(name(keys.look(up: "new", fingerprint: [1], now: IdempotencyKeys.lifetime)) == "new", "the expired one made room")
        #expect(keys.count == IdempotencyKeys.countMax - 1)
    }
}
