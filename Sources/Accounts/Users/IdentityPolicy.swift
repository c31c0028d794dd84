package import Identity
package import Sodium

/// The rules for users and their sessions, as a configuration may change them.
package struct IdentityPolicy: Sendable {
    /// How long the session of a registered user lasts. A guest's does not end by itself: nobody could renew it.
    package var sessions = SessionPolicy()
    package var passwords = PasswordPolicy()
    package var locks = LockPolicy()
    package var cost = PasswordCost.interactive
    /// Log-ins and registrations that wait for their password while one is being hashed.
    package var passwordsWaitingMax = PasswordQueue.waitingMaxDefault
    /// Whether an address must be shown to be its owner's before the account can be used. Else every address counts as verified.
    package var requiresVerification = false
    /// Whether an account's working data goes when its last session is ended by logging out.
    package var clearsAtLogout = false
    /// Takes a code to its address. Called off the loops, after the commit; may block.
    package var deliver: @Sendable (VerificationMessage) -> Void = { _ in }
    /// Whether the demonstration's users are there and behave as they are said to.
    package var isDemo = false

    package init() {}
}

/// A code and the address it is for.
package struct VerificationMessage: Sendable {
    package let account: Int64
    package let email: String
    /// Secret: good for whoever brings it back.
    package let code: String
}
