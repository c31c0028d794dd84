internal import JSON
internal import Persistence
internal import Redux
internal import Runtime
internal import Sodium

// One effect: read from its entry, performed, and what its answer, or the lack of one, leads to.

extension EffectRunner {
    static var notUnderstood: String { "its payload is not understood" }

    private static func effect(of entry: OutboxEntry) throws -> Model.Effect {
        try JSONDecoding.decode(
            Model.Effect.self, from: JSONReader.read(entry.payload, limits: .stored), unknownMembers: .ignore)
    }

    /// Whether the entry's kind keeps an order; nil where its payload is not understood.
    func isOrdered(_ entry: OutboxEntry) -> Bool? {
        if let known = orderedKinds[entry.kind] { return known }
        guard let effect = try? Self.effect(of: entry) else { return nil }
        orderedKinds[entry.kind] = effect.isOrdered
        return effect.isOrdered
    }

    func run(_ entry: OutboxEntry) {
        active[entry.id]?.isStarted = true
        guard let effect = try? Self.effect(of: entry) else { return bury(entry, reason: Self.notUnderstood) }
        guard entry.attempt < OutboxEntry.droppedAttempt else { return giveUp(entry, effect, .dropped, reason: "dropped") }
        let environment = environment
        let run = EffectRun(
            id: Self.runID(of: entry), account: entry.account, revision: entry.revision, attempt: entry.attempt + 1,
            trace: LogEntry.text(ofTrace: entry.trace))
        active[entry.id]?.task = Task {
            let outcome: Result<Model.Action?, any Error>
            do {
                outcome = .success(try await Model.perform(effect, run: run, in: environment))
            } catch {
                outcome = .failure(error)
            }
            finished(entry, effect, outcome)
        }
    }

    /// The idempotency key of every attempt: the entry's place, and a digest of what is asked for, so that it is not that of another
    /// effect which stood in the same place before the database was restored to an earlier state.
    static func runID(of entry: OutboxEntry) -> String {
        let digest = Hash.blake2b(Array(entry.kind.utf8) + [0] + entry.payload, length: 16)
        return "\(entry.id)." + digest.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    private func finished(_ entry: OutboxEntry, _ effect: Model.Effect, _ outcome: Result<Model.Action?, any Error>) {
        guard !isAbandoned else { return }
        guard active[entry.id]?.isVoid == false else {
            counters.effectsLate.add(1)
            return ended(entry)
        }
        switch outcome {
        case .success(let action?):
            counters.effectsRun.add(1)
            report(action, entry, .settle) { verdict in self.perform { $0.reported(entry, verdict) } }
        case .success(nil):
            counters.effectsRun.add(1)
            settle(entry)
        case .failure(let refusal as EffectRefusal):
            counters.effectsFailed.add(1)
            bury(entry, reason: refusal.reason)
        case .failure(let error):
            counters.effectsFailed.add(1)
            let reason = (error as? any RetryAdvice)?.reason ?? "\(error)"
            log.warning(
                "effect failed", ["effect": .text(entry.id.description), "kind": .text(entry.kind), "reason": .text(reason)])
            let advice = (error as? any RetryAdvice)?.retryAfter
            guard entry.attempt + 1 >= limits.attemptsMax else { return retry(entry, advice: advice) }
            exhausted(entry, effect, reason: reason, advice: advice)
        }
    }

    /// Its attempts have run out: it is given up where that can be told, else tried on until it is too old.
    private func exhausted(_ entry: OutboxEntry, _ effect: Model.Effect, reason: String, advice: Milliseconds?) {
        let end = EffectEnd.exhausted(lastReason: reason)
        if Model.failure(of: effect, end: end) != nil { return giveUp(entry, effect, end, reason: reason) }
        database.entry(of: entry.account, revision: entry.revision) { result in
            self.perform { runner in
                let asked = (try? result.get())?.at
                if let asked, runner.loop.time.wallMilliseconds() - asked > runner.limits.ageMillisecondsMax {
                    runner.giveUp(entry, effect, end, reason: reason)
                } else {
                    runner.retry(entry, advice: advice)
                }
            }
        }
    }
}
