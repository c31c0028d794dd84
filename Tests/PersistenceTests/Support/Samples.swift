import Redux

@testable import Persistence

/// Records with a little of everything in them.
enum Sample {
    static func account(_ id: Int64) -> AccountID { AccountID(rawValue: id)! }

    static func record(_ id: AccountID, email: String? = nil) -> AccountRecord {
        AccountRecord(
            id: id, created: 1_700_000_000_000, epochPart: 0xFFFF_0000_1234_5678, email: email,
            passwordHash: email.map { Array($0.utf8) },
            profile: Array(#"{"name":"Ä"}"#.utf8))
    }

    static func entry(_ id: AccountID, _ revision: Revision, payload: String = #"{"by":1}"#) -> LogEntry {
        LogEntry(
            account: id, revision: revision, at: 1_700_000_000_000 + revision,
            id: ActionID(high: 0x8000_0000_0000_0000 | UInt64(revision), low: .max - UInt64(revision)),
            name: revision % 2 == 0 ? "counter/decrease" : "counter/increase", version: 2, payload: Array(payload.utf8),
            facts: revision % 3 == 0 ? [] : Array("{}".utf8), cause: revision > 1 ? revision - 1 : nil,
            flags: [.changed, .batched],
            trace: revision % 2 == 0 ? [0, 255] : nil)
    }

    static func snapshot(_ id: AccountID, _ revision: Revision, isBase: Bool = false) -> SnapshotRecord {
        SnapshotRecord(
            account: id, revision: revision, schema: Array(#"{"value":1}"#.utf8), reducerVersion: 3,
            state: Array(#"{"value":\#(revision)}"#.utf8), isBase: isBase)
    }

    static func session(_ number: Int64, of id: AccountID) -> SessionRecord {
        SessionRecord(
            id: number, account: id, tokenHash: [UInt8](repeating: UInt8(number), count: 32), created: 5,
            expires: number == 1 ? nil : 99)
    }

    static func answer(_ id: AccountID, _ key: String, at: Milliseconds = 1_700_000_000_000) -> IdempotencyRecord {
        IdempotencyRecord(account: id, key: key, fingerprint: [1, 2, 3], status: 200, head: [4], body: Array("{}".utf8), at: at)
    }

    static func effect(
        _ id: AccountID, _ revision: Revision, _ ordinal: Int = 0, key: String? = nil, due: Milliseconds = 10
    ) -> OutboxEntry {
        OutboxEntry(
            account: id, revision: revision, ordinal: ordinal, kind: "save", key: key, due: due, payload: Array("{}".utf8))
    }
}
