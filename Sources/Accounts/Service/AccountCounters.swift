internal import Synchronization

/// What the account layer has done, for metrics. Written by the shards, read from anywhere.
public final class AccountCounters: Sendable {
    /// A number that goes up and down.
    public final class Counter: Sendable {
        private let value = Atomic<Int>(0)
        public init() {}
        public func add(_ amount: Int) { value.wrappingAdd(amount, ordering: .relaxed) }
        public func set(_ amount: Int) { value.store(amount, ordering: .relaxed) }
        public var current: Int { value.load(ordering: .relaxed) }
    }

    public let storesInMemory = Counter()
    public let storesSuspended = Counter()
    public let accountsErased = Counter()
    /// Accounts that came over from another version of the model.
    public let accountsMigrated = Counter()
    /// Accounts that are set aside now, since their history cannot be understood.
    public let accountsUnreadable = Counter()
    public let actionsCommitted = Counter()
    public let actionsRefused = Counter()
    /// Accepted, and on their way to the disk.
    public let actionsWaiting = Counter()
    /// Turned away because the writer was behind, or the account had used up its rate.
    public let actionsShed = Counter()
    public let actionsRateLimited = Counter()
    public let effectsRun = Counter()
    /// In memory: not due yet or waiting for their turn, and running.
    public let effectsWaiting = Counter()
    public let effectsRunning = Counter()
    public let effectsFailed = Counter()
    /// Answers that came when nobody waited for them any more.
    public let effectsLate = Counter()
    /// Effects that are not tried any more.
    public let effectsDead = Counter()
    /// Event streams and long polls that are open.
    public let followers = Counter()

    /// What the model and the sign-in count, by name.
    public let events: EventCounters

    public init(events: [String] = []) { self.events = EventCounters(names: events) }
}
