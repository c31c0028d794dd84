/// What is remembered of failed log-ins, by sign-in name, known or not: an unknown one is locked like any other, so that a lock tells
/// nobody who is a user. In memory and bounded; times are passed in, in milliseconds since 1970.
///
/// A restart forgives: writing each failure down would let anyone who guesses make the disk work.
public struct LockTable: Sendable {
    /// Names remembered at most; beyond it the one that failed longest ago is forgotten.
    public static let namesMax = 10_000

    private struct Entry {
        var record: LockPolicy.Record
        /// When a log-in last failed, in the order of failing.
        var order: Int
    }

    /// When failures lock, and for how long; the same for every name.
    public let policy: LockPolicy
    private let namesMax: Int
    private var entries: [String: Entry] = [:]
    /// Names in the order of failing, with those that failed again or were forgotten still in it.
    private var order: [(name: String, order: Int)] = []
    private var next = 0

    /// Nothing remembered, and at most `namesMax` names (at least 1) in time.
    public init(policy: LockPolicy, namesMax: Int = namesMax) {
        precondition(namesMax >= 1)
        self.policy = policy
        self.namesMax = namesMax
    }

    /// Names remembered now, whether locked or not.
    public var count: Int { entries.count }

    /// Whether a name may try; one that is not remembered may.
    public func standing(of name: String, at now: Int64) -> LockPolicy.Standing {
        entries[name].map { policy.standing(of: $0.record, at: now) } ?? .open
    }

    /// A log-in failed. True where this failure has locked the name.
    @discardableResult
    public mutating func recordFailure(of name: String, at now: Int64) -> Bool {
        var entry = entries[name] ?? Entry(record: LockPolicy.Record(), order: 0)
        let wasOpen = policy.standing(of: entry.record, at: now) == .open
        policy.recordFailure(in: &entry.record, at: now)
        next += 1
        entry.order = next
        entries[name] = entry
        order.append((name, next))
        makeRoom()
        return wasOpen && policy.standing(of: entry.record, at: now) != .open
    }

    /// A log-in succeeded: nothing is remembered.
    public mutating func recordSuccess(of name: String) { entries[name] = nil }

    private mutating func makeRoom() {
        if entries.count > namesMax, let oldest = order.firstIndex(where: { entries[$0.name]?.order == $0.order }) {
            entries[order[oldest].name] = nil
            order.removeSubrange(...oldest)
        }
        // Stale places are swept out before they outnumber the others.
        if order.count > 2 * namesMax { order.removeAll { entries[$0.name]?.order != $0.order } }
    }
}
