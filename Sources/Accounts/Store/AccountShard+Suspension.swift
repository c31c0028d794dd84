internal import Persistence
internal import Redux
internal import Runtime

// How stores leave memory: idle ones by and by, the least recently used beyond the bound, all of them at the end.

extension AccountShard {
    /// How often the idle are looked for, and how many times the hand goes round in an idle period.
    private static var sweepMilliseconds: Int { 250 }
    private static var roundsPerIdlePeriod: Int { 4 }

    /// Begins to suspend what is idle, a few stores at a time.
    func start() { scheduleSweep() }

    private func scheduleSweep() {
        loop.assumeIsolated { scheduleSweep(on: $0) }
    }

    private func scheduleSweep(on loop: isolated EventLoop) {
        loop.schedule(afterMilliseconds: Self.sweepMilliseconds) {
            self.assumeIsolated { shard in
                shard.suspendIdle()
                shard.scheduleSweep()
            }
        }
    }

    private func suspendIdle() {
        let now = loop.time.wallMilliseconds()
        let idle = service.limits.idleMilliseconds
        let sweeps = max(1, Int(idle) / Self.roundsPerIdlePeriod / Self.sweepMilliseconds)
        for store in stores.sweep(steps: stores.count / sweeps + 1, now: now, idleSince: now - idle) { suspend(store) }
    }

    /// Before another store comes: the least recently used that may go, goes. Where all are in use, the bound gives way for a while.
    func makeRoom() {
        guard stores.count >= storesMax else { return }
        let now = loop.time.wallMilliseconds()
        for store in stores.sweep(steps: Self.roomStepsMax, now: now, idleSince: now - 1) { suspend(store) }
    }

    /// Stores looked at to make room for one.
    private static var roomStepsMax: Int { 64 }

    /// Lets a settled store go: nothing is logged or written, its log's tail is folded when it is wanted again.
    private func suspend(_ store: LiveStore<Model>) {
        remove(store)
        service.counters.storesSuspended.add(1)
    }

    /// Writes every changed state back, so that the next start folds nothing. For a clean stop.
    func writeBackAll(done: @escaping @Sendable () -> Void) {
        openTurn()
        for store in stores.all where store.tail.actions > 0 {
            writeBack(store)
        }
        batch.afterwards.append { _ in done() }
    }
}
