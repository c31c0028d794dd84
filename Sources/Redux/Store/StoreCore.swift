/// A store without concurrency: state, a middleware chain, a reducer, observers and a mailbox, driven by whoever isolates it.
///
/// One action at a time, in order. What is dispatched from inside (by middleware, observers or `onDrop`) waits in the mailbox until the running
/// transition and its notifications are over, and is then run in order of dispatch, in a loop, never by recursion. A refusal, by reducer or
/// middleware, leaves the state as it was and drops what the refused action's middleware dispatched. What one action from outside causes is
/// bounded by `StoreLimits`.
///
/// Not thread-safe: `Store` puts it on an executor. `Action` and `State` are values.
public final class StoreCore<State, Action> {
    /// Applies an action or refuses it; on a refusal the half-changed state is thrown away.
    public typealias Reduce = (inout State, Action) throws(Refusal) -> Void
    /// What an observer is.
    public typealias Observer = Observers<StoreEvent<State, Action>>.Observer

    @usableFromInline
    enum Entry {
        case action(Action)
        case batch([Action])
    }

    /// The working state.
    @usableFromInline var current: State
    /// The state observers know: differs from `current` only while an action or batch is not yet accepted, or not yet announced.
    @usableFromInline var announced: State
    @usableFromInline let limits: StoreLimits
    @usableFromInline let isUnchanged: ((_ previous: State, _ state: State) -> Bool)?
    @usableFromInline let onDrop: (Action, Refusal) -> Void
    @usableFromInline let reduce: Reduce
    /// The middleware around the reducer, composed once. Holds this store unowned.
    @usableFromInline var chain: Middleware<State, Action>.Next = { _ in }
    @usableFromInline let observers = Observers<StoreEvent<State, Action>>()

    @usableFromInline var mailbox = FIFO<(entry: Entry, cause: Cause)>()
    @usableFromInline var feedback: FeedbackGuard
    /// Of the action that is running or being announced.
    @usableFromInline var cause = Cause(root: 0)
    /// The running action as it reached the reducer and was accepted there.
    @usableFromInline var reduced: Action?
    @usableFromInline var running = false
    @usableFromInline var dropping = false

    /// A store at `initialState`, for one thread or executor.
    ///
    /// - Parameters:
    ///   - initialState: The state before the first transition.
    ///   - limits: The bounds of its queues.
    ///   - middleware: Outermost first: the first sees each action first and its result last.
    ///   - isUnchanged: Says that a transition changed nothing, so that observers skip it; nil tells them of every transition. It runs once per
    ///     transition: for a state that is dear to compare, leave it out or compare a version.
    ///   - onDrop: Hears of each follow-up that did not fit the limits or was refused when its turn came. May dispatch; what it dispatches past a
    ///     limit is not reported again.
    ///   - reduce: Pure.
    @inlinable
    public init(
        initialState: State, limits: StoreLimits = StoreLimits(), middleware: [Middleware<State, Action>] = [],
        isUnchanged: ((_ previous: State, _ state: State) -> Bool)? = nil,
        onDrop: @escaping (Action, Refusal) -> Void = { _, _ in },
        reduce: @escaping Reduce
    ) {
        self.current = initialState
        self.announced = initialState
        self.limits = limits
        self.isUnchanged = isUnchanged
        self.onDrop = onDrop
        self.reduce = reduce
        self.feedback = FeedbackGuard(limits)

        let context = MiddlewareContext(core: self)
        chain = { [unowned self] (action: Action) throws(Refusal) in try self.apply(action) }
        for link in middleware.reversed() {
            let next = chain
            chain = { (action: Action) throws(Refusal) in try link.run(context, action, next) }
        }
    }

    /// The working state; inside a transition, as far as it has come.
    @inlinable public var state: State { current }

    /// An action is being run or announced: a dispatch would be queued.
    @inlinable public var isInTransition: Bool { running }

    /// How far the running action is from the one from outside that caused it; 0 for that one itself.
    @inlinable public var depth: Int { cause.depth }

    /// Puts another state in place, as if it had always been there (a reload after a failed commit). Observers are not told.
    ///
    /// Not from inside a transition.
    @inlinable
    public func replace(state: State) {
        precondition(!running, "a state is not replaced inside a transition")
        current = state
        announced = state
    }

    /// Runs an action through the chain, tells the observers, then runs all follow-ups; from inside a transition, queues it.
    ///
    /// - Throws: the action's own refusal; nothing happened then. Refusals of follow-ups go to `onDrop`. A queued action throws `mailbox-full` or
    ///   `feedback-limit` where it does not fit, which `onDrop` hears as well.
    @inlinable
    @discardableResult
    public func dispatch(_ action: Action) throws(Refusal) -> DispatchOutcome {
        guard !running else {
            try enqueue(.action(action), count: 1)
            return .queued
        }
        running = true
        defer { end() }
        let outcome = try step(action)
        drain()
        return outcome
    }

    /// Runs several actions as one: all or none. Each sees the one before; from inside a transition, the whole batch is queued.
    ///
    /// Follow-ups dispatched by middleware run after the batch is accepted, and are dropped if it is not. Observers hear of each transition after
    /// the batch is accepted, in order; `state` is the last one's by then. An empty batch does nothing. Each action is a root of its own for the
    /// bounds on feedback.
    ///
    /// - Throws: the refusal of one action, with its index; nothing happened then.
    @inlinable
    public func dispatch(batch actions: [Action]) throws(BatchRefusal) {
        guard actions.count <= limits.batchActionsMax else {
            throw BatchRefusal(
                index: limits.batchActionsMax,
                refusal: Refusal(.batchTooLarge, "A batch may hold \(limits.batchActionsMax) actions."))
        }
        guard !actions.isEmpty else { return }
        guard !running else {
            do throws(Refusal) {
                try enqueue(.batch(actions), count: actions.count)
            } catch {
                throw BatchRefusal(index: 0, refusal: error)
            }
            return
        }
        running = true
        defer { end() }
        try step(batch: actions, cause: nil)
        drain()
    }

    /// Dispatches where nobody is there to catch: a refusal goes to `onDrop`.
    @inlinable
    func dispatchOrDrop(_ action: Action) {
        let isNested = running
        do throws(Refusal) {
            try dispatch(action)
        } catch {
            // A nested one has been reported where it was queued.
            if !isNested { drop(action, error) }
        }
    }

    /// Adds an observer behind all others; see `Observers` for what happens inside a notification.
    ///
    /// With `replay`, it first hears the current state: the last one that observers were told of.
    @discardableResult
    public func subscribe(replay: Bool = false, _ observer: @escaping Observer) -> ObserverID {
        // What an observer dispatches while it hears the replay waits like any other follow-up.
        let isOutermost = !running
        running = true
        let id = observers.subscribe(replay: replay ? .current(announced) : nil, observer)
        if isOutermost {
            drain()
            end()
        }
        return id
    }

    /// Removes an observer, at once; false where it was not, or no longer, subscribed.
    @discardableResult
    public func unsubscribe(_ id: ObserverID) -> Bool {
        observers.unsubscribe(id)
    }
}
