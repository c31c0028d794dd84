internal import Runtime
internal import Synchronization

/// Accepts connections on one loop and deals them out to all loops in turn.
///
/// In turn, because with SO_REUSEPORT the kernel deals by hash, which leaves loops uneven at the few dozen connections of a gateway; the hand-over costs one
/// job per connection, not per request. When descriptors run out, accepting pauses for a moment instead of spinning on a readiness that cannot be served.
final class Acceptor: EventHandler {
    private var listener: Listener?
    private let shards: [LoopLocal<Shard>]
    private let census: Census
    private let counters: AcceptCounters
    private let log: Log
    private var registration: Registration?
    private var next = 0
    private var isPaused = false

    init(listener: consuming Listener, shards: [LoopLocal<Shard>], census: Census, counters: AcceptCounters, log: Log) {
        self.listener = consume listener
        self.shards = shards
        self.census = census
        self.counters = counters
        self.log = log
    }

    func open(on loop: isolated EventLoop) throws(SystemError) {
        registration = try listener!.register(for: .read, self, on: loop)
    }

    func handle(_ readiness: Readiness, on loop: isolated EventLoop) {
        guard !isPaused, registration != nil else { return }
        for _ in 0..<ServerLimits.acceptsPerTurnMax {
            if census.isOverfull { return pause("connections", on: loop) }
            do throws(SystemError) {
                guard let accepted = try listener!.accept() else { return }
                admit(accepted, on: loop)
            } catch {
                return pause("\(error)", on: loop)
            }
        }
    }

    private func admit(_ accepted: consuming Accepted, on loop: isolated EventLoop) {
        let peer = accepted.peer
        counters.accepted.wrappingAdd(1, ordering: .relaxed)
        let refusal = census.enter(peer)
        if refusal != nil { counters.refused.wrappingAdd(1, ordering: .relaxed) }
        let shard = shards[next]
        next = (next + 1) % shards.count
        if shard.loop === loop {
            shard.value(on: loop)?.admit(accepted.take(), peer: peer, refusal: refusal, on: loop)
        } else {
            let raw = accepted.take().release()
            shard.loop.execute { loop in
                let socket = Socket(adopting: Descriptor(adopting: raw))
                shard.value(on: loop)?.admit(socket, peer: peer, refusal: refusal, on: loop)
            }
        }
    }

    private func pause(_ cause: String, on loop: isolated EventLoop) {
        guard let registration else { return }
        isPaused = true
        counters.pauses.wrappingAdd(1, ordering: .relaxed)
        log.warning("accepting pauses", ["cause": .text(cause)])
        loop.update(registration, to: [])
        loop.schedule(afterMilliseconds: ServerLimits.acceptPauseMilliseconds) { [self] in resume(on: loop) }
    }

    private func resume(on loop: isolated EventLoop) {
        guard let registration else { return }
        isPaused = false
        loop.update(registration, to: .read)
    }

    /// Accepts no more, and gives the port up.
    func close(on loop: isolated EventLoop) {
        guard let registration else { return }
        self.registration = nil
        loop.deregister(registration)
        listener = nil
    }
}
