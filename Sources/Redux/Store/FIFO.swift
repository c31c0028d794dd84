/// A first-in first-out queue over one array. Whoever fills it bounds it.
@usableFromInline
struct FIFO<Element> {
    /// Slots before `head` are taken and nil, so that what they held is released at once.
    @usableFromInline var slots: [Element?] = []
    @usableFromInline var head = 0

    @inlinable
    init() {}

    @inlinable var count: Int { slots.count - head }
    @inlinable var isEmpty: Bool { head == slots.count }

    @inlinable
    mutating func append(_ element: Element) {
        slots.append(element)
    }

    /// Takes the oldest element; nil when there is none.
    @inlinable
    mutating func popFirst() -> Element? {
        guard head < slots.count else { return nil }
        let element = slots[head].take()
        head += 1
        if head == slots.count {
            slots.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64 && head * 2 >= slots.count {
            // Moved at most once per element taken, so taking stays constant on average.
            slots.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Takes back the newest elements until `count` are left.
    @inlinable
    mutating func truncate(to count: Int) {
        guard count < self.count else { return }
        slots.removeLast(self.count - count)
        if isEmpty {
            slots.removeAll(keepingCapacity: true)
            head = 0
        }
    }
}
