public import JSON
public import Persistence
public import Redux

/// Reads an export line by line, folds each account on the way, and says for each state whether it is the one that was recorded.
///
/// A value: lines in, events out. It holds one state at a time, whatever the file's length.
public struct ExportPlayback<Model: AccountModel> {
    /// The state this build comes to, beside the one that was recorded.
    public struct Comparison: Hashable, Sendable {
        /// Nil where this build cannot fold so far.
        public let reached: String?
        /// Nil where the exporting build could not.
        public let recorded: String?

        /// Whether this build comes to another state, or to none. Where none was recorded, any that is reached will do.
        public var differs: Bool { reached == nil || recorded.map { $0 != reached } ?? false }
    }

    /// What a line was.
    public enum Event: Sendable {
        case export(isRedacted: Bool)
        case account(AccountRecord)
        case base(SnapshotRecord, Comparison)
        case action(LogEntry, Comparison)
        case effect(OutboxEntry)
        case postponed(PostponedRecord)
        case end(AccountID, Revision, Comparison)
        case done
    }

    private enum Phase {
        case before
        case between
        case within(AccountID, Revision, isEmpty: Bool)
        case after
    }

    /// The line that was read last, from 1.
    public private(set) var number = 0
    private var phase = Phase.before
    private var accounts = 0
    private let history: History<Model>
    private var fold: HashedFold<Model>?

    /// Waits for the first line, which must be that of an export of this model.
    public init(_: Model.Type) { history = History() }

    /// The state the fold is at; nil between accounts, and where it could not come there.
    public var point: History<Model>.Point? { fold?.point }
    /// The same as JSON.
    public var state: JSONValue? { fold?.state }
    /// Why this build cannot fold on.
    public var obstacle: HistoryFault? { fold?.obstacle }

    /// Takes the next line, without its end.
    public mutating func take(_ bytes: [UInt8]) throws(TransferFault) -> Event {
        number += 1
        var account: AccountID?
        if case .within(let id, _, _) = phase { account = id }
        let line = try ExportLine(bytes, number: number, of: account)
        switch (phase, line) {
        case (.before, .export(let model, _, let isRedacted)):
            guard model == Model.name else { throw fault("it holds accounts of the model \(model), not of \(Model.name)") }
            phase = .between
            return .export(isRedacted: isRedacted)
        case (.before, _): throw fault("it is no export of storehouse: the first line says nothing of one")
        case (.between, .account(let record)):
            accounts += 1
            phase = .within(record.id, 0, isEmpty: true)
            fold = HashedFold(record.id, with: history)
            fold?.start(from: nil)
            return .account(record)
        case (.between, .done(let count)):
            guard count == accounts else { throw fault("it says that there are \(count) accounts; \(accounts) were read") }
            phase = .after
            return .done
        case (.within(let id, let head, let isEmpty), _): return try take(line, of: id, at: head, isEmpty: isEmpty)
        case (.after, _): throw fault("there is something after the last line")
        case (.between, _): throw fault("an account is wanted here, or the last line")
        }
    }

    /// Says that there are no more lines.
    public func finish() throws(TransferFault) {
        guard case .after = phase else { throw TransferFault(line: number + 1, "it is cut off: the last line is missing") }
    }

    private mutating func take(
        _ line: ExportLine, of id: AccountID, at head: Revision, isEmpty: Bool
    ) throws(TransferFault) -> Event {
        switch line {
        case .base(let base, let hash):
            guard isEmpty || base.revision == head else {
                throw fault("the base is at revision \(base.revision), the log at \(head)")
            }
            fold?.start(from: base)
            phase = .within(id, base.revision, isEmpty: false)
            return .base(base, comparison(hash))
        case .action(let entry, let hash):
            guard entry.revision == head + 1 else {
                throw fault("revision \(entry.revision) does not follow \(head)")
            }
            fold?.apply(entry)
            phase = .within(id, entry.revision, isEmpty: false)
            return .action(entry, comparison(hash))
        case .effect(let entry): return .effect(entry)
        case .postponed(let record): return .postponed(record)
        case .end(let account, let revision, let hash):
            guard account == id, revision == head else {
                throw fault("it ends account \(account) at revision \(revision); account \(id) is at \(head)")
            }
            phase = .between
            return .end(id, head, comparison(hash))
        case .export, .account, .done: throw fault("account \(id) has not ended")
        }
    }

    private func comparison(_ recorded: String?) -> Comparison { Comparison(reached: fold?.hash, recorded: recorded) }

    private func fault(_ reason: String) -> TransferFault { TransferFault(line: number, reason) }
}
