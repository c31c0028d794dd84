public import Identity
public import Persistence

/// Why someone was not registered, signed in or verified.
public enum IdentityFault: Error, Sendable {
    // What was sent
    case invalidEmail
    case invalidName
    case password(PasswordPolicy.Fault)
    /// The verification code was never sent, or has been used.
    case invalidCode

    // What stands against it
    /// Another account has the address.
    case emailTaken
    /// The account has an owner already.
    case alreadyRegistered
    /// No such user, or not the password: nobody is told which.
    case wrongCredentials
    case locked(seconds: Int64)
    /// The password is right, but the address is not yet known to be the owner's.
    case notVerified
    /// The session has ended.
    case noSession

    // What is in the way
    /// The identity service fails, in a demonstration.
    case unavailable
    case passwords(PasswordTrouble)
    case open(OpenFault)
    case storage(StorageFault)
    case commit(CommitFault)
}
