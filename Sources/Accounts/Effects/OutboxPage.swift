internal import Persistence
internal import Redux

/// A page of the outbox on its way from the disk, and what has happened meanwhile that it cannot know.
struct OutboxPage {
    var isComing = false
    /// A failed read is not repeated before.
    var notBefore: Milliseconds = .min
    private var gone: Set<OutboxID> = []
    private var newest: [EffectKey: OutboxID] = [:]
    private var erased: Set<AccountID> = []

    /// Whether an entry of the page is still there.
    func isCurrent(_ entry: OutboxEntry) -> Bool {
        guard !gone.contains(entry.id), !erased.contains(entry.account) else { return false }
        guard let key = EffectKey(entry), let known = newest[key] else { return true }
        return !(entry.id < known)
    }

    /// An entry was settled, buried, rescheduled or cancelled.
    mutating func forget(_ id: OutboxID) { if isComing { gone.insert(id) } }

    /// An account is no more.
    mutating func forget(_ account: AccountID) { if isComing { erased.insert(account) } }

    /// An entry has taken the place of older ones with its key.
    mutating func replace(_ key: EffectKey, by id: OutboxID) { if isComing { newest[key] = id } }

    mutating func arrived() { (isComing, gone, newest, erased) = (false, [], [:], []) }
}

/// What a committed transaction changed in the outbox, in the order of its writes.
enum EffectChange: Sendable {
    case enqueued(OutboxEntry)
    /// By the action at a revision: what was asked for before it.
    case cancelled(AccountID, EffectCancellation, by: Revision)
    /// The account is no more.
    case erased(AccountID)
}
