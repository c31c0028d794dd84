internal import Persistence
internal import Redux
internal import Runtime

// What has to be done from time to time so that the database stays well.

extension AccountService {
    /// How often the database is looked after.
    public static var upkeepMilliseconds: Int { 1_000 }
    /// Looks between two sweeps of answers whose idempotency keys have expired, and writes of such a sweep.
    public static var upkeepSweepRounds: Int { 5 }
    /// Each forgets up to `Database.forgetBatchMax` answers.
    public static var upkeepSweepWrites: Int { 4 }

    /// Looks after the database once a second: checkpoints when it is idle, expired keys, logs that are too old, and whether its writer
    /// still works.
    ///
    /// `storageFailed` is called once, on the first loop, when the writer has stopped for good; upkeep ends with that.
    func scheduleUpkeep(round: Int = 1, storageFailed: @escaping @Sendable () -> Void) {
        shard(at: 0).loop.execute { loop in
            loop.schedule(afterMilliseconds: Self.upkeepMilliseconds) {
                self.keepUp(round: round, storageFailed: storageFailed)
            }
        }
    }

    private func keepUp(round: Int, storageFailed: @escaping @Sendable () -> Void) {
        guard !database.metrics.hasFailed else { return storageFailed() }
        database.tick()
        sweepLogs()
        if round % Self.upkeepSweepRounds == 0 {
            // A commit without a row to delete writes nothing and syncs nothing.
            let expired = time.wallMilliseconds() - IdempotencyRecord.keptMilliseconds
            let sweep = Array(repeating: Write.forgetIdempotency(before: expired), count: Self.upkeepSweepWrites)
            database.submit(sweep) { _ in }
        }
        scheduleUpkeep(round: round + 1, storageFailed: storageFailed)
    }
}
