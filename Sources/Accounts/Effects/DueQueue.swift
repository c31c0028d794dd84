internal import Persistence
internal import Redux

/// Outbox entries in the order in which they are due: a binary heap that holds each entry once, and each key of an account once.
struct DueQueue {
    private struct Slot {
        let due: Milliseconds
        let id: OutboxID
    }
    private struct Key: Hashable {
        let account: AccountID
        let key: String
    }
    private var heap: [Slot] = []
    private var entries: [OutboxID: OutboxEntry] = [:]
    private var keyed: [Key: OutboxID] = [:]

    var count: Int { entries.count }

    /// When the next entry is due; may be early where an entry was replaced.
    var nextDue: Milliseconds? { heap.first?.due }

    /// Adds an entry, or gives it another due time; replaces the account's entry with the same key.
    mutating func insert(_ entry: OutboxEntry) {
        if let name = entry.key {
            let key = Key(account: entry.account, key: name)
            if let replaced = keyed[key], replaced != entry.id { entries[replaced] = nil }
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
            entries[first.id] = nil
            if let name = entry.key { keyed[Key(account: entry.account, key: name)] = nil }
            return entry
        }
        return nil
    }

    /// Takes out everything of an account.
    mutating func remove(of account: AccountID) {
        for id in entries.keys where id.account == account { entries[id] = nil }
        for key in keyed.keys where key.account == account { keyed[key] = nil }
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
