internal import Synchronization

/// What the account layer has done, for metrics. Written by the shards, read from anywhere.
public final class AccountCounters: Sendable {
    /// A number that goes up and down.
    public final class Counter: Sendable {
        private let value = Atomic<Int>(0)
        /// Starts at 0.
        public init() {}
        /// Less where the amount is negative; no addition of any thread is lost.
        public func add(_ amount: Int) { value.wrappingAdd(amount, ordering: .relaxed) }
        /// Replaces what was counted so far.
        public func set(_ amount: Int) { value.store(amount, ordering: .relaxed) }
        /// As of now; says nothing of how other counters stand at this moment.
        public var current: Int { value.load(ordering: .relaxed) }
    }

    /// Accounts in memory now, over all shards.
    public let storesInMemory = Counter()
    /// Stores that left memory because they were idle or another one needed the room.
    public let storesSuspended = Counter()
    /// Accounts whose erasure has become durable.
    public let accountsErased = Counter()
    /// Accounts that came over from another version of the model.
    public let accountsMigrated = Counter()
    /// Accounts that are set aside now, since their history cannot be understood.
    public let accountsUnreadable = Counter()
    /// Times that an account's log was shortened because what went was too old, without a state being written back.
    public let logsShortened = Counter()
    /// Actions that have become durable, those that follow from others among them.
    public let actionsCommitted = Counter()
    /// Requests that a reducer refused, dry runs among them; a batch counts once.
    public let actionsRefused = Counter()
    /// Accepted, and on their way to the disk.
    public let actionsWaiting = Counter()
    /// Turned away because the writer was behind.
    public let actionsShed = Counter()
    /// Turned away because the account had used up its rate.
    public let actionsRateLimited = Counter()
    /// Attempts at effects that brought an outcome.
    public let effectsRun = Counter()
    /// In memory: not due yet, or waiting for their turn.
    public let effectsWaiting = Counter()
    /// In memory, and running now.
    public let effectsRunning = Counter()
    /// Attempts at effects that failed, for now or for good.
    public let effectsFailed = Counter()
    /// Answers that came when nobody waited for them any more.
    public let effectsLate = Counter()
    /// Effects that are not tried any more.
    public let effectsDead = Counter()
    /// Event streams and long polls that are open.
    public let followers = Counter()

    /// What the model and the sign-in count, by name.
    public let events: EventCounters

    /// All at 0; `events` are the only names that can be counted.
    public init(events: [String] = []) { self.events = EventCounters(names: events) }
}
