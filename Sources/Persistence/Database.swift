package import Redux

/// One database file: a writer that commits in groups, and readers beside it.
///
/// Every method may be called from any thread and none blocks. Completion closures run on the writer's or a reader's queue; they hand over and return.
package final class Database: Sendable {
    /// Whether a database may be made where there is none.
    package enum Mode: Hashable, Sendable {
        /// Makes one where there is none and never was one; else opens it.
        case createIfNew
        /// Opens one that exists.
        case existing
    }

    /// What may be set; the defaults are those of the service.
    package struct Options: Sendable {
        /// Submissions that may wait for the writer.
        package var submissionsWaitingMax = 65_536
        /// Reads that may wait for a reader.
        package var readsWaitingMax = 4_096
        /// Read-only connections, each with a thread of its own.
        package var readers = 2
        /// Serves a database from which acknowledged commits are missing, under a new generation.
        package var acceptLoss = false
        package var faults = FaultInjection.none

        package init() {}
    }

    /// Forgotten answers per `Write.forgetIdempotency`.
    package static let forgetBatchMax = 1_000

    /// Opens the database at a path: takes its lock, checks it, brings its schema up to date.
    ///
    /// Blocks; meant for the start of the process. Nothing is made where something was, and a refused file is left as it was.
    package static func open(
        path: String, model: String, mode: Mode, options: Options = Options()
    ) throws(StorageFault) -> Database {
        fatalError("in the works")
    }

    private init() { fatalError("in the works") }

    /// The identity of this database for good.
    package var storeID: [UInt8] { fatalError("in the works") }

    /// Random; a restore draws a new one, so that no epoch survives it.
    package var generation: UInt64 { fatalError("in the works") }

    /// 32 random bytes drawn when the database was made, for keyed checksums of tokens.
    package var secret: [UInt8] { fatalError("in the works") }

    /// The name of an account's history: no revision is ever reused under the same epoch.
    package func epoch(of record: AccountRecord) -> UInt64 { fatalError("in the works") }

    /// An id no account ever had; gone, if it is not used before the process ends.
    package func nextAccountID() -> AccountID { fatalError("in the works") }

    /// An id no session ever had.
    package func nextSessionID() -> Int64 { fatalError("in the works") }

    /// An id above those of all postponed items.
    package func nextPostponedID() -> Int64 { fatalError("in the works") }

    // MARK: Writing

    /// Queues writes that stand or fall together; `then` is called on the writer's queue, in order of submission, once they are durable or have failed.
    package func submit(_ writes: [Write], then: @escaping @Sendable (Result<Void, CommitFault>) -> Void) {
        submit([Submission(writes, then: then)])
    }

    /// Queues several submissions under one lock and one wake-up.
    package func submit(_ submissions: [Submission]) { fatalError("in the works") }

    package var metrics: WriterMetrics { fatalError("in the works") }

    /// Says that about a second has passed: an idle writer checkpoints, and looks at the free space of the disk.
    package func tick() { fatalError("in the works") }

    /// Commits what waits, empties the write-ahead log into the file, closes, unlocks. `then` is called once, when all of it is done.
    package func close(then: @escaping @Sendable () -> Void) { fatalError("in the works") }

    // MARK: Reading

    /// Everything of an account that its store needs; nil where there is no such account.
    package func load(
        _ account: AccountID, idempotencySince: Milliseconds = 0,
        then: @escaping @Sendable (Result<LoadedAccount?, StorageFault>) -> Void
    ) { fatalError("in the works") }

    /// A page of an account's log: entries with `after < revision < before`, at most `limit`, of one action name where given.
    package func entries(
        of account: AccountID, after: Revision = 0, before: Revision = .max, name: String? = nil, limit: Int,
        then: @escaping @Sendable (Result<LogPage, StorageFault>) -> Void
    ) { fatalError("in the works") }

    /// One entry of an account's log; nil where it is not kept or not yet written.
    package func entry(
        of account: AccountID, revision: Revision, then: @escaping @Sendable (Result<LogEntry?, StorageFault>) -> Void
    ) { fatalError("in the works") }

    /// The newest undamaged snapshot at or before a revision; nil where there is none.
    package func snapshot(
        of account: AccountID, atOrBefore revision: Revision,
        then: @escaping @Sendable (Result<SnapshotRecord?, StorageFault>) -> Void
    ) { fatalError("in the works") }

    /// Effects of all accounts that are due at an instant, in order of due time, then of `OutboxID`; dead ones left out.
    package func dueEffects(
        upTo: Milliseconds, limit: Int, then: @escaping @Sendable (Result<[OutboxEntry], StorageFault>) -> Void
    ) { fatalError("in the works") }

    /// The due time of the earliest effect after an instant; nil where none waits.
    package func nextDue(after: Milliseconds, then: @escaping @Sendable (Result<Milliseconds?, StorageFault>) -> Void) {
        fatalError("in the works")
    }

    /// An account's whole outbox in order of `OutboxID`, dead entries included.
    package func outbox(of account: AccountID, then: @escaping @Sendable (Result<[OutboxEntry], StorageFault>) -> Void) {
        fatalError("in the works")
    }

    /// An account's postponed items under a tag (nil: all), first in first out.
    package func postponed(
        of account: AccountID, tag: String?, then: @escaping @Sendable (Result<[PostponedRecord], StorageFault>) -> Void
    ) { fatalError("in the works") }

    /// An account's sessions, ascending by id.
    package func sessions(of account: AccountID, then: @escaping @Sendable (Result<[SessionRecord], StorageFault>) -> Void) {
        fatalError("in the works")
    }

    /// The account with this email address in its comparable form.
    package func account(withEmail email: String, then: @escaping @Sendable (Result<AccountRecord?, StorageFault>) -> Void) {
        fatalError("in the works")
    }

    /// Accounts in ascending order of id, at most `limit` of those after one.
    package func accounts(
        after: AccountID?, limit: Int, then: @escaping @Sendable (Result<[AccountRecord], StorageFault>) -> Void
    ) { fatalError("in the works") }

    /// What an account takes in the database; nil where there is no such account.
    package func sizes(of account: AccountID, then: @escaping @Sendable (Result<AccountSizes?, StorageFault>) -> Void) {
        fatalError("in the works")
    }
}
