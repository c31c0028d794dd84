public import Persistence
public import Redux

/// One or several actions for one account, with all that decides how they are answered.
public struct DispatchRequest<Model: AccountModel>: Sendable {
    /// In order; several are an atomic batch.
    public var actions: [Model.Action]
    /// What must hold of the account before anything is performed (If-Match).
    public var precondition: Precondition?
    /// The trace context it came with, in the form of `LogEntry.trace`.
    public var trace: [UInt8]?
    /// Makes a retry harmless.
    public var key: IdempotencyKey?
    /// Gives the answer and keeps nothing.
    public var isDryRun = false
    /// The outbox entry whose outcome this is; it is removed in the same transaction. Only the service's own actions have one.
    public var settles: OutboxID?
    /// Instead of being removed, that entry stays, dead for this reason.
    public var buries: String?
    /// Writes the success answer. Runs on the account's executor before the commit, so that a stored answer is in its transaction.
    public var render: @Sendable (Receipt<Model>) -> RenderedAnswer

    /// Makes a request that is to be kept, without a precondition, a key or a trace context.
    public init(_ actions: [Model.Action], render: @escaping @Sendable (Receipt<Model>) -> RenderedAnswer) {
        self.actions = actions
        self.render = render
    }
}

/// The conditions of a request (RFC 9110, 13.1), compared with the working head.
public indirect enum Precondition: Sendable {
    /// `If-Match: *`: the account exists.
    case exists
    /// If-Match with quoted entity tags: strong comparison, any of them will do.
    case tags([[UInt8]])
    /// `If-None-Match: *`: the account does not exist. It does, so this never holds.
    case absent
    /// If-None-Match with quoted entity tags: weak comparison, none of them may do.
    case noTags([[UInt8]])
    /// Both.
    case both(Precondition, Precondition)
}

/// An Idempotency-Key and a digest of the request it came with.
public struct IdempotencyKey: Sendable {
    /// As the client chose it, without the field's quotes; unique within the account.
    public let key: String
    /// 16 bytes; the same key with another digest is refused.
    public let fingerprint: [UInt8]

    /// Makes a key of its parts; neither is checked.
    public init(key: String, fingerprint: [UInt8]) {
        self.key = key
        self.fingerprint = fingerprint
    }
}

/// What a dispatch did, as its answer tells it.
public struct Receipt<Model: AccountModel>: Sendable {
    /// An accepted action.
    public struct Accepted: Sendable {
        /// The account's, after the action.
        public let revision: Revision
        /// The action's type, as in the log.
        public let name: String
        /// The client's own, not something that follows from it or was put before it.
        public let isOwn: Bool
    }

    /// Whose answer it is.
    public let account: AccountID
    /// Names the account's history, as in `AccountHandle.epoch`.
    public let epoch: String
    /// The head after the actions and what followed from them.
    public let revision: Revision
    /// Whether the state differs from the one before.
    public let changed: Bool
    /// The accepted actions with their revisions, follow-ups last.
    public let actions: [Accepted]
    /// The state at `revision`.
    public let state: Shared<Model.State>
    /// The effects asked for, for a dry run's answer.
    public let effects: [OutboxEntry]
}

/// A success answer in the form in which it is sent, and stored with an idempotency key.
public struct RenderedAnswer: Sendable {
    /// The HTTP status code.
    public let status: Int
    /// Complete field lines, each ended by CRLF.
    public let fields: [UInt8]
    /// Sent byte for byte as it is.
    public let body: [UInt8]

    /// Makes an answer of its parts as they are; nothing is checked or added.
    public init(status: Int, fields: [UInt8], body: [UInt8]) {
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// How a dispatch ended. Delivered once, after the output gate.
public enum Verdict: Sendable {
    case done(RenderedAnswer)
    /// The stored answer of an earlier request with the same key.
    case replayed(RenderedAnswer)
    /// Nothing happened; `index` is the place in a batch.
    case refused(Refusal, index: Int?)
    /// The account has moved on.
    case preconditionFailed(head: Revision)
    /// The key belongs to another request (422).
    case keyReused
    /// The first request with this key is still running (409).
    case keyRunning
    /// The account holds as many keys as it may (429).
    case tooManyKeys
    /// The account has postponed as much as it may (429).
    case tooManyPostponed
    /// A tag of the account is being run (409).
    case postponedRunning
    /// Not admitted: too much waits already (503).
    case overloaded
    /// Not admitted: what was admitted before waits for the writer too long already (503).
    case writerBehind
    /// Not admitted: the account has used up its rate (429).
    case rateExceeded(waitMilliseconds: Milliseconds)
    /// The commit failed; with `outcomeUnknown`, whether the action is kept is not known.
    case commitFailed(CommitFault)
    /// The account's stored history cannot be read; it is set aside.
    case unreadable(HistoryFault)
    /// The account could not be read.
    case storage(StorageFault)
    /// There is no such account.
    case noAccount
}

extension Precondition {
    /// Whether it holds for an account's newest committed state, or one of its views.
    public func holds(for published: PublishedState, epoch: String) -> Bool {
        holds(tag: published.tag) { name in
            (try? published.view(name)).flatMap { $0 }.map { EntityTag.view(name, epoch: epoch, value: $0) }
        }
    }

    /// Whether it holds for a state's tag, or for the tag of one of its views.
    func holds(tag: [UInt8], view: (String) -> [UInt8]?) -> Bool {
        switch self {
        case .exists: return true
        case .absent: return false
        case .both(let first, let second): return first.holds(tag: tag, view: view) && second.holds(tag: tag, view: view)
        case .noTags(let tags):
            let strong = tags.map { $0.starts(with: Array("W/".utf8)) ? Array($0.dropFirst(2)) : $0 }
            return !Precondition.tags(strong).holds(tag: tag, view: view)
        case .tags(let tags):
            return tags.contains { candidate in
                if candidate == tag { return true }
                guard let name = EntityTag.viewName(in: candidate), let viewTag = view(name) else { return false }
                return candidate == viewTag
            }
        }
    }
}

extension IdempotencyRecord {
    /// The stored answer.
    var answer: RenderedAnswer { RenderedAnswer(status: status, fields: head, body: body) }
}
