/// The users of a demonstration: one for every case a client must handle.
public enum DemoUsers {
    /// How one of them behaves.
    public enum Behavior: Sendable {
        /// Like any other user.
        case works
        /// 423 at each log-in, whatever the password.
        case locked
        /// 403 with the right password.
        case unverified
        /// 503 at each log-in, whatever the password.
        case fails
    }

    /// The password of all of them.
    public static let password = "password123"

    /// `existing@example.com` is there to be found taken.
    public static let all: [(email: String, name: String, behavior: Behavior)] = [
        ("user@example.com", "Demo User", .works), ("locked@example.com", "Locked User", .locked),
        ("unverified@example.com", "Unverified User", .unverified), ("error@example.com", "Error User", .fails),
        ("existing@example.com", "Existing User", .works),
    ]

    static func behavior(of email: String) -> Behavior? { all.first { $0.email == email }?.behavior }
}
