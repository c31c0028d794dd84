/// Asynchronous middleware: told of each transition after it, off the store, with `(store, action, state, previous state)`.
///
/// A store's reactions are awaited in the order they were given, one transition after the other, in the order of the transitions. A reaction may
/// dispatch to its store and await that; what it dispatches counts against the bounds on feedback. It must not throw: what goes wrong in it is
/// an action. A reaction that would hold up the others for long starts a task of its own.
public typealias Reaction<State: Sendable, Action: Sendable> =
    @Sendable (_ store: Store<State, Action>, _ action: Action, _ state: State, _ previous: State) async -> Void

/// Which reaction a task runs in, so that what it dispatches is known as a consequence.
enum ReactionScope {
    struct Origin: Sendable {
        let store: ObjectIdentifier
        let cause: Cause
    }

    /// Inherited by the tasks a reaction starts, detached ones excepted.
    @TaskLocal static var current: Origin?
}
