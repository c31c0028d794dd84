/// When the write-ahead log is moved into the file: a value that is told what happens and says what to do.
///
/// Passive and between batches at first, since re-using the log is cheaper than cutting it. Past the hard limit readers are waited for.
struct CheckpointPolicy: Sendable {
    enum Decision: Equatable {
        case none
        case passive
        /// Copies everything, waits for readers, cuts the log.
        case truncate
    }

    /// Frames (of 4 KiB) at which a passive checkpoint is made: 2 MiB.
    ///
    /// Nothing is committed while it runs, so how long it takes is what the slowest answers wait. Over 10,000 accounts, 8,000 actions a second,
    /// in a file of up to 0.8 GB: 512 frames take 5 to 7 ms, 4 % of the time, and the 99th percentile is 2.2 to 2.6 medians; 1,024 9 to 14 ms,
    /// 4 % and 2.1 to 3.8; 4,096 20 to 45 ms, 2 % and 4.8; 32,768 130 to 160 ms, 1 % and 6.4. Most frames are of the log's end, and few of
    /// the same page, so that waiting for more of them saves little.
    static let framesMax = 512
    /// Frames at which the writer stops for it: 1 GiB.
    static let framesHardMax = 262_144

    private var next = CheckpointPolicy.framesMax
    private var framesSeen = 0
    private var wroteSinceTick = false
    /// There is something in the log that is not in the file.
    private(set) var isPending = false
    /// Ticks since something was erased whose bytes the log still holds; nil where there is nothing of that kind.
    private var ticksSinceErasure: Int?

    /// Ticks after which erased bytes leave the log, also where the writer is never idle.
    static let erasureTicksMax = 60

    /// After a commit, with the frames now in the log.
    mutating func didCommit(frames: Int) -> Decision {
        wroteSinceTick = true
        isPending = true
        // The log started afresh.
        if frames < framesSeen { next = Self.framesMax }
        framesSeen = frames
        if frames >= Self.framesHardMax { return .truncate }
        return frames >= next ? .passive : .none
    }

    /// About a second has passed: an idle writer uses it.
    mutating func didTick() -> Decision {
        defer { wroteSinceTick = false }
        if let ticks = ticksSinceErasure {
            ticksSinceErasure = ticks + 1
            if !wroteSinceTick || ticks >= Self.erasureTicksMax { return .truncate }
        }
        return isPending && !wroteSinceTick ? .passive : .none
    }

    /// Something was erased: the log, which still holds it, is to be cut before long.
    mutating func didErase() { ticksSinceErasure = ticksSinceErasure ?? 0 }

    /// The log was cut: nothing is left in it.
    mutating func didTruncate() { ticksSinceErasure = nil }

    /// A checkpoint was tried.
    mutating func didCheckpoint(isComplete: Bool) {
        if isComplete { isPending = false }
        // The next commit starts the log afresh, unless a reader still stands in it.
        next = framesSeen + Self.framesMax
    }
}
