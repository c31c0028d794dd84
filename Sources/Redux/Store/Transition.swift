/// One accepted action and the two states it lies between.
public struct Transition<State, Action> {
    /// The action as the reducer got it, after the middleware's changes.
    public let action: Action
    /// The state before.
    public let previous: State
    /// The state after.
    public let state: State

    /// A transition from `previous` to `state`.
    @inlinable
    public init(action: Action, previous: State, state: State) {
        self.action = action
        self.previous = previous
        self.state = state
    }
}

extension Transition: Sendable where State: Sendable, Action: Sendable {}
extension Transition: Equatable where State: Equatable, Action: Equatable {}

/// What an observer of a store hears.
public enum StoreEvent<State, Action> {
    /// The state at the time of subscribing, for an observer that asked for it.
    case current(State)
    /// A transition.
    case transition(Transition<State, Action>)

    /// The state after the event.
    @inlinable public var state: State {
        switch self {
        case .current(let state): state
        case .transition(let transition): transition.state
        }
    }
}

extension StoreEvent: Sendable where State: Sendable, Action: Sendable {}
extension StoreEvent: Equatable where State: Equatable, Action: Equatable {}

/// What became of an action that was not refused.
public enum DispatchOutcome: Hashable, Sendable {
    /// A transition; the state may differ.
    case changed
    /// A transition that left the state as it was; observers were not told.
    case unchanged
    /// A middleware kept the action for itself: no transition.
    case swallowed
    /// Dispatched from inside a transition: it waits in the mailbox, and its own refusal would go to `onDrop`.
    case queued
}

/// An atomic batch was refused because of one of its actions: nothing of it happened.
public struct BatchRefusal: Error, Hashable, Sendable {
    /// The refused action's place in the batch, from 0. For `batch-too-large`, the first place past the bound.
    public let index: Int
    /// Why it was refused.
    public let refusal: Refusal

    /// The refusal of the action at `index`.
    @inlinable
    public init(index: Int, refusal: Refusal) {
        self.index = index
        self.refusal = refusal
    }
}
