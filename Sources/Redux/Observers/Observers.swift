/// Names one subscription; ascending in the order of subscribing.
public struct ObserverID: Hashable, Sendable {
    @usableFromInline let value: UInt64

    @inlinable
    init(value: UInt64) {
        self.value = value
    }
}

/// An ordered list of observers that stays well defined when an observer changes it.
///
/// - Observers hear each event in the order of subscribing.
/// - Unsubscribing inside a notification takes effect at once for those not yet called.
/// - Subscribing inside a notification starts with the next event; a replay asked for there comes at the end of this one.
/// - An event notified by an observer waits until everyone has heard the current one: never recursion.
///
/// Not thread-safe: it belongs to whatever isolates its owner.
public final class Observers<Event> {
    /// What hears an event.
    public typealias Observer = (Event) -> Void

    /// Events that may wait while one is being heard. More means that observers notify each other without end: a programmer error.
    public static var eventsQueuedMax: Int { 1024 }

    @usableFromInline
    struct Entry {
        @usableFromInline let id: ObserverID
        /// Nil once unsubscribed, until the notification ends and the entry goes.
        @usableFromInline var observer: Observer?

        @inlinable
        init(id: ObserverID, observer: Observer?) {
            self.id = id
            self.observer = observer
        }
    }

    /// Ascending by id.
    @usableFromInline var entries: [Entry] = []
    @usableFromInline var lastID: UInt64 = 0
    @usableFromInline var hasGaps = false
    @usableFromInline var queued = FIFO<Event>()
    @usableFromInline var replays = FIFO<(id: ObserverID, event: Event)>()

    @usableFromInline var notifying = false

    /// An observer is being called.
    @inlinable public var isNotifying: Bool { notifying }

    /// Nobody observes yet.
    @inlinable
    public init() {}

    /// Nobody would hear an event: making one can be spared.
    @inlinable public var isEmpty: Bool { entries.isEmpty }

    /// How many observers are subscribed.
    public var count: Int { entries.count { $0.observer != nil } }

    /// Adds an observer behind all others.
    ///
    /// With `replay`, it hears that event first: at once, or at the end of the running notification, unless it has been unsubscribed by then.
    @discardableResult
    public func subscribe(replay: Event? = nil, _ observer: @escaping Observer) -> ObserverID {
        lastID += 1
        let id = ObserverID(value: lastID)
        entries.append(Entry(id: id, observer: observer))
        if let replay {
            replays.append((id, replay))
            if !notifying {
                notifying = true
                runQueues()
            }
        }
        return id
    }

    /// Removes an observer, at once; false where it was not, or no longer, subscribed.
    @discardableResult
    public func unsubscribe(_ id: ObserverID) -> Bool {
        guard let place = place(of: id), entries[place].observer != nil else { return false }
        if notifying {
            // Places must not move under the loop in `deliver`.
            entries[place].observer = nil
            hasGaps = true
        } else {
            entries.remove(at: place)
        }
        return true
    }

    /// Tells every observer, in order; inside a notification, once everyone has heard the current event.
    @inlinable
    public func notify(_ event: Event) {
        guard !notifying else {
            precondition(queued.count < Self.eventsQueuedMax, "observers notify each other without end")
            queued.append(event)
            return
        }
        guard !entries.isEmpty else { return }
        notifying = true
        deliver(event)
        // Nearly always: the queues are generic code that need not be entered.
        if replays.isEmpty && queued.isEmpty && !hasGaps {
            notifying = false
        } else {
            runQueues()
        }
    }

    @inlinable
    func deliver(_ event: Event) {
        // Those who subscribe meanwhile are behind `end`; those who unsubscribe leave nil.
        let end = entries.count
        for place in 0..<end {
            entries[place].observer?(event)
        }
    }

    /// Replays, then queued events, until nothing is left; then the notification is over.
    @usableFromInline
    func runQueues() {
        while true {
            if let (id, event) = replays.popFirst() {
                if let place = place(of: id) { entries[place].observer?(event) }
            } else if let event = queued.popFirst() {
                deliver(event)
            } else {
                break
            }
        }
        if hasGaps {
            entries.removeAll { $0.observer == nil }
            hasGaps = false
        }
        notifying = false
    }

    private func place(of id: ObserverID) -> Int? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].id.value < id.value { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].id == id ? low : nil
    }
}
