/// How long sessions live. Pure: times are in milliseconds since 1970 and passed in.
public struct SessionPolicy: Hashable, Sendable {
    /// Milliseconds from log-in or refresh; nil for sessions that end only by logging out.
    public var lifetime: Int64?

    /// Thirty days.
    public init(lifetime: Int64? = 30 * 24 * 3_600_000) {
        precondition(lifetime ?? 1 > 0, "a session's lifetime is positive")
        self.lifetime = lifetime
    }

    /// For the tokens of anonymous accounts, which nobody could renew.
    public static let unending = SessionPolicy(lifetime: nil)

    /// When a session that begins or is refreshed now ends; nil for never.
    public func expiry(from now: Int64) -> Int64? {
        guard let lifetime else { return nil }
        let (end, overflow) = now.addingReportingOverflow(lifetime)
        return overflow ? .max : end
    }

    /// Is a session over? At its very expiry it is.
    public static func isExpired(_ expires: Int64?, at now: Int64) -> Bool {
        guard let expires else { return false }
        return now >= expires
    }
}
