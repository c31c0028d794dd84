internal import Persistence
internal import Redux

/// Names an entry that later ones with the same key replace.
struct EffectKey: Hashable {
    let account: AccountID
    let key: String

    /// Nil where the entry replaces nothing.
    init?(_ entry: OutboxEntry) {
        guard let key = entry.key else { return nil }
        self.init(account: entry.account, key: key)
    }

    init(account: AccountID, key: String) {
        self.account = account
        self.key = key
    }
}

/// Outbox entries in the order in which they are due: a binary heap that holds each entry once, and each key of an account once.
struct DueQueue {
    private struct Slot {
        let due: Milliseconds
        let id: OutboxID
    }
    private var heap: [Slot] = []
    private var entries: [OutboxID: OutboxEntry] = [:]
    private var keyed: [EffectKey: OutboxID] = [:]

    var count: Int { entries.count }

    /// When the next entry is due; may be early where an entry was replaced.
    var nextDue: Milliseconds? { heap.first?.due }

    /// Adds an entry, or gives it another due time; replaces the account's entry with the same key, unless that one is newer.
    mutating func insert(_ entry: OutboxEntry) {
        if let key = EffectKey(entry) {
            if let known = keyed[key], known != entry.id {
                guard known < entry.id else { return }
                entries[known] = nil
            }
            keyed[key] = entry.id
        }
        if let known = entries[entry.id], known.due == entry.due { return }
        entries[entry.id] = entry
        heap.append(Slot(due: entry.due, id: entry.id))
        siftUp(heap.count - 1)
    }

    /// Takes out the first entry that is due at `now`; nil where none is.
    mutating func popDue(at now: Milliseconds) -> OutboxEntry? {
        while let first = heap.first, first.due <= now {
            removeFirst()
            // A slot whose entry has gone, or has another due time now, is stale.
            guard let entry = entries[first.id], entry.due == first.due else { continue }
            remove(entry)
            return entry
        }
        return nil
    }

    /// Takes an entry out, whenever it is due; nil where it is not here.
    @discardableResult
    mutating func remove(_ id: OutboxID) -> OutboxEntry? {
        guard let entry = entries[id] else { return nil }
        remove(entry)
        return entry
    }

    /// The entry with a key.
    func id(of key: EffectKey) -> OutboxID? { keyed[key] }

    /// Takes out all of an account. Looks at every entry: for an account that is erased.
    mutating func removeAll(of account: AccountID) {
        for entry in entries.values where entry.account == account { remove(entry) }
    }

    /// Its slot stays in the heap, stale.
    private mutating func remove(_ entry: OutboxEntry) {
        entries[entry.id] = nil
        if let key = EffectKey(entry), keyed[key] == entry.id { keyed[key] = nil }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        (heap[left].due, heap[left].id) < (heap[right].due, heap[right].id)
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0, precedes(child, (child - 1) / 2) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, least) { least = child }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
