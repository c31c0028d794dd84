internal import Persistence
public import Redux

/// What waits in one account's outbox, as far as its store has come: what it has accepted counts before it is committed. A value.
///
/// Kept by name, not as a number: so it is known here, without asking the disk, whether a cancellation, a newer entry with the same key or
/// a settlement takes anything away, and taking away what has gone already changes nothing. It follows the writes in their order, by
/// the rules of `Write.enqueue`, `.settle` and `.cancelEffect`.
struct OutboxStanding: Sendable {
    private var keys: [OutboxID: String?] = [:]
    private var keyed: [String: OutboxID] = [:]

    /// As it was found on the disk.
    init(_ entries: [(id: OutboxID, key: String?)] = []) {
        for entry in entries { insert(entry.id, key: entry.key) }
    }

    /// Entries that wait: to run, for their time, for an answer, or dead for a person.
    var count: Int { keys.count }

    /// A new entry; the one with its key makes room for it.
    mutating func enqueue(_ entry: OutboxEntry) {
        if let key = entry.key { cancel(key) }
        insert(entry.id, key: entry.key)
    }

    /// An entry has gone, or goes in the open batch; one that is not here has been cancelled or replaced before.
    mutating func settle(_ id: OutboxID) {
        guard let key = keys.removeValue(forKey: id) else { return }
        if let key { keyed[key] = nil }
    }

    /// The entry with this key goes, if there is one.
    mutating func cancel(_ key: String) {
        if let id = keyed.removeValue(forKey: key) { keys.removeValue(forKey: id) }
    }

    private mutating func insert(_ id: OutboxID, key: String?) {
        keys.updateValue(key, forKey: id)
        if let key { keyed[key] = id }
    }
}

extension RefusalKind {
    /// As many effects of the account wait as may: a request that asks for more is refused as a whole.
    public static let tooManyEffects = RefusalKind(
        "too-many-effects", title: "The account has as many effects waiting as it may", status: 429)
}
