public import Redux
internal import SQLite
internal import Synchronization

/// One database file: a writer that commits in groups, and readers beside it.
///
/// Every method may be called from any thread and none blocks. Completion closures run on the writer's or a reader's queue; they hand over and return.
public final class Database: Sendable {
    /// Whether a database may be made where there is none.
    public enum Mode: Hashable, Sendable {
        /// Makes one where there is none and never was one; else opens it.
        case createIfNew
        /// Opens one that exists.
        case existing
    }

    /// What may be set; the defaults are those of the service.
    public struct Options: Sendable {
        /// Submissions that may wait for the writer.
        public var submissionsWaitingMax = 65_536
        /// Reads that may wait for a reader.
        public var readsWaitingMax = 4_096
        /// Read-only connections, each with a thread of its own.
        public var readers = 2
        /// Serves a database from which acknowledged commits are missing, under a new generation.
        public var acceptLoss = false
        /// Free bytes of the disk below which writes are refused as if it were full; 0 never refuses.
        public var freeBytesMin = 64 << 20
        /// How long the writer waits for a lock that somebody from outside holds.
        public var busyMilliseconds: Int32 = 5_000
        /// After an unclean stop the structure of files up to this size is checked at start (about a second per gigabyte).
        public var quickCheckBytesMax = 256 << 20
        /// The schema and reducer versions of the model, in a form that changes whenever one of them does; empty does not tell.
        public var modelVersion: [UInt8] = []
        /// Log entries of one generation: so many are gathered in memory before they go into the log's index, while the next are gathered.
        public var indexGeneration = 131_072
        /// Failures put into the writer on purpose, for tests.
        public var faults = FaultInjection.none

        /// The defaults of the service.
        public init() {}
    }

    /// Forgotten answers per `Write.forgetIdempotency`.
    public static let forgetBatchMax = 1_000

    /// Opens the database at a path: takes its lock, checks it, brings its schema up to date.
    ///
    /// Blocks; meant for the start of the process. Nothing is made where something was, and a refused file is left as it was.
    public static func open(
        path: String, model: String, mode: Mode, options: Options = Options()
    ) throws(StorageFault) -> Database {
        let paths = StorePaths(path)
        let opened = try Opening(paths: paths, model: model, mode: mode, options: options).run()
        // The writer first and, at the end, last: the readers need its write-ahead log.
        let readers = try paths.sqlite { () throws(SQLiteError) in
            try ReaderPool(
                path: path, recent: opened.file.recent, count: options.readers, waitingMax: options.readsWaitingMax)
        }
        return Database(path: path, opened, readers, options)
    }

    /// Where the file is.
    public let path: String
    /// The identity of this database for good, 16 random bytes.
    public let storeID: [UInt8]
    /// Random; a restore draws a new one, so that no epoch survives it.
    public let generation: UInt64
    /// 32 random bytes drawn when the database was made, for keyed checksums of tokens.
    public let secret: [UInt8]

    let writer: Writer
    private let readers: ReaderPool
    private let accountCounter: Atomic<Int64>
    private let sessionCounter: Atomic<Int64>
    private let postponedCounter: Atomic<Int64>
    let otherVersionThrough: Int64

    private init(path: String, _ opened: sending Opening.Opened, _ readers: ReaderPool, _ options: Options) {
        self.path = path
        storeID = opened.meta.storeID
        generation = opened.meta.generation
        secret = opened.meta.secret
        accountCounter = Atomic(opened.progress.account)
        sessionCounter = Atomic(opened.progress.session)
        postponedCounter = Atomic(opened.postponedHigh)
        otherVersionThrough = opened.otherVersionThrough
        self.readers = readers
        writer = Writer(opened.file, options: options)
    }

    /// The name of an account's history: no revision is ever reused under the same epoch.
    public func epoch(of record: AccountRecord) -> UInt64 {
        var form = HashedForm()
        form.put("storehouse epoch 1")
        form.put(Int64(bitPattern: generation))
        form.put(Int64(bitPattern: record.epochPart))
        form.put(record.id.rawValue)
        return Digest(of: form.bytes).high
    }

    /// An id no account ever had; gone, if it is not used before the process ends.
    public func nextAccountID() -> AccountID {
        let next = accountCounter.add(1, ordering: .relaxed).newValue
        guard let id = AccountID(rawValue: next) else { preconditionFailure("all account numbers are used up") }
        return id
    }

    /// Takes a number that no account ever had, because all that were given out are below it; false where that is not so.
    public func claim(_ account: AccountID) -> Bool {
        accountCounter.max(account.rawValue, ordering: .relaxed).oldValue < account.rawValue
    }

    /// An id no session ever had.
    public func nextSessionID() -> Int64 { sessionCounter.add(1, ordering: .relaxed).newValue }

    /// An id above those of all postponed items.
    public func nextPostponedID() -> Int64 { postponedCounter.add(1, ordering: .relaxed).newValue }

    // MARK: Writing

    /// Queues writes that stand or fall together; `then` is called on the writer's queue, in order of submission, once they are durable or have failed.
    public func submit(_ writes: [Write], then: @escaping @Sendable (Result<Void, CommitFault>) -> Void) {
        submit([Submission(writes, then: then)])
    }

    /// Queues several submissions under one lock and one wake-up.
    public func submit(_ submissions: [Submission]) {
        guard !submissions.isEmpty else { return }
        writer.submit(submissions)
    }

    /// What the writer has done so far.
    public var metrics: WriterMetrics { writer.metrics }

    /// What the database and its write-ahead log take on the disk now, in bytes.
    public var fileBytes: (database: Int, log: Int) {
        let paths = StorePaths(path)
        func size(_ path: String) -> Int { if case .file(let bytes) = StorePaths.kind(of: path) { bytes } else { 0 } }
        return (size(paths.database), size(paths.log))
    }

    /// Says that about a second has passed: an idle writer makes a checkpoint.
    public func tick() { writer.onQueue { $0.tick() } }

    /// Commits what waits, empties the write-ahead log into the file, closes, unlocks. `then` is called once, when all of it is done.
    ///
    /// Call it once. What is submitted or read afterwards fails with `closed`.
    public func close(then: @escaping @Sendable () -> Void) {
        writer.closeInbox()
        let writer = writer
        readers.close {
            writer.onQueue { writer in
                writer.close()
                then()
            }
        }
    }

    // MARK: Reading

    /// Runs a read on the next free reader, for the reads that stand in files of their own.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadConnection) -> Result<Value, StorageFault>,
        then: @escaping @Sendable (Result<Value, StorageFault>) -> Void
    ) {
        readers.read(body, then: then)
    }

    /// Everything of an account that its store needs; nil where there is no such account.
    public func load(
        _ account: AccountID, idempotencySince: Milliseconds = 0,
        then: @escaping @Sendable (Result<LoadedAccount?, StorageFault>) -> Void
    ) {
        let boundary = otherVersionThrough
        readers.read(
            { $0.load(account, idempotencySince: idempotencySince, otherVersionThrough: boundary) }, then: then)
    }

    /// A page of an account's log: entries with `after < revision < before`, at most `limit`, of one action name where given.
    public func entries(
        of account: AccountID, after: Revision = 0, before: Revision = .max, name: String? = nil, limit: Int,
        then: @escaping @Sendable (Result<LogPage, StorageFault>) -> Void
    ) {
        readers.read({ $0.entries(of: account, after: after, before: before, name: name, limit: limit) }, then: then)
    }

    /// One entry of an account's log; nil where it is not kept or not yet written.
    public func entry(
        of account: AccountID, revision: Revision, then: @escaping @Sendable (Result<LogEntry?, StorageFault>) -> Void
    ) {
        guard revision > 0 else { return entries(of: account, limit: 0) { result in then(result.map { _ in nil }) } }
        entries(of: account, after: revision - 1, limit: 1) { result in
            then(result.map { page in page.entries.first.flatMap { $0.revision == revision ? $0 : nil } })
        }
    }

    /// The newest undamaged snapshot at or before a revision; nil where there is none.
    public func snapshot(
        of account: AccountID, atOrBefore revision: Revision,
        then: @escaping @Sendable (Result<SnapshotRecord?, StorageFault>) -> Void
    ) {
        readers.read({ $0.snapshot(of: account, atOrBefore: revision) }, then: then)
    }

    /// Effects of all accounts that are due at an instant, in order of due time, then of `OutboxID`, from behind a place; dead ones left out.
    public func dueEffects(
        after place: DuePlace = .start, upTo: Milliseconds, limit: Int,
        then: @escaping @Sendable (Result<[OutboxEntry], StorageFault>) -> Void
    ) {
        readers.read({ $0.dueEffects(after: place, upTo: upTo, limit: limit) }, then: then)
    }

    /// The due time of the earliest effect after an instant; nil where none waits.
    public func nextDue(after: Milliseconds, then: @escaping @Sendable (Result<Milliseconds?, StorageFault>) -> Void) {
        readers.read({ $0.nextDue(after: after) }, then: then)
    }

    /// An account's whole outbox in order of `OutboxID`, dead entries included.
    public func outbox(of account: AccountID, then: @escaping @Sendable (Result<[OutboxEntry], StorageFault>) -> Void) {
        readers.read({ $0.outbox(of: account) }, then: then)
    }

    /// An account's postponed items under a tag (nil: all), first in first out.
    public func postponed(
        of account: AccountID, tag: String?, then: @escaping @Sendable (Result<[PostponedRecord], StorageFault>) -> Void
    ) {
        readers.read({ $0.postponed(of: account, tag: tag) }, then: then)
    }

    /// An account's sessions, ascending by id.
    public func sessions(of account: AccountID, then: @escaping @Sendable (Result<[SessionRecord], StorageFault>) -> Void) {
        readers.read(
            { connection in connection.plain(of: account) { () throws(SQLiteError) in try connection.sessions(of: account) } },
            then: then)
    }

    /// The account with this email address in its comparable form.
    public func account(withEmail email: String, then: @escaping @Sendable (Result<AccountRecord?, StorageFault>) -> Void) {
        readers.read({ $0.account(withEmail: email) }, then: then)
    }

    /// Accounts with sessions that have ended by themselves, at most `limit` sessions looked at, the longest ended first.
    public func accountsWithExpiredSessions(
        upTo instant: Milliseconds, limit: Int, then: @escaping @Sendable (Result<[AccountID], StorageFault>) -> Void
    ) {
        readers.read({ $0.accountsWithExpiredSessions(upTo: instant, limit: limit) }, then: then)
    }

    /// Accounts in ascending order of id, at most `limit` of those after one.
    public func accounts(
        after: AccountID?, limit: Int, then: @escaping @Sendable (Result<[AccountRecord], StorageFault>) -> Void
    ) {
        readers.read({ $0.accounts(after: after?.rawValue ?? 0, limit: limit) }, then: then)
    }

    /// What an account takes in the database; nil where there is no such account.
    public func sizes(of account: AccountID, then: @escaping @Sendable (Result<AccountSizes?, StorageFault>) -> Void) {
        readers.read({ $0.accountSizes(of: account) }, then: then)
    }
}
