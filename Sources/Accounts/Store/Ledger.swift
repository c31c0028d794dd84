internal import JSON
internal import Persistence
internal import Redux

/// What an account's middleware stamps from and writes to: the head of its life, and the transitions on their way to the log.
///
/// Apart from the store, so that the chain holds no reference back to it. Confined, as the store is, to the shard's executor.
final class Ledger<Model: AccountModel> {
    /// Where the account's life stands.
    struct Head {
        var revision: Revision
        /// The last stamp's time; stamps never go back.
        var at: Milliseconds
    }

    /// An accepted action, ready for the log, with the effects it asked for.
    struct Transition {
        let entry: LogEntry
        let effects: [OutboxEntry]
        /// Earlier effects that it makes void.
        let cancellations: [EffectCancellation]
        /// Logged by the store itself before a first action, not asked for by the client.
        let isRecovery: Bool
        /// What the model counts it as; nil for most.
        let event: String?
    }

    let account: AccountID
    var head: Head
    /// Accepted and not yet handed to the writer, in order.
    var opened: [Transition] = []
    /// The time of this dispatch, and the world as it is to be looked up.
    var now: Milliseconds = 0
    var isBatch = false
    /// The trace context of this dispatch's request.
    var trace: [UInt8]?
    var isRecovering = false
    var environment: Shared<Model.Environment>

    private let actions: ActionCodec<Model>
    private var ids: ActionIDs

    init(account: AccountID, head: Head, environment: Shared<Model.Environment>, actions: ActionCodec<Model>, ids: ActionIDs) {
        self.account = account
        self.head = head
        self.environment = environment
        self.actions = actions
        self.ids = ids
    }

    /// An action before its stamp is known; `cause` names the transition it follows from.
    func unstamped(_ action: Model.Action, cause: Revision? = nil) -> Model.StampedAction {
        Stamped(action, stamp: Stamp(revision: 0, at: 0, id: ActionID(high: 0, low: 0), account: account, cause: cause))
    }

    // MARK: The chain, in its order

    /// Gives an action its revision, time and id, and looks up the facts it needs.
    var stamping: Middleware<Shared<Model.State>, Model.StampedAction> {
        Middleware { [self] context, action, next throws(Refusal) in
            var action = action
            action.stamp.revision = head.revision + 1
            action.stamp.at = max(now, head.at)
            action.stamp.skewed = now < head.at
            action.stamp.id = ids.next(at: now)
            action.stamp.batched = isBatch && action.stamp.cause == nil
            action.facts = Model.facts(for: action.action, state: context.state.value, in: environment.value)
            try next(action)
        }
    }

    /// Adds what the reducer accepted to the open transitions, with the effects that follow from it.
    var persistence: Middleware<Shared<Model.State>, Model.StampedAction> {
        Middleware { [self] context, action, next throws(Refusal) in
            let previous = context.state
            try next(action)
            let state = context.state
            let stamp = action.stamp
            // Taken out of their references once: each time is a copy of all slices.
            let (before, after) = (previous.value, state.value)
            let effects = Model.effects(of: action, previous: before, next: after)
            do throws(JSONFault) {
                var entry = try actions.entry(action, changed: state != previous)
                entry.trace = trace
                var requested: [OutboxEntry] = []
                for (ordinal, request) in effects.enumerated() {
                    requested.append(
                        OutboxEntry(
                            account: account, revision: stamp.revision, ordinal: ordinal, kind: request.effect.kind,
                            key: request.key,
                            due: stamp.at + max(0, request.delay), payload: try JSONEncoding.encode(request.effect), attempt: 0,
                            trace: trace))
                }
                opened.append(
                    Transition(
                        entry: entry, effects: requested,
                        cancellations: Model.cancellations(of: action, previous: before, next: after),
                        isRecovery: isRecovering,
                        event: Model.countedEvent(of: action, previous: before, next: after)))
            } catch {
                // A value JSON has no form for (a number that is not finite): refused, since it could not be replayed.
                throw Refusal(.unencodable, error.detail)
            }
            head = Head(revision: stamp.revision, at: stamp.at)
        }
    }

    /// Dispatches what the model says follows from a transition, with its revision as their cause.
    var following: Middleware<Shared<Model.State>, Model.StampedAction> {
        Middleware { [self] context, action, next throws(Refusal) in
            let previous = context.state
            try next(action)
            for followUp in Model.followUps(of: action, previous: previous.value, next: context.state.value) {
                context.dispatch(unstamped(followUp, cause: action.stamp.revision))
            }
        }
    }
}

extension RefusalKind {
    /// A state or payload holds a value that JSON cannot express.
    static let unencodable = RefusalKind("unencodable", title: "The action leads to a value that cannot be stored", status: 422)
}
