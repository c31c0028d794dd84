internal import JSON
public import Persistence
public import Redux

/// One line of an export, newline-delimited JSON: an account's whole life, in an order in which it can be read once, from the top.
///
/// | `record` | members | where |
/// | --- | --- | --- |
/// | `export` | `version` (1), `model`, `at`, `redacted` | first |
/// | `account` | `account`, `created`, `email`, `passwordHash`, `profile` (the last three of a registered one) | begins an account |
/// | `base` | `revision`, `reducerVersion`, `schema`, `state`, `hash` | where folding starts or starts afresh |
/// | `action` | as in `GET /actions`, with `version`, `trace` and the `hash` of the state it led to | in order, gapless |
/// | `effect` | `revision`, `ordinal`, `kind`, `key`, `due`, `attempt`, `dead`, `effect` | after the actions |
/// | `postponed` | `tag`, `at`, `body` | after the actions |
/// | `end` | `account`, `revision`, `hash` | ends an account |
/// | `done` | `accounts` | last: without it the file was cut off |
///
/// A hash is the state's: 32 hexadecimal digits, BLAKE2b-128 of its canonical JSON. It is missing where this build could not fold.
/// Sessions, tokens and idempotency keys are never exported.
public enum ExportLine: Sendable {
    /// Raised when lines change so that older readers would misunderstand them.
    public static let version: Int64 = 1

    case export(model: String, at: Milliseconds, isRedacted: Bool)
    /// Its `epochPart` is not exported: what is imported starts a new epoch.
    case account(AccountRecord)
    case base(SnapshotRecord, hash: String?)
    case action(LogEntry, hash: String?)
    case effect(OutboxEntry)
    case postponed(PostponedRecord)
    case end(AccountID, revision: Revision, hash: String?)
    case done(accounts: Int)
}

extension ExportLine {
    /// The line without its end.
    var bytes: [UInt8] {
        get throws(JSONFault) { JSONValue.object(try members).canonicalBytes }
    }

    private var members: JSONObject {
        get throws(JSONFault) {
            var line = JSONObject()
            switch self {
            case .export(let model, let at, let isRedacted):
                line["record"] = "export"
                line["version"] = .integer(Self.version)
                line["model"] = .string(model)
                line["at"] = .integer(at)
                line["redacted"] = .bool(isRedacted)
            case .account(let record):
                line["record"] = "account"
                line["account"] = .integer(record.id.rawValue)
                line["created"] = .integer(record.created)
                line["email"] = record.email.map { .string($0) }
                line["passwordHash"] = record.passwordHash.map { .string(String(decoding: $0, as: UTF8.self)) }
                line["profile"] = try stored(record.profile)
            case .base(let snapshot, let hash):
                line["record"] = "base"
                line["revision"] = .integer(snapshot.revision)
                line["reducerVersion"] = .integer(Int64(snapshot.reducerVersion))
                line["schema"] = try stored(snapshot.schema)
                line["state"] = try stored(snapshot.state)
                line["hash"] = hash.map { .string($0) }
            case .action(let entry, let hash):
                line = try Self.action(entry)
                line["hash"] = hash.map { .string($0) }
            case .effect(let entry):
                line["record"] = "effect"
                line["revision"] = .integer(entry.revision)
                line["ordinal"] = .integer(Int64(entry.ordinal))
                line["kind"] = .string(entry.kind)
                line["key"] = entry.key.map { .string($0) }
                line["due"] = .integer(entry.due)
                line["attempt"] = .integer(Int64(entry.attempt))
                line["dead"] = entry.deadReason.map { .string($0) }
                line["effect"] = try stored(entry.payload)
            case .postponed(let record):
                line["record"] = "postponed"
                line["tag"] = .string(record.tag)
                line["at"] = .integer(record.at)
                line["body"] = try stored(record.body)
            case .end(let account, let revision, let hash):
                line["record"] = "end"
                line["account"] = .integer(account.rawValue)
                line["revision"] = .integer(revision)
                line["hash"] = hash.map { .string($0) }
            case .done(let accounts):
                line["record"] = "done"
                line["accounts"] = .integer(Int64(accounts))
            }
            return line
        }
    }

    private static func action(_ entry: LogEntry) throws(JSONFault) -> JSONObject {
        var line = JSONObject()
        line["record"] = "action"
        line["revision"] = .integer(entry.revision)
        line["type"] = .string(entry.name)
        line["version"] = .integer(Int64(entry.version))
        line["at"] = .integer(entry.at)
        line["id"] = .string(entry.id.text)
        line["payload"] = try stored(entry.payload)
        line["facts"] = try stored(entry.facts)
        line["cause"] = entry.cause.map { .integer($0) }
        line["changed"] = .bool(entry.flags.contains(.changed))
        if entry.flags.contains(.batched) { line["batched"] = true }
        if entry.flags.contains(.skewed) { line["skewed"] = true }
        line["trace"] = entry.trace.map { .string(String(decoding: $0, as: UTF8.self)) }
        return line
    }
}

/// Bytes that were stored as JSON, as a value.
private func stored(_ bytes: [UInt8]?) throws(JSONFault) -> JSONValue? {
    guard let bytes else { return nil }
    return try JSONReader.read(bytes, limits: .stored)
}
