internal import Persistence
internal import Redux

extension AccountShard {
    /// Takes the effects that a transition makes void out of the outbox, in the transition's own transaction.
    func cancel(_ cancellations: [EffectCancellation], by entry: LogEntry, in batch: inout TurnBatch<Model>) {
        for cancellation in cancellations {
            switch cancellation {
            case .key(let key): batch.writes.append(.cancelEffect(entry.account, key: key))
            case .place(let revision, let ordinal):
                batch.writes.append(.settle(OutboxID(account: entry.account, revision: revision, ordinal: ordinal)))
            }
            batch.effects.append(.cancelled(entry.account, cancellation, by: entry.revision))
        }
    }
}
