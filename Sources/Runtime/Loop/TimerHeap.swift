/// Names a timer of one loop; of no meaning once it has fired or was cancelled.
public struct TimerID: Hashable, Sendable {
    let slot: UInt32
    let generation: UInt32
}

/// Deadlines in order: a binary heap whose entries know their place, so that cancelling takes an entry out at once.
///
/// Timers of one deadline fire in the order they were set.
struct TimerHeap<Job> {
    private struct Entry {
        var deadline: MonotonicTime
        var order: UInt64
        var slot: UInt32

        func precedes(_ other: Entry) -> Bool {
            deadline == other.deadline ? order < other.order : deadline < other.deadline
        }
    }

    private struct Slot {
        var generation: UInt32 = 0
        var place = 0
        var job: Job?
    }

    private var heap: [Entry] = []
    private var slots: [Slot] = []
    private var free: [UInt32] = []
    private var nextOrder: UInt64 = 0

    var count: Int { heap.count }

    /// The earliest deadline; nil without timers.
    var earliest: MonotonicTime? { heap.first?.deadline }

    mutating func insert(_ job: Job, at deadline: MonotonicTime) -> TimerID {
        let slot: UInt32
        if let reused = free.popLast() {
            slot = reused
        } else {
            slot = UInt32(slots.count)
            slots.append(Slot())
        }
        slots[Int(slot)].job = job
        heap.append(Entry(deadline: deadline, order: nextOrder, slot: slot))
        nextOrder += 1
        slots[Int(slot)].place = heap.count - 1
        rise(from: heap.count - 1)
        return TimerID(slot: slot, generation: slots[Int(slot)].generation)
    }

    /// Takes the timer out; false where it has fired or was cancelled.
    @discardableResult
    mutating func cancel(_ id: TimerID) -> Bool {
        guard slots.indices.contains(Int(id.slot)), slots[Int(id.slot)].generation == id.generation,
            slots[Int(id.slot)].job != nil
        else { return false }
        _ = remove(at: slots[Int(id.slot)].place)
        return true
    }

    /// The job of the earliest timer if it is due by `now`.
    mutating func popDue(by now: MonotonicTime) -> Job? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        return remove(at: 0)
    }

    private mutating func remove(at place: Int) -> Job? {
        let slot = Int(heap[place].slot)
        let last = heap.removeLast()
        if place < heap.count {
            heap[place] = last
            slots[Int(last.slot)].place = place
            rise(from: place)
            sink(from: slots[Int(last.slot)].place)
        }
        let job = slots[slot].job
        slots[slot].job = nil
        slots[slot].generation &+= 1
        free.append(UInt32(slot))
        return job
    }

    private mutating func rise(from start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard heap[place].precedes(heap[parent]) else { return }
            exchange(place, parent)
            place = parent
        }
    }

    private mutating func sink(from start: Int) {
        var place = start
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2] where child < heap.count && heap[child].precedes(heap[least]) {
                least = child
            }
            guard least != place else { return }
            exchange(place, least)
            place = least
        }
    }

    private mutating func exchange(_ one: Int, _ other: Int) {
        heap.swapAt(one, other)
        slots[Int(heap[one].slot)].place = one
        slots[Int(heap[other].slot)].place = other
    }
}
