internal import JSON
public import Persistence
public import Redux

/// Writes accounts of a database as the lines of an export; the database may be served meanwhile.
public struct AccountExport<Model: AccountModel> {
    private let history = History<Model>()
    private let isRedacted: Bool
    private let emit: ([UInt8]) -> Void
    /// Accounts written so far.
    public private(set) var accounts = 0
    /// What was found wrong on the way; an account with findings about its log is exported as far as it can be read.
    public private(set) var findings: [Inspector.Finding] = []

    /// `emit` takes the bytes of each line, with its end.
    public init(_: Model.Type, redacting isRedacted: Bool, at now: Milliseconds, to emit: @escaping ([UInt8]) -> Void) {
        self.isRedacted = isRedacted
        self.emit = emit
        write(.export(model: Model.name, at: now, isRedacted: isRedacted))
    }

    /// The last line.
    public func finish() { write(.done(accounts: accounts)) }

    /// Writes all of an account.
    public mutating func write(_ record: AccountRecord, of inspector: Inspector) throws(StorageFault) {
        accounts += 1
        var redaction = isRedacted ? Redaction(Model.personalMembers) : nil
        var fold = HashedFold<Model>(record.id, with: history)
        var head: Revision = 0
        // What waits is read before and after: beside a live service an entry may come or go while the log is being read.
        var waiting = try inspector.outbox(of: record.id)

        write(.account(redaction?.redact(record) ?? record))
        var (sink, isWhole) = (emit, true)
        let walked = try inspector.walk(record) { step in
            guard isWhole else { return nil }
            do throws(JSONFault) {
                try Self.take(step, &fold, &head, &redaction, &sink)
                return nil
            } catch {
                isWhole = false
                return Inspector.Finding(
                    account: record.id, revision: head + 1, reason: "what is stored is not JSON: \(error.detail)")
            }
        }
        findings += walked
        if let obstacle = fold.obstacle {
            findings.append(Inspector.Finding(account: record.id, revision: obstacle.revision, reason: obstacle.reason))
        }
        let known = Set(waiting.map(\.id))
        waiting += try inspector.outbox(of: record.id).filter { !known.contains($0.id) }
        let postponed = try inspector.postponed(of: record.id)
        do throws(JSONFault) {
            for entry in waiting where entry.revision <= head {
                emit(try ExportLine.effect(redaction?.redact(entry) ?? entry).line)
            }
            for item in postponed { emit(try ExportLine.postponed(redaction?.redact(item) ?? item).line) }
        } catch {
            findings.append(
                Inspector.Finding(account: record.id, revision: nil, reason: "what waits is not JSON: \(error.detail)"))
        }
        write(.end(record.id, revision: head, hash: isWhole ? fold.hash : nil))
    }

    private static func take(
        _ step: WalkStep, _ fold: inout HashedFold<Model>, _ head: inout Revision, _ redaction: inout Redaction?,
        _ emit: inout ([UInt8]) -> Void
    ) throws(JSONFault) {
        switch step {
        case .start(nil): fold.start(from: nil)
        case .start(let stored?):
            let base = try redaction?.redact(stored) ?? stored
            fold.start(from: base)
            emit(try ExportLine.base(base, hash: fold.hash).line)
            head = base.revision
        case .entries(let entries):
            for stored in entries {
                let entry = try redaction?.redact(stored) ?? stored
                fold.apply(entry)
                emit(try ExportLine.action(entry, hash: fold.hash).line)
                head = entry.revision
            }
        case .snapshot(let stored) where stored.isBase:
            let base = try redaction?.redact(stored) ?? stored
            fold.start(from: base)
            emit(try ExportLine.base(base, hash: fold.hash).line)
        case .snapshot: break
        }
    }

    /// Writes a line of which nothing was stored as JSON, or which was read as such.
    private func write(_ line: ExportLine) {
        do throws(JSONFault) { emit(try line.line) } catch {
            // Only a profile is left, which the service writes itself; without it the account is exported as an anonymous one.
            guard case .account(let record) = line else { return }
            write(.account(AccountRecord(id: record.id, created: record.created, epochPart: 0)))
        }
    }
}

extension ExportLine {
    /// The bytes with the line's end.
    fileprivate var line: [UInt8] {
        get throws(JSONFault) { try bytes + [UInt8(ascii: "\n")] }
    }
}
