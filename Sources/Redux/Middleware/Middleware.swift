/// One link of the chain between a dispatch and the reducer: `(context, action, next)`, synchronous.
///
/// It may call `next` with the action or another one, keep the action for itself by not calling `next`, refuse by throwing, dispatch more
/// through the context, and look at the state before and after `next`. What it throws refuses the action, also after `next`: the state is
/// then as before, and what was dispatched meanwhile is dropped. It may call `next` again after a refusal, but not after an accepted action:
/// one action makes at most one transition.
public struct Middleware<State, Action> {
    /// The rest of the chain, ending in the reducer.
    public typealias Next = (Action) throws(Refusal) -> Void
    /// The link itself.
    public typealias Run = (MiddlewareContext<State, Action>, Action, Next) throws(Refusal) -> Void

    @usableFromInline let run: Run

    /// A link that runs `run` for each action.
    @inlinable
    public init(_ run: @escaping Run) {
        self.run = run
    }

    /// Changes each action before the rest of the chain sees it.
    @inlinable
    public static func map(_ transform: @escaping (Action) throws(Refusal) -> Action) -> Middleware {
        Middleware { (_, action, next) throws(Refusal) in try next(try transform(action)) }
    }

    /// Watches every action that the rest of the chain accepts, with the state before and after: for a log line, a count.
    ///
    /// An action that the rest of the chain swallowed is seen as well, with equal states.
    @inlinable
    public static func observe(_ body: @escaping (_ action: Action, _ previous: State, _ state: State) -> Void) -> Middleware {
        Middleware { (context, action, next) throws(Refusal) in
            let previous = context.state
            try next(action)
            body(action, previous, context.state)
        }
    }

    /// Watches every refusal by the rest of the chain.
    @inlinable
    public static func observeRefusals(_ body: @escaping (_ action: Action, _ refusal: Refusal) -> Void) -> Middleware {
        Middleware { (_, action, next) throws(Refusal) in
            do throws(Refusal) {
                try next(action)
            } catch {
                body(action, error)
                throw error
            }
        }
    }

    /// Dispatches what a pure function asks for after each accepted action, in its order.
    @inlinable
    public static func followUps(
        _ actions: @escaping (_ action: Action, _ previous: State, _ state: State) -> [Action]
    ) -> Middleware {
        Middleware { (context, action, next) throws(Refusal) in
            let previous = context.state
            try next(action)
            for followUp in actions(action, previous, context.state) {
                context.dispatch(followUp)
            }
        }
    }
}

/// What a middleware may do with its store. Not to be used after the store is gone.
public struct MiddlewareContext<State, Action> {
    /// Unowned, because the store's chain holds its context.
    @usableFromInline unowned let core: StoreCore<State, Action>

    @inlinable
    init(core: StoreCore<State, Action>) {
        self.core = core
    }

    /// The store's working state: before `next` the previous one, after it the new one.
    @inlinable public var state: State { core.state }

    /// How far the running action is from the one from outside that caused it; 0 for that one itself.
    @inlinable public var depth: Int { core.depth }

    /// Puts a follow-up into the mailbox: it runs once the current transition and its notifications are over, if that is accepted.
    ///
    /// One that does not fit the store's limits, or is refused when its turn comes, goes to the store's `onDrop`.
    @inlinable
    public func dispatch(_ action: Action) {
        core.dispatchOrDrop(action)
    }
}
