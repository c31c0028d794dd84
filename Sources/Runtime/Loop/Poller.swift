internal import CLinux
internal import Glibc

/// An epoll set with its table of registrations (epoll(7)): level-triggered, generations in the event data.
///
/// Safe although `epoll_event` holds a union with a pointer: only its integer member is ever used.
@safe
struct Poller: ~Copyable {
    /// Events taken in one turn.
    static let eventsPerTurnMax = 128

    private struct Slot {
        var generation: UInt32 = 0
        var raw: Int32 = -1
        var interest: Interest = []
        var handler: (any EventHandler)?
    }

    private let descriptor: Descriptor
    private var events = unsafe [epoll_event](repeating: epoll_event(), count: Poller.eventsPerTurnMax)
    private var slots: [Slot] = []
    private var free: [UInt32] = []

    init() throws(SystemError) {
        descriptor = Descriptor(
            adopting: Int32(try System.checked("epoll_create1") { Int(epoll_create1(Int32(EPOLL_CLOEXEC))) }))
    }

    var raw: Int32 { descriptor.raw }

    /// Takes what is ready, waiting up to `milliseconds` for the first; returns how many.
    ///
    /// A signal ends the wait early: begun anew with its whole time, it would put timers off for as long as signals come.
    mutating func wait(milliseconds: Int) -> Int {
        let count = unsafe epoll_wait(descriptor.raw, &events, Int32(Poller.eventsPerTurnMax), Int32(milliseconds))
        if count >= 0 { return Int(count) }
        guard errno == EINTR else { fatalError("epoll_wait: errno \(errno) is a bug of ours") }
        return 0
    }

    /// The event at a position of the last `wait`; nil where its registration has ended since.
    func event(at position: Int) -> (handler: any EventHandler, readiness: Readiness)? {
        let event = unsafe events[position]
        guard let handler = handler(of: Registration(token: unsafe event.data.u64)) else { return nil }
        return (handler, Readiness(epollMask: unsafe event.events))
    }

    func handler(of registration: Registration) -> (any EventHandler)? {
        let index = Int(registration.slot)
        guard index < slots.count, slots[index].generation == registration.generation else { return nil }
        return slots[index].handler
    }

    mutating func add(_ raw: Int32, _ interest: Interest, _ handler: any EventHandler) throws(SystemError) -> Registration {
        let slot = free.popLast() ?? UInt32(slots.count)
        if Int(slot) == slots.count { slots.append(Slot()) }
        let registration = Registration(slot: slot, generation: slots[Int(slot)].generation)
        do throws(SystemError) {
            try control(EPOLL_CTL_ADD, raw, interest, registration)
        } catch {
            free.append(slot)
            throw error
        }
        slots[Int(slot)].raw = raw
        slots[Int(slot)].interest = interest
        slots[Int(slot)].handler = handler
        return registration
    }

    mutating func update(_ registration: Registration, to interest: Interest) {
        let index = Int(registration.slot)
        guard index < slots.count, slots[index].generation == registration.generation,
            slots[index].interest.rawValue != interest.rawValue
        else { return }
        slots[index].interest = interest
        do throws(SystemError) {
            try control(EPOLL_CTL_MOD, slots[index].raw, interest, registration)
        } catch {
            fatalError("\(error)")  // the descriptor was closed before it was deregistered
        }
    }

    mutating func remove(_ registration: Registration) {
        let index = Int(registration.slot)
        guard index < slots.count, slots[index].generation == registration.generation, slots[index].handler != nil else { return }
        do throws(SystemError) {
            try control(EPOLL_CTL_DEL, slots[index].raw, [], registration)
        } catch {
            fatalError("\(error)")
        }
        slots[index].generation &+= 1
        slots[index].raw = -1
        slots[index].handler = nil
        free.append(registration.slot)
    }

    mutating func removeAll() {
        for index in slots.indices {
            remove(Registration(slot: UInt32(index), generation: slots[index].generation))
        }
    }

    private func control(_ operation: Int32, _ raw: Int32, _ interest: Interest, _ registration: Registration) throws(SystemError)
    {
        var event = unsafe epoll_event()
        unsafe event.events = interest.epollMask
        unsafe event.data.u64 = registration.token
        try System.checked("epoll_ctl") { unsafe Int(epoll_ctl(descriptor.raw, operation, raw, &event)) }
    }
}
