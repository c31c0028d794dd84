/// What waits for the writer: filled by any thread, emptied by the writer, a batch at a time.
struct Inbox: Sendable {
    private var waiting: [Submission] = []
    /// Taken up to here; the array is cut when it is all taken, so that taking a slice moves nothing.
    private var taken = 0
    /// The writer will look again by itself.
    private var isScheduled = false
    private var isClosed = false

    var count: Int { waiting.count - taken }

    /// What came of an attempt to queue.
    enum Outcome {
        /// Queued; `mustWake` tells the caller to wake the writer.
        case queued(mustWake: Bool)
        case refused(CommitFault)
    }

    mutating func add(_ submissions: [Submission], limit: Int) -> Outcome {
        guard !isClosed else { return .refused(.closed) }
        guard count + submissions.count <= limit else { return .refused(.overloaded) }
        waiting.append(contentsOf: submissions)
        defer { isScheduled = true }
        return .queued(mustWake: !isScheduled)
    }

    /// The next batch: submissions until their writes pass `writesMax`, at least one if any waits. None ends the writer's turn.
    mutating func take(writesMax: Int) -> [Submission] {
        guard count > 0 else {
            isScheduled = false
            return []
        }
        var end = taken
        var writes = 0
        while end < waiting.count {
            let next = waiting[end].writes.count
            guard end == taken || writes + next <= writesMax else { break }
            writes += next
            end += 1
        }
        if taken == 0 && end == waiting.count {
            defer { waiting = [] }
            return waiting
        }
        let batch = Array(waiting[taken..<end])
        taken = end
        if taken == waiting.count {
            waiting = []
            taken = 0
        }
        return batch
    }

    /// Nothing is taken in any more.
    mutating func close() { isClosed = true }
}
