import Testing

@testable import Runtime

@Suite struct TimerHeapTests {
    private func time(_ milliseconds: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: 0).advanced(byMilliseconds: milliseconds)
    }

    @Test func `timers come due in the order of their deadlines, and of one deadline in the order they were set`() {
        var heap = TimerHeap<String>()
        _ = heap.insert("late", at: time(30))
        _ = heap.insert("first", at: time(10))
        _ = heap.insert("second", at: time(10))
        #expect(heap.earliest == time(10))
        #expect(heap.popDue(by: time(9)) == nil)
        #expect(heap.popDue(by: time(30)) == "first")
        #expect(heap.popDue(by: time(30)) == "second")
        #expect(heap.popDue(by: time(30)) == "late")
        #expect(heap.popDue(by: .never) == nil)
    }

    @Test func `a cancelled timer never fires, and cancelling twice or after firing does nothing`() {
        var heap = TimerHeap<Int>()
        let one = heap.insert(1, at: time(1))
        let two = heap.insert(2, at: time(2))
        #expect(heap.cancel(one) == true)
        #expect(heap.cancel(one) == false)
        let three = heap.insert(3, at: time(3))  // takes the slot of the first
        #expect(heap.cancel(one) == false)
        #expect(heap.popDue(by: time(2)) == 2)
        #expect(heap.cancel(two) == false)
        #expect(heap.cancel(three) == true)
        #expect(heap.count == 0)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>) func `against a sorted list, over random insertions and cancellations`(
        seed: UInt64
    ) {
        var random = SplitMix(state: seed)
        var heap = TimerHeap<Int>()
        var model: [(id: TimerID, deadline: Int, number: Int)] = []
        for number in 0..<500 {
            switch random.next() % 4 {
            case 0 where !model.isEmpty:
                let victim = model.remove(at: Int(random.next() % UInt64(model.count)))
                #expect(heap.cancel(victim.id) == true)
            case 1:
                let now = Int(random.next() % 100)
                let due = model.filter { $0.deadline <= now }.sorted { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
                for expected in due { #expect(heap.popDue(by: time(now)) == expected.number, "seed \(seed)") }
                #expect(heap.popDue(by: time(now)) == nil, "seed \(seed)")
                model.removeAll { $0.deadline <= now }
            default:
                let deadline = Int(random.next() % 100)
                model.append((heap.insert(number, at: time(deadline)), deadline, number))
            }
            #expect(heap.count == model.count)
        }
    }
}

/// A small generator with a printed seed (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
