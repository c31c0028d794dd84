internal import Persistence
internal import Redux

/// One account's store in memory: the core, its ledger, and what waits for a commit. Confined to its shard's executor.
///
/// The working state may be ahead of the committed one by what is on its way to the disk; only the gate knows both.
final class LiveStore<Model: AccountModel> {
    typealias Transition = Ledger<Model>.Transition

    /// An answer behind the gate.
    struct Held {
        let verdict: Verdict
        /// The idempotency record that becomes valid with the commit.
        var record: IdempotencyRecord?
        let deliver: @Sendable (Verdict) -> Void
    }

    let handle: AccountHandle
    var gate: OutputGate<Held>
    var keys: IdempotencyKeys
    /// The log behind the newest snapshot.
    var tail: LogTail
    var outbox = OutboxStanding()
    var postponed = PostponedStanding()
    /// When a request last came for it, for suspension.
    var lastUsed: Milliseconds = 0
    /// What it may still dispatch, where accounts have a rate.
    var bucket = TokenBucket()
    /// Where its table holds it.
    var place = 0
    /// Sits in the shard's open batch.
    var isTouched = false

    private let ledger: Ledger<Model>
    private let core: StoreCore<Shared<Model.State>, Model.StampedAction>
    /// A store that has just been loaded logs `store/recovered` before its first action, where its transient state asks for it.
    private var mayNeedRecovery: Bool
    /// Whether the account has come over to this version of the model.
    private var migration: Migration

    /// From another version's state to a base of this one's.
    private enum Migration {
        case none
        /// Before the next action.
        case due
        /// Run, and to be stored with it.
        case done(Base)
    }

    /// A state from which all that follows is folded.
    struct Base {
        let revision: Revision
        let state: Model.State
    }

    init(
        handle: AccountHandle, state: Model.State, ledger: Ledger<Model>, tail: LogTail, keys: IdempotencyKeys, isRecovered: Bool,
        isOfOtherVersion: Bool = false,
        onDrop: @escaping (Model.StampedAction, Refusal) -> Void
    ) {
        self.handle = handle
        self.ledger = ledger
        self.tail = tail
        self.keys = keys
        gate = OutputGate(committed: ledger.head.revision)
        mayNeedRecovery = isRecovered
        migration = isOfOtherVersion ? .due : .none
        core = StoreCore(
            initialState: Shared(state), middleware: [ledger.stamping, ledger.following, ledger.persistence], onDrop: onDrop
        ) { (state: inout Shared<Model.State>, action) throws(Refusal) in try Model.reduce(into: &state.value, action: action) }
    }

    /// The working state, at revision `head`; shared, since it is kept in many places on its way.
    var shared: Shared<Model.State> { core.state }
    var state: Model.State { core.state.value }
    /// The newest accepted revision, committed or on its way.
    var head: Revision { ledger.head.revision }
    /// Nothing waits for a commit.
    var isSettled: Bool { gate.count == 0 && gate.committed == head && ledger.opened.isEmpty }

    /// Why nothing was kept, and where in the batch.
    struct Refused: Error {
        let refusal: Refusal
        let index: Int?
    }

    /// Where to return to.
    private struct Mark {
        let state: Shared<Model.State>
        let head: Ledger<Model>.Head
        let opened: Int
        let mayNeedRecovery: Bool
        let migration: Migration
    }

    /// Runs the actions through the chain, all or none, and returns what was accepted, follow-ups included.
    ///
    /// With `keeping: false` everything is taken back before it returns, the state given to `inspect` first. Where `effectsMax` effects wait
    /// already, actions that ask for more are refused; what the service itself reports never is.
    func run<Result>(
        _ actions: [Model.Action], at now: Milliseconds, in environment: Shared<Model.Environment>, trace: [UInt8]? = nil,
        keeping: Bool = true, effectsMax: Int = .max,
        inspect: (ArraySlice<Transition>, _ before: Shared<Model.State>) -> Result
    ) throws(Refused) -> Result {
        let mark = Mark(
            state: core.state, head: ledger.head, opened: ledger.opened.count, mayNeedRecovery: mayNeedRecovery,
            migration: migration)
        ledger.now = now
        ledger.environment = environment
        ledger.trace = trace
        ledger.isBatch = false
        do throws(Refused) {
            try migrateIfNeeded()
            try recoverIfNeeded()
            try dispatch(actions)
            if outbox.count >= effectsMax { try refuseEffects(from: mark.opened) }
        } catch {
            restore(mark)
            throw error
        }
        let result = inspect(ledger.opened[mark.opened...], mark.state)
        if !keeping { restore(mark) }
        return result
    }

    /// The state is another version's in this version's form: it may be shown, but only a migration may store it.
    var awaitsMigration: Bool { if case .due = migration { true } else { false } }

    /// The base to be stored with what `takeOpened` hands over, once.
    func takeBase() -> Base? {
        guard case .done(let base) = migration else { return nil }
        migration = .none
        return base
    }

    /// Hands over everything accepted since the last call, in order.
    func takeOpened() -> [Transition] {
        defer { ledger.opened.removeAll(keepingCapacity: true) }
        return ledger.opened
    }

    private func migrateIfNeeded() throws(Refused) {
        guard case .due = migration else { return }
        if let fact = Model.migration(of: state) { try log(fact) }
        migration = .done(Base(revision: ledger.head.revision, state: state))
    }

    private func recoverIfNeeded() throws(Refused) {
        guard mayNeedRecovery else { return }
        mayNeedRecovery = false
        if let fact = Model.recovery(of: state) { try log(fact) }
    }

    /// Logs a fact of the store's own, before the client's action.
    private func log(_ fact: Model.Action) throws(Refused) {
        ledger.isRecovering = true
        defer { ledger.isRecovering = false }
        do throws(Refusal) {
            try core.dispatch(ledger.unstamped(fact))
        } catch {
            throw Refused(refusal: error, index: nil)
        }
    }

    private func dispatch(_ actions: [Model.Action]) throws(Refused) {
        if actions.count == 1 {
            do throws(Refusal) {
                try core.dispatch(ledger.unstamped(actions[0]))
            } catch {
                throw Refused(refusal: error, index: nil)
            }
        } else {
            ledger.isBatch = true
            do throws(BatchRefusal) {
                try core.dispatch(batch: actions.map { ledger.unstamped($0) })
            } catch {
                throw Refused(refusal: error.refusal, index: error.index)
            }
        }
    }

    /// Refuses what was opened from `start` on if it asks for effects, whether by itself or by a follow-up: there is no room for them.
    ///
    /// Not what the store logged by itself before it.
    private func refuseEffects(from start: Int) throws(Refused) {
        let accepted = ledger.opened[start...].drop { $0.isRecovery }
        guard let first = accepted.first?.entry.revision, var asking = accepted.first(where: { !$0.effects.isEmpty }) else {
            return
        }
        // Revisions are gapless, and a batch's own actions come before all follow-ups.
        while let cause = asking.entry.cause { asking = accepted[accepted.startIndex + Int(cause - first)] }
        throw Refused(
            refusal: Refusal(
                .tooManyEffects, "\(outbox.count) effects of the account wait. Repeat it once some are done, or dropped."),
            index: ledger.isBatch ? Int(asking.entry.revision - first) : nil)
    }

    private func restore(_ mark: Mark) {
        core.replace(state: mark.state)
        ledger.head = mark.head
        ledger.opened.removeSubrange(mark.opened...)
        mayNeedRecovery = mark.mayNeedRecovery
        migration = mark.migration
    }
}
