internal import Persistence
internal import Redux

extension AccountShard {
    /// Takes the effects that a transition makes void out of the outbox, in the transition's own transaction.
    func cancel(_ cancellations: [EffectCancellation], by entry: LogEntry, of store: LiveStore<Model>) {
        for cancellation in cancellations {
            switch cancellation {
            case .key(let key):
                batch.writes.append(.cancelEffect(entry.account, key: key))
                store.outbox.cancel(key)
            case .place(let revision, let ordinal):
                let id = OutboxID(account: entry.account, revision: revision, ordinal: ordinal)
                batch.writes.append(.settle(id))
                store.outbox.settle(id)
            }
            batch.effects.append(.cancelled(entry.account, cancellation, by: entry.revision))
        }
    }

    /// An entry's end that had nothing to report has been committed, past the store.
    func didSettle(_ id: OutboxID) {
        stores[id.account]?.outbox.settle(id)
        // What is being read may still hold it.
        loads[id.account]?.settled.append(id)
    }
}
