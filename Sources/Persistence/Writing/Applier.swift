internal import Redux
internal import SQLite

/// Why a write was not applied.
enum WriteFault: Error {
    /// The submission cannot be; others can.
    case conflict(CommitFault.Conflict)
    case sqlite(SQLiteError)
}

/// Turns writes into rows inside an open transaction, and knows where each account's log stands.
final class Applier {
    private let connection: Connection
    let statements: WriteStatements
    let recent: RecentLog
    var chain = Chain()
    private var heads: HeadCache
    /// How far the database is, with what this transaction adds.
    private(set) var progress: Progress
    /// The same after the last commit.
    private(set) var committed: Progress
    /// Rows went that may have held the highest numbers: these must be stored.
    var mustStoreProgress = false

    init(
        connection: Connection, statements: WriteStatements, recent: RecentLog, progress: Progress,
        headsMax: Int = HeadCache.headsMax
    ) {
        self.connection = connection
        self.statements = statements
        self.recent = recent
        self.progress = progress
        committed = progress
        heads = HeadCache(headsMax: headsMax)
    }

    // MARK: The transaction's life

    /// Writes what the transaction as a whole has to leave behind; called last before COMMIT.
    func finish() throws(SQLiteError) {
        try indexNext()
        guard mustStoreProgress else { return }
        try store(Meta.Key.sequence, progress.sequence)
        try store(Meta.Key.account, progress.account)
        try store(Meta.Key.session, progress.session)
    }

    /// The transaction is committed.
    func didCommit() {
        committed = progress
        mustStoreProgress = false
        recent.didCommit(through: committed.sequence)
    }

    /// The transaction is rolled back.
    func didRollBack(_ submissions: ArraySlice<Submission>) {
        progress = committed
        mustStoreProgress = false
        recent.removeUncommitted()
        for submission in submissions { forgetHeads(of: submission) }
    }

    /// Where a submission begins, to come back to.
    struct Mark {
        fileprivate let progress: Progress
        fileprivate let added: Int
    }

    var mark: Mark { Mark(progress: progress, added: recent.uncommittedCount) }

    /// One submission is rolled back: the numbers it took are free again.
    func didRollBack(_ submission: Submission, to mark: Mark) {
        progress = mark.progress
        recent.removeUncommitted(downTo: mark.added)
        forgetHeads(of: submission)
    }

    /// What is known of a submission's accounts may include it.
    private func forgetHeads(of submission: Submission) {
        for write in submission.writes {
            switch write {
            case .append(let entry): heads.forget(entry.account)
            case .createAccount(let record): heads.forget(record.id)
            case .begin(let record): heads.forget(record.account)
            case .eraseAccount(let account): heads.forget(account)
            default: break
            }
        }
    }

    func store(_ key: String, _ value: Int64) throws(SQLiteError) {
        try statements.putMeta.bind(1, key)
        try statements.putMeta.bind(2, value)
        try statements.putMeta.run()
    }

    // MARK: Writes

    /// Applies one write.
    func apply(_ write: Write) throws(WriteFault) {
        let conflict: CommitFault.Conflict
        do throws(WriteFault) {
            return try run(write)
        } catch .sqlite(let error) where error.kind == .constraint {
            conflict = Self.conflict(of: write, error)
        }
        throw .conflict(conflict)
    }

    /// What a refused row means.
    private static func conflict(of write: Write, _ error: SQLiteError) -> CommitFault.Conflict {
        switch write {
        case .createAccount(let record), .updateAccount(let record):
            error.message.contains("email") && record.email != nil ? .email : .account
        case .append, .begin: .revision
        default: .other(error.message)
        }
    }

    private func run(_ write: Write) throws(WriteFault) {
        switch write {
        case .append(let entry): try append(entry)
        case .begin(let record): try begin(record)
        case .snapshot(let record): try put(record)
        case .createAccount(let record):
            try sqlite { () throws(SQLiteError) in try insert(record) }
        case .updateAccount(let record):
            try sqlite { () throws(SQLiteError) in try update(record) }
            guard connection.changes == 1 else { throw .conflict(.account) }
        case .eraseAccount(let account):
            try sqlite { () throws(SQLiteError) in try erase(account) }
        case .trim(let account, let revision): try trim(account, through: revision)
        case .retain(let account, let retention): try retain(account, retention)
        case .remember(let record):
            try sqlite { () throws(SQLiteError) in try remember(record) }
            guard connection.changes == 1 else { throw .conflict(.idempotencyKey) }
        default:
            try sqlite { () throws(SQLiteError) in try runSimple(write) }
        }
    }

    func sqlite(_ body: () throws(SQLiteError) -> Void) throws(WriteFault) {
        do throws(SQLiteError) { try body() } catch { throw .sqlite(error) }
    }

    /// The writes that are one statement each and need no look around.
    private func runSimple(_ write: Write) throws(SQLiteError) {
        switch write {
        case .createSession(let record): try insert(record)
        case .renewSession(let record):
            let statement = statements.updateSession
            try statement.bind(1, record.id)
            try statement.bind(2, record.account.rawValue)
            try statement.bind(3, record.tokenHash)
            try statement.bind(4, record.expires)
            try statement.bind(5, record.created)
            try statement.bind(6, chain.sum(of: record))
            try statement.run()
        case .endSession(let id, let account):
            // The highest id may go with the row, and must not come again.
            mustStoreProgress = true
            try run(statements.deleteSession, id, account.rawValue)
        case .enqueue(let entry): try enqueue(entry)
        case .settle(let id): try run(statements.deleteEffect, id.account.rawValue, id.revision, Int64(id.ordinal))
        case .reschedule(let id, let due, let attempt):
            try run(statements.rescheduleEffect, id.account.rawValue, id.revision, Int64(id.ordinal), due, Int64(attempt))
        case .bury(let id, let reason):
            try statements.buryEffect.bind(4, reason)
            try run(statements.buryEffect, id.account.rawValue, id.revision, Int64(id.ordinal))
        case .cancelEffect(let account, let key): try run(statements.deleteEffectByKey, account, key)
        case .forgetAnswer(let account, let key): try run(statements.deleteAnswer, account, key)
        case .forgetIdempotency(let instant):
            try run(statements.forgetAnswers, instant, Int64(Database.forgetBatchMax))
        case .postpone(let record):
            let statement = statements.insertPostponed
            try statement.bind(1, record.id)
            try statement.bind(2, record.account.rawValue)
            try statement.bind(3, record.tag)
            try statement.bind(4, record.at)
            try statement.bind(5, record.body)
            try statement.bind(6, chain.sum(of: record))
            try statement.run()
        case .unpostpone(let id, let account): try run(statements.deletePostponed, id, account.rawValue)
        case .append, .begin, .snapshot, .createAccount, .updateAccount, .eraseAccount, .trim, .retain, .remember:
            preconditionFailure("not a simple write")
        }
    }

    func run(_ statement: Statement, _ values: Int64...) throws(SQLiteError) {
        for (index, value) in values.enumerated() { try statement.bind(Int32(index + 1), value) }
        try statement.run()
    }

    private func run(_ statement: Statement, _ account: AccountID, _ key: String) throws(SQLiteError) {
        try statement.bind(1, account.rawValue)
        try statement.bind(2, key)
        try statement.run()
    }

    // MARK: The log

    private func append(_ entry: LogEntry) throws(WriteFault) {
        let head = try head(of: entry.account)
        guard entry.revision == head.revision + 1 else { throw .conflict(.revision) }
        let value = chain.value(after: head.chain, entry)
        let place = LogPlace(revision: entry.revision, sequence: progress.sequence + 1)
        try sqlite { () throws(SQLiteError) in try insert(entry, at: place, chain: value) }
        progress.sequence = place.sequence
        recent.add(place, of: entry.account)
        heads.store(Head(revision: entry.revision, chain: value), of: entry.account)
    }

    /// Where an account's log stands, in this transaction.
    func head(of account: AccountID) throws(WriteFault) -> Head {
        if let known = heads.head(of: account) { return known }
        do throws(SQLiteError) {
            if let head = try storedHead(of: account) {
                heads.store(head, of: account)
                return head
            }
        } catch { throw .sqlite(error) }
        throw .conflict(.account)
    }

    private func storedHead(of account: AccountID) throws(SQLiteError) -> Head? {
        var found = try lastEntry(of: account).map { ($0.revision, $0.chain) }
        if found == nil {
            try statements.newestBase.bind(1, account.rawValue)
            found = try statements.newestBase.first { row in (row.integer(0), Digest(stored: row.bytes(1))) }
        }
        if let (revision, chain) = found {
            guard let chain else {
                throw SQLiteError(
                    extended: 11, message: "account \(account) has a chain value of a wrong size", operation: "append")
            }
            return Head(revision: revision, chain: chain)
        }
        try statements.accountExists.bind(1, account.rawValue)
        guard try statements.accountExists.first({ _ in true }) != nil else { return nil }
        return Head(revision: 0, chain: chain.seed(of: account))
    }

    private func insert(_ entry: LogEntry, at place: LogPlace, chain: Digest) throws(SQLiteError) {
        let statement = statements.insertLog
        try statement.bind(1, place.sequence)
        try statement.bind(2, entry.account.rawValue)
        try statement.bind(3, entry.revision)
        try statement.bind(4, entry.at)
        try statement.bind(5, Int64(bitPattern: entry.id.high))
        try statement.bind(6, Int64(bitPattern: entry.id.low))
        try statement.bind(7, entry.name)
        try statement.bind(8, Int64(entry.version))
        try statement.bind(9, entry.cause)
        try statement.bind(10, Int64(entry.flags.rawValue))
        try statement.bind(11, entry.payload)
        try statement.bind(12, entry.facts)
        try statement.bind(13, entry.trace)
        try statement.bind(14, chain)
        try statement.bind(15, place.sum(of: entry.account))
        try statement.run()
    }

    private func trim(_ account: AccountID, through revision: Revision) throws(WriteFault) {
        var base: Revision = 0
        try sqlite { () throws(SQLiteError) in
            try statements.newestBase.bind(1, account.rawValue)
            base = try statements.newestBase.first { row in row.integer(0) } ?? 0
        }
        guard base >= revision else { throw .conflict(.revision) }
        mustStoreProgress = true
        try sqlite { () throws(SQLiteError) in try deleteEntries(of: account, through: revision) }
    }

    // MARK: Snapshots

    private func put(_ record: SnapshotRecord) throws(WriteFault) {
        let head = try head(of: record.account)
        guard record.revision <= head.revision else { throw .conflict(.revision) }
        try put(
            record, chain: record.revision == head.revision ? head.chain : chainValue(of: record.account, at: record.revision))
    }

    /// The history of an account that starts from a base: its chain starts there as another's does at revision 0.
    private func begin(_ record: SnapshotRecord) throws(WriteFault) {
        let seed = chain.seed(of: record.account)
        guard record.isBase, try head(of: record.account) == Head(revision: 0, chain: seed) else { throw .conflict(.revision) }
        try put(record, chain: seed)
        heads.store(Head(revision: record.revision, chain: seed), of: record.account)
    }

    private func put(_ record: SnapshotRecord, chain value: Digest) throws(WriteFault) {
        try sqlite { () throws(SQLiteError) in
            try insert(record, chain: value)
            try run(statements.pruneSnapshots, record.account.rawValue, Database.snapshotSpacing)
        }
    }

    /// Writes a snapshot with what vouches for it.
    func insert(_ record: SnapshotRecord, chain value: Digest) throws(SQLiteError) {
        let hash = chain.hash(of: record, chain: value)
        let statement = statements.putSnapshot
        try statement.bind(1, record.account.rawValue)
        try statement.bind(2, record.revision)
        try statement.bind(3, record.isBase ? 1 : 0)
        try statement.bind(4, Int64(record.reducerVersion))
        try statement.bind(5, record.schema)
        try statement.bind(6, record.state)
        try statement.bind(7, value)
        try statement.bind(8, hash)
        try statement.run()
    }

    private func chainValue(of account: AccountID, at revision: Revision) throws(WriteFault) -> Digest {
        guard revision > 0 else { return chain.seed(of: account) }
        var value: Digest?
        try sqlite { () throws(SQLiteError) in value = try entry(of: account, at: revision)?.chain }
        guard let value else { throw .conflict(.revision) }
        return value
    }

    // MARK: Accounts and sessions

    private func insert(_ record: AccountRecord) throws(SQLiteError) {
        let statement = statements.insertAccount
        try statement.bind(1, record.id.rawValue)
        try statement.bind(2, record.created)
        try statement.bind(3, Int64(bitPattern: record.epochPart))
        try statement.bind(4, record.email)
        try statement.bind(5, record.passwordHash)
        try statement.bind(6, record.profile)
        try statement.bind(7, chain.sum(of: record))
        try statement.run()
        progress.account = max(progress.account, record.id.rawValue)
        heads.store(Head(revision: 0, chain: chain.seed(of: record.id)), of: record.id)
    }

    private func update(_ record: AccountRecord) throws(SQLiteError) {
        let statement = statements.updateAccount
        try statement.bind(1, record.id.rawValue)
        try statement.bind(2, record.email)
        try statement.bind(3, record.passwordHash)
        try statement.bind(4, record.profile)
        try statement.bind(5, chain.sum(of: record))
        try statement.run()
    }

    private func erase(_ account: AccountID) throws(SQLiteError) {
        mustStoreProgress = true
        try deleteEntries(of: account, through: .max)
        for statement in statements.erase { try run(statement, account.rawValue) }
        heads.forget(account)
    }

    private func insert(_ record: SessionRecord) throws(SQLiteError) {
        let statement = statements.insertSession
        try statement.bind(1, record.id)
        try statement.bind(2, record.account.rawValue)
        try statement.bind(3, record.tokenHash)
        try statement.bind(4, record.created)
        try statement.bind(5, record.expires)
        try statement.bind(6, chain.sum(of: record))
        try statement.run()
        progress.session = max(progress.session, record.id)
    }

    // MARK: Outbox and answers

    private func enqueue(_ entry: OutboxEntry) throws(SQLiteError) {
        if let key = entry.key { try run(statements.deleteEffectByKey, entry.account, key) }
        let statement = statements.insertEffect
        try statement.bind(1, entry.account.rawValue)
        try statement.bind(2, entry.revision)
        try statement.bind(3, Int64(entry.ordinal))
        try statement.bind(4, entry.kind)
        try statement.bind(5, entry.key)
        try statement.bind(6, entry.due)
        try statement.bind(7, Int64(entry.attempt))
        try statement.bind(8, entry.deadReason)
        try statement.bind(9, entry.payload)
        try statement.bind(10, chain.sum(of: entry))
        try statement.run()
    }

    private func remember(_ record: IdempotencyRecord) throws(SQLiteError) {
        let statement = statements.insertAnswer
        try statement.bind(1, record.account.rawValue)
        try statement.bind(2, record.key)
        try statement.bind(3, record.at)
        try statement.bind(4, record.fingerprint)
        try statement.bind(5, Int64(record.status))
        try statement.bind(6, record.head)
        try statement.bind(7, record.body)
        try statement.bind(8, record.at - IdempotencyRecord.keptMilliseconds)
        try statement.bind(9, chain.sum(of: record))
        try statement.run()
    }
}
