internal import JSON
internal import Persistence
public import Redux

/// Why an export cannot be used, and the line that is at fault, from 1.
public struct TransferFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the file is cut off, the one that is missing.
    public let line: Int
    /// For a person; begins in lower case and has no full stop, to stand behind the number.
    public let reason: String

    /// Makes a fault of a line; `reason` follows the form above.
    public init(line: Int, _ reason: String) {
        self.line = line
        self.reason = reason
    }

    /// The line's number and the reason, for a terminal.
    public var description: String { "line \(line): \(reason)" }
}

extension ExportLine {
    /// Reads a line; `account` is the one that it stands below.
    public init(_ bytes: [UInt8], number: Int, of account: AccountID?) throws(TransferFault) {
        let members = try LineMembers(bytes, number: number)
        let record = try members.text("record")
        switch record {
        case "export":
            let version = try members.integer("version")
            guard version == Self.version else {
                throw members.fault("it is of version \(version) of exports; this build reads version \(Self.version)")
            }
            self = .export(
                model: try members.text("model"), at: try members.integer("at"), isRedacted: try members.flag("redacted") ?? false
            )
            return
        case "account":
            self = .account(
                AccountRecord(
                    id: try members.account("account"), created: try members.integer("created"), epochPart: 0,
                    email: try members.optionalText("email"),
                    passwordHash: try members.optionalText("passwordHash").map { Array($0.utf8) },
                    profile: members.value("profile")?.canonicalBytes))
            return
        case "done":
            self = .done(accounts: Int(try members.integer("accounts")))
            return
        default: break
        }
        guard let account else { throw members.fault("there is no account that this \(record) belongs to") }
        switch record {
        case "base":
            self = .base(
                SnapshotRecord(
                    account: account, revision: try members.revision("revision", from: 0),
                    schema: try members.json("schema"), reducerVersion: Int(try members.integer("reducerVersion")),
                    state: try members.json("state"), isBase: true), hash: try members.optionalText("hash"))
        case "action": self = .action(try members.entry(of: account), hash: try members.optionalText("hash"))
        case "effect":
            self = .effect(
                OutboxEntry(
                    account: account, revision: try members.revision("revision", from: 1),
                    ordinal: Int(try members.integer("ordinal")), kind: try members.text("kind"),
                    key: try members.optionalText("key"), due: try members.integer("due"), payload: try members.json("effect"),
                    attempt: Int(try members.integer("attempt")), deadReason: try members.optionalText("dead")))
        case "postponed":
            self = .postponed(
                PostponedRecord(
                    id: 0, account: account, tag: try members.text("tag"), body: try members.json("body"),
                    at: try members.integer("at")))
        case "end":
            self = .end(
                try members.account("account"), revision: try members.revision("revision", from: 0),
                hash: try members.optionalText("hash"))
        default: throw members.fault("there is no record \"\(record)\"")
        }
    }
}

/// The members of a line, each asked for in its form.
private struct LineMembers {
    private let members: JSONObject
    private let number: Int

    init(_ bytes: [UInt8], number: Int) throws(TransferFault) {
        self.number = number
        let value: JSONValue
        do throws(JSONFault) { value = try JSONReader.read(bytes, limits: .stored) } catch {
            throw TransferFault(line: number, "it is not JSON: \(error.detail)")
        }
        guard case .object(let members) = value else { throw TransferFault(line: number, "a line is an object") }
        self.members = members
    }

    func fault(_ reason: String) -> TransferFault { TransferFault(line: number, reason) }

    /// Null counts as absent.
    func value(_ name: String) -> JSONValue? { members[name].flatMap { $0.isNull ? nil : $0 } }

    private func wanted(_ name: String, _ form: String) -> TransferFault { fault("\(name) is wanted, \(form)") }

    func text(_ name: String) throws(TransferFault) -> String {
        guard let text = value(name)?.string else { throw wanted(name, "a text") }
        return text
    }

    func optionalText(_ name: String) throws(TransferFault) -> String? {
        guard value(name) != nil else { return nil }
        return try text(name)
    }

    func integer(_ name: String) throws(TransferFault) -> Int64 {
        guard let number = value(name)?.integer else { throw wanted(name, "an integer") }
        return number
    }

    func revision(_ name: String, from least: Revision) throws(TransferFault) -> Revision {
        let number = try integer(name)
        guard number >= least else { throw wanted(name, "a revision") }
        return number
    }

    func account(_ name: String) throws(TransferFault) -> AccountID {
        guard let account = AccountID(rawValue: try integer(name)) else { throw wanted(name, "a positive integer") }
        return account
    }

    func flag(_ name: String) throws(TransferFault) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let flag = value.bool else { throw wanted(name, "true or false") }
        return flag
    }

    /// The canonical JSON of a member.
    func json(_ name: String) throws(TransferFault) -> [UInt8] {
        guard let value = members[name] else { throw wanted(name, "any JSON") }
        return value.canonicalBytes
    }

    func entry(of account: AccountID) throws(TransferFault) -> LogEntry {
        guard let id = ActionID(text: try text("id")) else { throw wanted("id", "a UUID") }
        var flags: LogEntry.Flags = []
        if try flag("changed") == true { flags.insert(.changed) }
        if try flag("batched") == true { flags.insert(.batched) }
        if try flag("skewed") == true { flags.insert(.skewed) }
        return LogEntry(
            account: account, revision: try revision("revision", from: 1), at: try integer("at"), id: id, name: try text("type"),
            version: Int(try integer("version")), payload: try json("payload"), facts: value("facts")?.canonicalBytes,
            cause: value("cause") == nil ? nil : try revision("cause", from: 1), flags: flags,
            trace: try optionalText("trace").map { Array($0.utf8) })
    }
}

extension ActionID {
    /// Reads the textual form of a UUID (RFC 9562, 4).
    init?(text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.count == 32, let high = UInt64(String(decoding: digits[0..<16], as: UTF8.self), radix: 16),
            let low = UInt64(String(decoding: digits[16..<32], as: UTF8.self), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
        guard self.text == text else { return nil }
    }
}
