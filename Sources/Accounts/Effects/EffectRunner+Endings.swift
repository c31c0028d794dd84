internal import Persistence
internal import Redux
internal import Runtime

// How an entry ends: gone with its outcome, dead with a reason, or back on the disk for another attempt.

extension EffectRunner {
    /// Nothing is to be reported: the entry goes.
    func settle(_ entry: OutboxEntry) { end(entry, by: .settle(entry.id)) }

    /// Nothing is to be reported: the entry stays in the outbox, and is not tried any more.
    func bury(_ entry: OutboxEntry, reason: String) {
        noteDead(entry, reason: reason)
        end(entry, by: .bury(entry.id, reason: reason))
    }

    private func end(_ entry: OutboxEntry, by write: Write) {
        database.submit([write]) { result in
            self.perform { runner in
                if case .failure = result { return runner.retry(entry, advice: nil) }
                if case .settle = write { runner.settled(entry.id) }
                runner.ended(entry)
            }
        }
    }

    /// Reports the failure, where the model has a fact for it, and leaves the entry dead in the same transaction; one that was dropped goes.
    func giveUp(_ entry: OutboxEntry, _ effect: Model.Effect, _ end: EffectEnd, reason: String) {
        guard let fact = Model.failure(of: effect, end: end) else {
            return end == .dropped ? settle(entry) : bury(entry, reason: reason)
        }
        let ending: Ending = end == .dropped ? .settle : .bury(reason: reason)
        if end != .dropped { noteDead(entry, reason: reason) }
        report(fact, entry, ending) { verdict in self.perform { $0.reported(entry, verdict) } }
    }

    func reported(_ entry: OutboxEntry, _ verdict: Verdict) {
        guard !isAbandoned else { return }
        switch verdict {
        case .done, .replayed: ended(entry)
        case .noAccount:
            counters.effectsLate.add(1)
            ended(entry)
        case .refused(let refusal, _):
            // A fact should never be refused. The entry stays, dead, with the reason; the rest goes on.
            bury(entry, reason: "its outcome was refused: \(refusal.kind.slug)")
        default:
            // Not committed, or not known to be: the effect is run again under the same id, and the outcome reported again.
            retry(entry, advice: nil)
        }
    }

    private func noteDead(_ entry: OutboxEntry, reason: String) {
        log.error("effect dead", ["effect": .text(entry.id.description), "kind": .text(entry.kind), "reason": .text(reason)])
        counters.effectsDead.add(1)
    }

    func ended(_ entry: OutboxEntry) {
        lanesLeft(entry.id)
        remove(entry.id)
        runDue()
    }

    func lanesLeft(_ id: OutboxID) {
        for next in lanes.leave(id) where !isStopped { run(next) }
        count()
    }

    /// Tries again later; the new due time is on disk before it counts.
    func retry(_ entry: OutboxEntry, advice: Milliseconds?) {
        lanesLeft(entry.id)
        guard active[entry.id]?.isVoid == false, !isStopped else { return ended(entry) }
        var again = entry
        if entry.attempt < OutboxEntry.droppedAttempt { again.attempt += 1 }
        again.due = loop.time.wallMilliseconds() + limits.wait(afterAttempts: again.attempt, advice: advice)
        let next = again
        database.submit([.reschedule(next.id, due: next.due, attempt: next.attempt)]) { _ in
            self.perform { $0.rescheduled(next) }
        }
    }

    private func rescheduled(_ entry: OutboxEntry) {
        let isVoid = active[entry.id]?.isVoid ?? true
        remove(entry.id)
        if isVoid {
            counters.effectsLate.add(1)
        } else if page.isComing || entry.place < horizon {
            waiting.insert(entry)
        }
        runDue()
    }
}
