internal import Identity
internal import JSON
public import Persistence
public import Redux
internal import Sodium

/// Turns an export into writes that stand or fall together: nothing is written before the whole file has been read, folded and compared.
public struct AccountImport<Model: AccountModel> {
    /// What becomes of the accounts.
    public enum Form: Sendable {
        /// They move: number, owner, log, and what waits to be run; under a new epoch, with their last state as a base.
        case whole
        /// They are looked at: a number of their own, no owner, no log, nothing that waits; the last state as the model's `sandbox` leaves it.
        case copies
    }

    /// An account as it will be.
    public struct Imported: Sendable {
        /// Its number in the export.
        public let original: AccountID
        /// Its number here; the same where it moves.
        public let account: AccountID
        /// That of the last state, kept by a copy, too.
        public let revision: Revision
        /// Secret: shown once.
        public let token: String?
    }

    /// Bytes of lines that are taken: all of them are in memory until they are committed.
    public static var bytesMax: Int { 1 << 30 }

    /// To be submitted once `finish` has returned.
    public private(set) var writes: [Write] = []
    /// The accounts read so far, in the export's order; they exist once `writes` are committed.
    public private(set) var imported: [Imported] = []

    private let database: Database
    private let form: Form
    private let mintsTokens: Bool
    private let now: Milliseconds
    private var playback = ExportPlayback(Model.self)
    private let states = StateCodec<Model>()
    private var record: AccountRecord?
    private var base: Revision?
    private var hasEntries = false
    private var bytes = 0

    /// Makes an import that has read nothing. Takes numbers from `database` and writes nothing to it; `now` is when copies and
    /// sessions begin.
    public init(into database: Database, as form: Form, mintingTokens mintsTokens: Bool, at now: Milliseconds) {
        self.database = database
        self.form = form
        self.mintsTokens = mintsTokens
        self.now = now
    }

    /// Takes the next line, without its end.
    public mutating func take(_ line: [UInt8]) throws(TransferFault) {
        bytes += line.count
        guard bytes <= Self.bytesMax else {
            throw TransferFault(
                line: playback.number + 1,
                "it has more than \(Self.bytesMax) bytes; move databases of this size by backup and restore")
        }
        switch try playback.take(line) {
        case .export, .done: break
        case .account(let found): try begin(found)
        case .base(let found, let comparison):
            try check(comparison, at: found.revision)
            base = found.revision
            if form == .whole { writes.append(hasEntries ? .snapshot(found) : .begin(found)) }
        case .action(let entry, let comparison):
            try check(comparison, at: entry.revision)
            hasEntries = true
            if form == .whole { writes.append(.append(entry)) }
        case .effect(let entry): if form == .whole { writes.append(.enqueue(entry)) }
        case .postponed(var item):
            guard form == .whole else { break }
            item.id = database.nextPostponedID()
            writes.append(.postpone(item))
        case .end(let account, let revision, let comparison):
            try check(comparison, at: revision)
            try end(account, at: revision)
        }
    }

    /// Says that there are no more lines.
    public func finish() throws(TransferFault) { try playback.finish() }

    private mutating func begin(_ found: AccountRecord) throws(TransferFault) {
        var record = found
        record.epochPart = RandomBytes.bits64()
        base = nil
        hasEntries = false
        switch form {
        case .whole:
            guard database.claim(found.id) else {
                throw fault("number \(found.id) has been given out here before; import it as a copy, or into another database")
            }
        case .copies: record = AccountRecord(id: database.nextAccountID(), created: now, epochPart: record.epochPart)
        }
        writes.append(.createAccount(record))
        self.record = record
    }

    private mutating func end(_ original: AccountID, at revision: Revision) throws(TransferFault) {
        guard let record, let point = playback.point else { throw fault("this build cannot tell the account's state") }
        let isBased = form == .whole && (base == revision || revision == 0)
        if !isBased {
            let state = form == .whole ? point.state : Model.sandbox(of: point.state)
            do throws(JSONFault) {
                let snapshot = try states.snapshot(state, of: record.id, at: revision, isBase: true)
                writes.append(form == .whole ? .snapshot(snapshot) : .begin(snapshot))
            } catch { throw fault("the account's state cannot be written as JSON") }
        }
        var token: String?
        if mintsTokens {
            let minted = TokenMint(secret: database.secret).mint(account: record.id.rawValue)
            writes.append(
                .createSession(
                    SessionRecord(
                        id: database.nextSessionID(), account: record.id, tokenHash: minted.hash.bytes, created: now, expires: nil
                    )))
            token = minted.text
        }
        imported.append(Imported(original: original, account: record.id, revision: revision, token: token))
    }

    private func check(
        _ comparison: ExportPlayback<Model>.Comparison, at revision: Revision
    ) throws(TransferFault) {
        guard comparison.differs else { return }
        let reason = playback.obstacle.map { "this build cannot fold it: \($0.reason)" } ?? "this build comes to another state"
        throw fault("revision \(revision): \(reason)")
    }

    private func fault(_ reason: String) -> TransferFault { TransferFault(line: playback.number, reason) }
}
