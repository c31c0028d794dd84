public import JSON
internal import Persistence

/// Replaces what tells of a person by pseudonyms: the same text by the same one throughout an account, so that what is compared compares as before.
public struct Redaction: Sendable {
    /// Members whose texts are replaced, wherever they stand; also all texts within them.
    private let names: Set<String>
    private var pseudonyms: [String: String] = [:]

    /// Takes the names of personal members; one is made for each account, whose pseudonyms are numbered from 1.
    public init(_ names: Set<String>) { self.names = names }

    /// The value with its personal texts replaced.
    public mutating func redact(_ value: JSONValue, isPersonal: Bool = false) -> JSONValue {
        switch value {
        case .string(let text): return isPersonal ? .string(pseudonym(of: text)) : value
        case .array(let elements): return .array(elements.map { redact($0, isPersonal: isPersonal) })
        case .object(let members):
            var redacted = JSONObject()
            for member in members.members {
                redacted[member.name] = redact(member.value, isPersonal: isPersonal || names.contains(member.name))
            }
            return .object(redacted)
        case .null, .bool, .integer, .number: return value
        }
    }

    /// An empty text stays: it says that nothing was said.
    private mutating func pseudonym(of text: String) -> String {
        guard !text.isEmpty else { return text }
        if let known = pseudonyms[text] { return known }
        let number = pseudonyms.count + 1
        let pseudonym = text.contains("@") ? "redacted-\(number)@example.invalid" : "redacted-\(number)"
        pseudonyms[text] = pseudonym
        return pseudonym
    }

    private mutating func redact(_ bytes: [UInt8]) throws(JSONFault) -> [UInt8] {
        redact(try JSONReader.read(bytes, limits: .stored)).canonicalBytes
    }

    mutating func redact(_ record: AccountRecord) -> AccountRecord {
        AccountRecord(id: record.id, created: record.created, epochPart: 0)
    }

    /// What was put beside the action for tracing goes: it leads to other records of the same person.
    mutating func redact(_ entry: LogEntry) throws(JSONFault) -> LogEntry {
        var entry = entry
        entry.payload = try redact(entry.payload)
        if let facts = entry.facts { entry.facts = try redact(facts) }
        entry.trace = nil
        return entry
    }

    mutating func redact(_ snapshot: SnapshotRecord) throws(JSONFault) -> SnapshotRecord {
        var snapshot = snapshot
        snapshot.state = try redact(snapshot.state)
        return snapshot
    }

    mutating func redact(_ entry: OutboxEntry) throws(JSONFault) -> OutboxEntry {
        var entry = entry
        entry.payload = try redact(entry.payload)
        return entry
    }

    mutating func redact(_ record: PostponedRecord) throws(JSONFault) -> PostponedRecord {
        var record = record
        record.body = try redact(record.body)
        return record
    }
}
