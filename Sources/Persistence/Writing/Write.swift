public import Redux

/// One change of the database. What is submitted together is committed together, or not at all.
public enum Write: Sendable {
    /// A new account, under an id from `Database.nextAccountID()`. Conflict: the email address is taken.
    case createAccount(AccountRecord)
    /// Replaces email address, password hash and profile of an account. Conflict: the email address is taken, or no such account.
    case updateAccount(AccountRecord)
    /// Erases everything of an account: log, snapshots, outbox, sessions, idempotency and postponed records.
    case eraseAccount(AccountID)

    case createSession(SessionRecord)
    /// Replaces token hash and expiry of a session.
    case renewSession(SessionRecord)
    case endSession(id: Int64, account: AccountID)

    /// The next transition of an account. Conflict: its revision is not the one after the last.
    case append(LogEntry)
    /// The base that a new account starts from in place of the initial state, at whatever revision. Conflict: it has a history already.
    case begin(SnapshotRecord)
    /// A stored state at a revision the log has reached. With it those are deleted that are neither one of the newest two, nor a base,
    /// nor the first of a stretch of `Database.snapshotSpacing` revisions.
    case snapshot(SnapshotRecord)
    /// Forgets the log up to and including a revision. Conflict: no base at or after it.
    case trim(AccountID, through: Revision)
    /// Forgets what of an account's log is older than it has to be kept, as far as a stored state covers it, which becomes a base.
    case retain(AccountID, LogRetention)

    /// An effect to be run; replaces the account's entry with the same key, if there is one.
    case enqueue(OutboxEntry)
    /// The effect is done: its entry goes.
    case settle(OutboxID)
    case reschedule(OutboxID, due: Milliseconds, attempt: Int)
    /// The effect is not tried any more.
    case bury(OutboxID, reason: String)
    /// Deletes the account's entry with this key, if there is one.
    case cancelEffect(AccountID, key: String)

    /// The answer given under an idempotency key. Conflict: the key is taken.
    case remember(IdempotencyRecord)
    /// Forgets one answer, whether it is there or not.
    case forgetAnswer(AccountID, key: String)
    /// Forgets a few answers given before an instant: `Database.forgetBatchMax` at a time.
    case forgetIdempotency(before: Milliseconds)

    case postpone(PostponedRecord)
    case unpostpone(id: Int64, account: AccountID)
}

/// Writes that stand or fall together, and who is told.
public struct Submission: Sendable {
    /// Applied in this order, within one transaction.
    public let writes: [Write]
    /// Called once, on the writer's queue, in the order of submission, after the outcome is known. Must not block.
    public let then: @Sendable (Result<Void, CommitFault>) -> Void

    /// Whether an account is erased by it.
    var erases: Bool { writes.contains { if case .eraseAccount = $0 { true } else { false } } }

    /// - Parameter then: called once, on the writer's queue; must not block.
    public init(_ writes: [Write], then: @escaping @Sendable (Result<Void, CommitFault>) -> Void) {
        self.writes = writes
        self.then = then
    }
}
