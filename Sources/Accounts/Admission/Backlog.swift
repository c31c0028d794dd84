internal import Redux

/// What a shard has handed to the writer and not heard of yet: how much, and since when. A value; time is handed in.
///
/// By it a shard refuses early: an action that is let in is answered within about `milliseconds`, however many more would like to be.
struct Backlog: Sendable {
    /// Actions that may be on their way.
    let actionsMax: Int
    /// How long the oldest of them may have been under way.
    let milliseconds: Milliseconds

    private(set) var actions = 0
    /// When each submission left, by its ticket. They come back in order but for refused ones.
    private var sent: [Int: Milliseconds] = [:]
    private var oldest = 0
    private var next = 0
    private var oldestSent: Milliseconds?

    init(_ limits: AccountLimits) {
        actionsMax = limits.waitingActionsMax
        milliseconds = limits.commitWaitMilliseconds
    }

    /// Whether another action may join `open` ones that have not been handed over yet.
    func admits(beside open: Int, at now: Milliseconds) -> Bool {
        guard actions + open < actionsMax else { return false }
        guard let oldestSent else { return true }
        return now - oldestSent <= milliseconds
    }

    mutating func didSubmit(_ ticket: Int, actions: Int, at now: Milliseconds) {
        self.actions += actions
        sent[ticket] = now
        next = ticket + 1
        if oldestSent == nil { moveOn() }
    }

    mutating func didSettle(_ ticket: Int, actions: Int) {
        self.actions -= actions
        sent[ticket] = nil
        if ticket == oldest { moveOn() }
    }

    private mutating func moveOn() {
        while oldest < next, sent[oldest] == nil { oldest += 1 }
        oldestSent = sent[oldest]
    }
}
