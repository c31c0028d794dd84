public import Redux

/// What kind of owner an account has.
public enum AccountKind: String, CaseIterable, FallbackCase {
    /// An anonymous one.
    case guest
    /// One with an email address and a password.
    case registered

    /// Not to be taken for a registered account by mistake.
    public static var fallback: AccountKind { .guest }
}

/// Why nobody is signed in.
public enum SessionEnd: String, CaseIterable, FallbackCase {
    /// The last session was ended by its owner.
    case loggedOut
    /// The last session came to its end.
    case expired

    /// The milder one.
    public static var fallback: SessionEnd { .expired }
}

/// Whether anyone is signed in, and as what.
public struct SessionState: Codable, Hashable, Sendable {
    /// False once the account's last session has ended; then only facts are accepted.
    public var signedIn: Bool
    /// What kind of owner the account has.
    @FallsBack public var kind: AccountKind
    /// When the account was last signed in to; nil for a guest.
    @ExplicitNull public var signedInAt: Milliseconds?
    /// Why nobody is signed in; nil while someone is.
    @ExplicitNull public var ended: FallsBack<SessionEnd>?

    /// A guest's session.
    public init() {
        signedIn = true
        kind = .guest
        signedInAt = nil
        ended = nil
    }
}

/// What is reported when an account is registered.
public struct Registration: Codable, Hashable, Sendable {
    /// The address to sign in with.
    public var email: String
    /// The owner's name.
    public var name: String
    /// Whether the address is known to be the owner's.
    public var verified: Bool

    /// Reports a registration.
    public init(email: String, name: String, verified: Bool) {
        self.email = email
        self.name = name
        self.verified = verified
    }
}

/// How the last session was ended.
public struct SignOut: Codable, Hashable, Sendable {
    /// Whether the working data goes with it; see `LogoutPolicy`.
    public var clear: Bool

    /// Reports the end of the last session.
    public init(clear: Bool) {
        self.clear = clear
    }
}

/// What the service reports about an account's sessions; none of it can be asked for by an action.
public enum SessionAction: Hashable, Sendable {
    /// The account has an owner with an email address now.
    case registered(Registration)
    /// Someone signed in.
    case signedIn
    /// The last session was ended by its owner.
    case signedOut(SignOut)
    /// The last session came to its end.
    case expired

    static let kinds: [ActionKind<ShopAction>] = [
        .kind(
            "session/registered", .fact, summary: "The account became a registered one",
            example: Registration(email: "user@example.com", name: "Ada", verified: true)
        ) { .session(.registered($0)) },
        .kind("session/signedIn", .fact, summary: "Someone signed in", .session(.signedIn)),
        .kind(
            "session/signedOut", .fact, summary: "The last session was ended by its owner", example: SignOut(clear: false)
        ) { .session(.signedOut($0)) },
        .kind("session/expired", .fact, summary: "The last session came to its end", .session(.expired)),
    ]
}

extension SessionAction: SliceAction {
    var name: String {
        switch self {
        case .registered: "session/registered"
        case .signedIn: "session/signedIn"
        case .signedOut: "session/signedOut"
        case .expired: "session/expired"
        }
    }

    var payload: (any Encodable)? {
        switch self {
        case .registered(let payload): payload
        case .signedOut(let payload): payload
        case .signedIn, .expired: nil
        }
    }
}

/// What sessions do to the state. Facts only, so nothing is refused.
enum SessionReducer {
    static let schema = SliceSchema("session")

    static func reduce(into session: inout SessionState, action: SessionAction, context: ReducerContext) {
        switch action {
        case .registered:
            session.kind = .registered
            signIn(&session, at: context.stamp.at)
        case .signedIn:
            signIn(&session, at: context.stamp.at)
        case .signedOut:
            session.signedIn = false
            session.ended = FallsBack(wrappedValue: .loggedOut)
        case .expired:
            session.signedIn = false
            session.ended = FallsBack(wrappedValue: .expired)
        }
    }

    private static func signIn(_ session: inout SessionState, at time: Milliseconds) {
        session.signedIn = true
        session.signedInAt = time
        session.ended = nil
    }
}
