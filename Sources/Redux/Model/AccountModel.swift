/// What an account is: its state, its actions, and the pure functions between them.
///
/// The service is generic over it. Everything here is pure, except `perform`, which is where an effect meets the world. What the
/// pure functions need of the world (a catalog) is in `Environment`, a value replaced as a whole, never read by `reduce`.
public protocol AccountModel: Sendable {
    /// One member per slice; its canonical JSON is the wire form.
    associatedtype State: Codable & Equatable & Sendable
    associatedtype Action: WireAction
    /// What middleware looks up for the reducer and logs with the action.
    associatedtype Facts: Codable & Sendable
    associatedtype Effect: WireEffect
    /// What enrichment, views and effects may consult: read-only, replaced as a whole.
    associatedtype Environment: Sendable

    typealias StampedAction = Stamped<Action, Facts>

    /// Recorded in the database; a database of another model is refused.
    static var name: String { get }

    /// Raised whenever `reduce` may give another state for an action already logged.
    static var reducerVersion: Int { get }

    /// The slices with their schema versions and migrations, in the order of `State`'s members.
    static var slices: [SliceSchema] { get }

    /// Every way in which `reduce` refuses.
    static var refusals: [RefusalKind] { get }

    /// The named selectors.
    static var views: [View<Self>] { get }

    /// Shared, read-only data, answered without a token.
    static var resources: [Resource<Self>] { get }

    /// The state at revision 0. Depends on the account's id alone.
    static func initialState(for account: AccountID) -> State

    /// What `reduce` needs to know about the world for this action on this state; logged with it. Nil where it needs nothing.
    ///
    /// `state` is what the action is about to be applied to (inside a batch, what the actions before it made): a checkout needs
    /// facts about the products in the cart, which its payload does not name.
    static func facts(for action: Action, state: State, in environment: Environment) -> Facts?

    /// Applies an action, or refuses it. On a refusal the half-changed `state` is thrown away.
    ///
    /// Pure: what it needs beside the state is in the stamp and the facts. Accepts every fact, as a no-op where it no longer applies.
    static func reduce(into state: inout State, action: StampedAction) throws(Refusal)

    /// What is to be done once the transition is durable. Pure.
    static func effects(of action: StampedAction, previous: State, next: State) -> [EffectRequest<Effect>]

    /// The effects that a transition makes void: they go with its own transaction, and are not run, or their answer is not reported.
    ///
    /// The model's policy for its effects where an account signs out or starts afresh. Pure.
    static func cancellations(of action: StampedAction, previous: State, next: State) -> [EffectCancellation]

    /// Further actions caused by a transition (signing in loads the cart). Pure; dispatched with this one's revision as cause.
    static func followUps(of action: StampedAction, previous: State, next: State) -> [Action]

    /// The fact to log before a loaded store's first action, where a transient slice differs from its initial value; else nil.
    static func recovery(of state: State) -> Action?

    /// The fact to log before an account's first action under another schema or reducer version than before; nil logs none.
    ///
    /// With it, or without, the state is stored as the base from which everything later is folded.
    static func migration(of state: State) -> Action?

    /// The fact by which an account learns of a change of its sessions; nil where the model does not care.
    static func fact(for event: SessionEvent) -> Action?

    /// The fact that brings back what a past state held; nil where the model brings nothing back.
    ///
    /// It carries the values, so that reducing it needs no look at the past. It is asked for by a client, so unlike other facts it may be
    /// refused.
    static func restoration(of past: State, at revision: Revision) -> Action?

    /// The state as a copy of the account starts with it: without what only the original waits for. Pure.
    static func sandbox(of state: State) -> State

    /// The names of JSON members that tell of a person, in states, payloads, facts and effects: a redacted export replaces their texts.
    static var personalMembers: Set<String> { get }

    /// The names of what `countedEvent` counts, in the order of the documents; they are labels in metrics, so there are few.
    static var countedEvents: [String] { get }

    /// What a transition counts as in metrics and the log; nil for most. Pure; asked once for each accepted action.
    static func countedEvent(of action: StampedAction, previous: State, next: State) -> String?

    /// Runs an effect; returns the fact to report, nil where there is nothing to tell.
    ///
    /// Throwing asks for another attempt; an `EffectRefusal` says that there is to be none.
    static func perform(_ effect: Effect, run: EffectRun, in environment: Environment) async throws -> Action?

    /// The fact that an effect was given up. Pure.
    ///
    /// Nil where no such fact may be reported, because the effect may have been done: it is then tried until it is too old, and stays
    /// in the outbox, dead, until a person has it tried again or drops it.
    static func failure(of effect: Effect, end: EffectEnd) -> Action?
}

extension AccountModel {
    /// Nil: the model needs nothing of the world.
    public static func facts(for action: Action, state: State, in environment: Environment) -> Facts? { nil }
    /// None.
    public static var resources: [Resource<Self>] { [] }
    /// None.
    public static func followUps(of action: StampedAction, previous: State, next: State) -> [Action] { [] }
    /// None: whatever was asked for is done.
    public static func cancellations(of action: StampedAction, previous: State, next: State) -> [EffectCancellation] { [] }
    /// Nil: the model has no fact for it.
    public static func failure(of effect: Effect, end: EffectEnd) -> Action? { nil }
    /// None: no slice is transient.
    public static func recovery(of state: State) -> Action? { nil }
    /// None: other versions leave no mark in the log.
    public static func migration(of state: State) -> Action? { nil }
    /// Nil: the model brings nothing back.
    public static func restoration(of past: State, at revision: Revision) -> Action? { nil }
    /// The state as it is: nothing in it waits for anything.
    public static func sandbox(of state: State) -> State { state }
    /// None.
    public static var personalMembers: Set<String> { [] }
    /// None.
    public static var countedEvents: [String] { [] }
    /// None.
    public static func countedEvent(of action: StampedAction, previous: State, next: State) -> String? { nil }
    /// None: the model does not care for sessions.
    public static func fact(for event: SessionEvent) -> Action? { nil }
}

/// What happened to an account's sessions, in the words of the service; a model turns it into its own fact.
public enum SessionEvent: Hashable, Sendable {
    /// The account became a registered one.
    case registered(email: String, name: String, verified: Bool)
    case signedIn
    /// The last session ended; `clear` says that the account's working data goes with it.
    case signedOut(clear: Bool)
    case expired
}

/// A model without facts to look up.
public struct NoFacts: Codable, Hashable, Sendable {
    /// No facts.
    public init() {}
}
