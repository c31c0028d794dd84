internal import Synchronization

/// Counters by name, for metrics and the log. The names are fixed at the start, so that a label's values are bounded.
public final class EventCounters: Sendable {
    /// In the order of the documents.
    public let names: [String]
    private let counters: [String: AccountCounters.Counter]
    /// What the log was last told of each.
    private let told = Mutex<[String: Int]>([:])

    /// Each name at 0.
    public init(names: [String]) {
        self.names = names
        counters = Dictionary(names.map { ($0, AccountCounters.Counter()) }) { first, _ in first }
    }

    /// One more of a name; a name that was not announced counts as nothing.
    public func count(_ name: String) { counters[name]?.add(1) }

    /// How many there were, in the order of the names.
    public var all: [(name: String, count: Int)] { names.map { ($0, counters[$0]?.current ?? 0) } }

    /// How many there were of a name; 0 for one that was not announced.
    public subscript(name: String) -> Int { counters[name]?.current ?? 0 }

    /// What has grown since the last call, and by how much: for a line in the log from time to time.
    func takeGrowth() -> [(name: String, more: Int, count: Int)] {
        let all = all
        return told.withLock { told in
            all.compactMap { name, count in
                let before = told.updateValue(count, forKey: name) ?? 0
                return count > before ? (name, count - before, count) : nil
            }
        }
    }
}
