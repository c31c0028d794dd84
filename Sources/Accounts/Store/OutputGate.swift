internal import Redux

/// Holds answers back until every revision they saw is committed, in the order in which they were given.
///
/// A value without I/O: the store puts answers in, and performs what `release` hands out. Revisions only grow between two failures,
/// so the queue is ordered by what its entries wait for.
struct OutputGate<Answer> {
    private var waiting: [(seen: Revision, answer: Answer)] = []
    /// Where the queue starts: entries before it have been handed out.
    private var start = 0
    /// The newest committed revision.
    private(set) var committed: Revision

    init(committed: Revision) {
        self.committed = committed
    }

    /// How many answers wait.
    var count: Int { waiting.count - start }

    /// Takes an answer that was computed from the state at revision `seen`; true when it may leave at once.
    ///
    /// It may not overtake an earlier answer, even where it needs nothing more: answers of one account leave in order.
    func isOpen(for seen: Revision) -> Bool { seen <= committed && count == 0 }

    /// Queues an answer until `seen` is committed.
    mutating func hold(_ answer: Answer, until seen: Revision) {
        waiting.append((seen, answer))
    }

    /// Notes that everything up to `revision` is committed, and hands out what waited for no more than that.
    mutating func release(through revision: Revision, _ deliver: (Answer) -> Void) {
        committed = max(committed, revision)
        while start < waiting.count, waiting[start].seen <= committed {
            deliver(waiting[start].answer)
            start += 1
        }
        compact()
    }

    /// Hands out everything that waits, since the commit it waited for has failed.
    mutating func fail(_ deliver: (Answer) -> Void) {
        let failed = waiting[start...]
        waiting = []
        start = 0
        for entry in failed { deliver(entry.answer) }
    }

    private mutating func compact() {
        if start == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            start = 0
        } else if start >= 256 {
            waiting.removeFirst(start)
            start = 0
        }
    }
}
