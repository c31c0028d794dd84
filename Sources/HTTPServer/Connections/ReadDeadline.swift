internal import Runtime

/// How long the client may take with what it owes us now: a request's head, the next piece of a body, or its next request.
///
/// Kept exact without a timer call per request: the connection compares `deadline` with the timer it has.
struct ReadDeadline {
    /// What is waited for.
    enum Wait: Equatable {
        /// Nothing: it is not the client's turn, or it is not being read.
        case none
        /// The first byte of a request after another, or of the first one.
        case idle
        /// The rest of a head.
        case head
        /// The rest of a body.
        case body
    }

    private(set) var wait = Wait.none
    private(set) var deadline = MonotonicTime.never
    /// Which message is waited for, by count.
    private var message: UInt64 = .max
    private var bodyEnd = MonotonicTime.never
    private let accepted: MonotonicTime

    init(accepted: MonotonicTime) { self.accepted = accepted }

    /// Takes in what is waited for now. `progressed`: bytes arrived since the last call, or an answer was completed.
    mutating func update(_ wait: Wait, message: UInt64, progressed: Bool, now: MonotonicTime, limits: borrowing ServerLimits) {
        let isSame = wait == self.wait && message == self.message
        self.wait = wait
        self.message = message
        switch wait {
        case .none: deadline = .never
        case .idle:
            // Before the first request, the time for its head has begun with the connection (a slowloris may send nothing, too).
            if message == 0 {
                deadline = accepted.advanced(byMilliseconds: limits.headerMillisecondsMax)
            } else if !isSame || progressed {
                deadline = now.advanced(byMilliseconds: limits.idleMillisecondsMax)
            }
        case .head:
            if message == 0 {
                deadline = accepted.advanced(byMilliseconds: limits.headerMillisecondsMax)
            } else if !isSame {
                deadline = now.advanced(byMilliseconds: limits.headerMillisecondsMax)
            }
        case .body:
            if !isSame { bodyEnd = now.advanced(byMilliseconds: limits.bodyMillisecondsMax) }
            if !isSame || progressed {
                deadline = min(bodyEnd, now.advanced(byMilliseconds: limits.bodyProgressMillisecondsMax))
            }
        }
    }
}
