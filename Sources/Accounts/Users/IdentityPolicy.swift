public import Identity
public import Sodium

/// The rules for users and their sessions, as a configuration may change them.
public struct IdentityPolicy: Sendable {
    /// How long the session of a registered user lasts. A guest's does not end by itself: nobody could renew it.
    public var sessions = SessionPolicy()
    /// Which passwords are taken at registration.
    public var passwords = PasswordPolicy()
    /// When failed log-ins lock a name, and for how long.
    public var locks = LockPolicy()
    /// Of each new hash; an older one is brought to it at the owner's next log-in.
    public var cost = PasswordCost.interactive
    /// Log-ins and registrations that wait for their password while one is being hashed.
    public var passwordsWaitingMax = PasswordQueue.waitingMaxDefault
    /// Whether an address must be shown to be its owner's before the account can be used. Else every address counts as verified.
    public var requiresVerification = false
    /// Whether an account's working data goes when its last session is ended by logging out.
    public var clearsAtLogout = false
    /// Takes a code to its address. Called off the loops, after the commit; may block.
    public var deliver: @Sendable (VerificationMessage) -> Void = { _ in }
    /// Whether the demonstration's users are there and behave as they are said to.
    public var isDemo = false

    /// The defaults: no address has to be verified, and there are no demonstration users.
    public init() {}
}

/// A code and the address it is for.
public struct VerificationMessage: Sendable {
    /// The number of the account that waits for it.
    public let account: Int64
    /// In its comparable form.
    public let email: String
    /// Secret: good for whoever brings it back.
    public let code: String
}
