internal import Synchronization

/// What the account layer has done, for metrics. Written by the shards, read from anywhere.
package final class AccountCounters: Sendable {
    /// A number that goes up and down.
    package final class Counter: Sendable {
        private let value = Atomic<Int>(0)
        package init() {}
        package func add(_ amount: Int) { value.wrappingAdd(amount, ordering: .relaxed) }
        package func set(_ amount: Int) { value.store(amount, ordering: .relaxed) }
        package var current: Int { value.load(ordering: .relaxed) }
    }

    package let storesInMemory = Counter()
    package let storesSuspended = Counter()
    package let accountsErased = Counter()
    /// Accounts that came over from another version of the model.
    package let accountsMigrated = Counter()
    /// Accounts that are set aside now, since their history cannot be understood.
    package let accountsUnreadable = Counter()
    package let actionsCommitted = Counter()
    package let actionsRefused = Counter()
    /// Accepted, and on their way to the disk.
    package let actionsWaiting = Counter()
    /// Turned away because the writer was behind, or the account had used up its rate.
    package let actionsShed = Counter()
    package let actionsRateLimited = Counter()
    package let effectsRun = Counter()
    /// In memory: not due yet or waiting for their turn, and running.
    package let effectsWaiting = Counter()
    package let effectsRunning = Counter()
    package let effectsFailed = Counter()
    /// Answers that came when nobody waited for them any more.
    package let effectsLate = Counter()
    /// Effects that are not tried any more.
    package let effectsDead = Counter()
    /// Event streams and long polls that are open.
    package let followers = Counter()

    /// What the model and the sign-in count, by name.
    package let events: EventCounters

    package init(events: [String] = []) { self.events = EventCounters(names: events) }
}
