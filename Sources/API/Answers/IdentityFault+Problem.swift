internal import Accounts
internal import HTTP
internal import Identity
internal import JSON

// What stands in the way of registering and signing in, as answers.

extension ProblemKind {
    static let wrongCredentials = ProblemKind("invalid-credentials", .unauthorized, "The address or the password is not right")
    static let emailNotVerified = ProblemKind("email-not-verified", .forbidden, "The address has not been verified")
    static let accountLocked = ProblemKind("account-locked", Status(423), "Too many log-ins have failed")
    static let emailTaken = ProblemKind("email-taken", .conflict, "Another account has the address")
    static let alreadyRegistered = ProblemKind("already-registered", .conflict, "The account is registered already")
    static let invalidEmail = ProblemKind("invalid-email", .unprocessableContent, "The email address is not one")
    static let invalidName = ProblemKind("invalid-name", .unprocessableContent, "The name cannot be taken")
    static let passwordTooShort = ProblemKind("password-too-short", .unprocessableContent, "The password is too short")
    static let passwordTooLong = ProblemKind("password-too-long", .unprocessableContent, "The password is too long")
    static let invalidCode = ProblemKind("invalid-code", .unprocessableContent, "The verification code is not valid")
    static let sessionNotFound = ProblemKind("session-not-found", .notFound, "The account has no such session")
    static let accountNotFound = ProblemKind("account-not-found", .notFound, "There is no such account")
    static let invalidBody = ProblemKind(
        "invalid-body", .unprocessableContent, "The body does not have the form that is asked for here")
    static let identityUnavailable = ProblemKind(
        "identity-unavailable", .serviceUnavailable, "The identity service does not answer")

    /// The kinds of this file, in the order of the documents.
    static let identity = [
        wrongCredentials, emailNotVerified, accountLocked, emailTaken, alreadyRegistered, invalidEmail, invalidName,
        passwordTooShort, passwordTooLong, invalidCode, sessionNotFound, accountNotFound, invalidBody, identityUnavailable,
    ]
}

extension Problem {
    static let noSession = Problem(.sessionNotFound, "The session has ended, or was never there; GET /sessions lists them.")

    init(_ fault: IdentityFault) {
        switch fault {
        case .invalidEmail:
            self.init(.invalidEmail, "An address is of the form name@example.com, in ASCII.", pointer: JSONPointer(["email"]))
        case .invalidName:
            self.init(
                .invalidName, "A name is not blank, has at most \(OwnerName.bytesMax) bytes of UTF-8, and no control characters.",
                pointer: JSONPointer(["name"]))
        case .password(let fault):
            switch fault {
            case .tooShort: self.init(.passwordTooShort, fault.detail, pointer: JSONPointer(["password"]))
            case .tooLong: self.init(.passwordTooLong, fault.detail, pointer: JSONPointer(["password"]))
            }
        case .invalidCode:
            self.init(
                .invalidCode, "The code was not sent by this service, has been used, or was replaced.",
                pointer: JSONPointer(["code"]))
        case .emailTaken:
            self.init(.emailTaken, "Sign in with POST /sessions, or register another address.", pointer: JSONPointer(["email"]))
        case .alreadyRegistered:
            self.init(.alreadyRegistered, "The token is a registered user's; register another one without it.")
        case .wrongCredentials: self.init(.wrongCredentials, "There is no user with this address and this password.")
        case .locked(let seconds):
            self.init(.accountLocked, "Too many log-ins have failed. Wait until Retry-After; the right password does not help.")
            self = retry(afterSeconds: max(1, Int(seconds)))
        case .notVerified:
            self.init(.emailNotVerified, "Bring back the code that was sent to the address: POST /accounts/verify.")
        case .noSession: self = .noSession
        case .unavailable:
            self.init(.identityUnavailable, "Try again later.")
            self = retry(afterSeconds: 5)
        case .passwords(.overloaded):
            self.init(.overloaded, "Too many passwords are waiting to be checked.")
            self = retry(afterSeconds: 2)
        case .passwords(.outOfMemory):
            self.init(.overloaded, "There is not enough memory to check a password now.")
            self = retry(afterSeconds: 2)
        case .open(let fault): self.init(fault)
        case .storage(let fault): self.init(fault)
        case .commit(let fault): self.init(fault)
        }
    }
}
