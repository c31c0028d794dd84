/// Which other requests of its connection a request may run beside, before they are answered (RFC 9112, section 9.3.2).
///
/// Answers leave in the order of the requests in any case. A request that may not start yet waits, and the connection is read no further; that is no error.
public enum Lane: Hashable, Sendable {
    /// Changes nothing: may run beside other safe requests.
    case safe
    /// Consecutive requests with the same key are handed over in order without waiting for each other's answers; whoever takes them keeps the order.
    case ordered(Int64)
    /// Waits for all before it, and lets none run beside it.
    case exclusive

    /// Whether a request of this lane may start while one of `earlier` is unanswered.
    func mayRun(beside earlier: Lane) -> Bool {
        switch (self, earlier) {
        case (.safe, .safe): true
        case (.ordered(let key), .ordered(let other)): key == other
        default: false
        }
    }
}
