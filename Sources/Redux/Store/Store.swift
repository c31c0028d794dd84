/// A store for tasks: `StoreCore` as an actor on a serial executor it is given.
///
/// The executor makes the order a promise: a default actor is not first-in first-out under mixed priorities, a serial queue is. What one task
/// dispatches in order is applied in order, whatever the others do. A transition never suspends; a dispatch returns once its transition and all
/// synchronous follow-ups are done. Reactions run after that, off the store, so that they may dispatch and await in turn.
public actor Store<State: Sendable, Action: Sendable> {
    /// Kept alive here: `unownedExecutor` does not.
    private nonisolated let executor: any SerialExecutor
    private let core: StoreCore<State, Action>
    private let reactions: [Reaction<State, Action>]
    private let queue: ReactionQueue<State, Action>
    private let onDrop: @Sendable (Action, Refusal) -> Void
    private var isPumping = false
    private var postponed: PostponedThunks<State, Action>
    private var streams: [ObserverID: AsyncStream<State>.Continuation] = [:]

    /// The executor given at `init`.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        // Safe: `executor` lives as long as the actor that hands it out.
        unsafe executor.asUnownedSerialExecutor()
    }

    /// A store at `initialState`, confined to an executor.
    ///
    /// - Parameters:
    ///   - initialState: The state before the first transition.
    ///   - executor: Runs one job at a time, in order of arrival.
    ///   - limits: The bounds of its queues.
    ///   - middleware: Outermost first.
    ///   - reactions: Awaited in this order after each transition.
    ///   - isUnchanged: Says that a transition changed nothing: observers and reactions then skip it. Nil tells them of every one.
    ///   - onDrop: Hears of each follow-up that did not fit the limits or was refused when its turn came. Called on the executor.
    ///   - reduce: Pure; for a `Reducer` value, its `reduce(into:action:)`.
    public init(
        initialState: State, executor: any SerialExecutor, limits: StoreLimits = StoreLimits(),
        middleware: sending [Middleware<State, Action>] = [], reactions: [Reaction<State, Action>] = [],
        isUnchanged: (@Sendable (_ previous: State, _ state: State) -> Bool)? = nil,
        onDrop: @escaping @Sendable (Action, Refusal) -> Void = { _, _ in },
        reduce: sending @escaping StoreCore<State, Action>.Reduce
    ) {
        let core = StoreCore(
            initialState: initialState, limits: limits, middleware: middleware, isUnchanged: isUnchanged, onDrop: onDrop,
            reduce: reduce)
        let queue = ReactionQueue<State, Action>(limits)
        if !reactions.isEmpty {
            core.subscribe { event in
                if case .transition(let transition) = event { queue.append(transition) }
            }
        }
        self.executor = executor
        self.core = core
        self.queue = queue
        self.reactions = reactions
        self.onDrop = onDrop
        self.postponed = PostponedThunks(limits)
    }

    deinit {
        for continuation in streams.values { continuation.finish() }
    }

    /// The state after the last transition.
    public var state: State { core.state }

    // MARK: Dispatching

    /// Runs an action and all its synchronous follow-ups; from inside a transition, queues it.
    ///
    /// - Throws: the action's own refusal; nothing happened then. `mailbox-full` where too many transitions wait for the reactions, `feedback-limit`
    ///   where a reaction's dispatches do not end.
    @discardableResult
    public func dispatch(_ action: Action) throws(Refusal) -> DispatchOutcome {
        guard !core.isInTransition else { return try core.dispatch(action) }
        try admit(1, first: action)
        defer { pumpIfNeeded() }
        return try core.dispatch(action)
    }

    /// Runs several actions as one, all or none; see `StoreCore.dispatch(batch:)`.
    public func dispatch(batch actions: [Action]) throws(BatchRefusal) {
        guard !core.isInTransition, let first = actions.first else { return try core.dispatch(batch: actions) }
        do throws(Refusal) {
            try admit(actions.count, first: first)
        } catch {
            throw BatchRefusal(index: 0, refusal: error)
        }
        defer { pumpIfNeeded() }
        try core.dispatch(batch: actions)
    }

    /// Lets actions in from outside a transition. What a reaction may not dispatch is reported as well as thrown, so that no loop is silent.
    private func admit(_ actions: Int, first: Action) throws(Refusal) {
        let origin = ReactionScope.current
        do throws(Refusal) {
            try queue.admit(actions, from: origin, store: ObjectIdentifier(self))
        } catch {
            if origin != nil { onDrop(first, error) }
            throw error
        }
    }

    /// Runs a thunk to its end, off the store; throws what it throws.
    public nonisolated func dispatch(_ thunk: Thunk<State, Action>) async throws {
        try await thunk(self)
    }

    /// Keeps a thunk for `runPostponed(tag:)`.
    ///
    /// - Throws: `postponed-full`.
    public func postpone(tag: String, _ thunk: @escaping Thunk<State, Action>) throws(Refusal) {
        try postponed.append(thunk, tag: tag)
    }

    /// Runs all thunks postponed under a tag, one after the other, in order of arrival; each runs once.
    ///
    /// They are removed before the first one runs: what is postponed meanwhile, also under this tag, waits for the next run, and a second run beside
    /// this one finds nothing of it. A thunk that throws does not stop the others. Cancelling the task does not either: each thunk sees it.
    ///
    /// - Returns: how each ended, in order.
    @discardableResult
    public func runPostponed(tag: String) async -> [Result<Void, any Error>] {
        var results: [Result<Void, any Error>] = []
        for thunk in postponed.take(tag: tag) {
            do {
                try await thunk(self)
                results.append(.success(()))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }

    // MARK: Observing

    /// Adds an observer behind all others, called on the store's executor; see `Observers` for what happens inside a notification.
    ///
    /// An observer that dispatches does so by `assumeIsolated`; its action waits in the mailbox.
    @discardableResult
    public func subscribe(replay: Bool = false, _ observer: @escaping @Sendable (StoreEvent<State, Action>) -> Void) -> ObserverID
    {
        queue.begin()
        defer { pumpIfNeeded() }
        return core.subscribe(replay: replay, observer)
    }

    /// Removes an observer, at once; false where it was not, or no longer, subscribed.
    @discardableResult
    public func unsubscribe(_ id: ObserverID) -> Bool {
        core.unsubscribe(id)
    }

    /// The current state and all that follow, in order. A reader that falls more than `buffering` states behind misses the oldest of them.
    ///
    /// Ends with the store; ending the iteration unsubscribes.
    public func states(buffering: Int = 64) -> AsyncStream<State> {
        precondition(buffering > 0, "a stream of states holds at least the newest one")
        let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(buffering))
        let id = core.subscribe(replay: true) { continuation.yield($0.state) }
        streams[id] = continuation
        continuation.onTermination = { [weak self] _ in
            Task.detached { await self?.endStream(id) }
        }
        return stream
    }

    private func endStream(_ id: ObserverID) {
        streams[id] = nil
        core.unsubscribe(id)
    }

    // MARK: Reacting

    /// Waits until everything caused by what was dispatched so far has run: all reactions, and the reactions to what they dispatched.
    ///
    /// From inside a reaction of this store it returns at once: it would wait for itself.
    public func settle() async {
        guard ReactionScope.current?.store != ObjectIdentifier(self) else { return }
        await withCheckedContinuation { continuation in
            queue.whenSettled { continuation.resume() }
        }
    }

    /// Starts the pump where there is work for it. One task runs until the queue is empty: none per action, and none while nothing happens.
    private func pumpIfNeeded() {
        guard !isPumping, !queue.isEmpty else { return }
        isPumping = true
        // Detached: it works for everyone who dispatches, so it takes nothing over from the first of them.
        Task.detached { await self.pump() }
    }

    private func pump() async {
        while let item = queue.next() {
            let origin = ReactionScope.Origin(store: ObjectIdentifier(self), cause: item.cause)
            let transition = item.transition
            await ReactionScope.$current.withValue(origin) {
                for reaction in reactions {
                    await reaction(self, transition.action, transition.state, transition.previous)
                }
            }
            queue.finish(item)
        }
        isPumping = false
    }
}
