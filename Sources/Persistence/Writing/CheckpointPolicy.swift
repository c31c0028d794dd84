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

    /// Frames (of 4 KiB) at which a passive checkpoint is made: 128 MiB.
    ///
    /// While it runs nothing is committed, and what it takes is the writing of pages here and there in the file. The more frames, the more of
    /// them are of the same pages: over 10,000 accounts in a file of 0.2 to 0.7 GB, checkpoints of 32,768 frames took 3 to 8 % of the
    /// time (80 to 300 ms each), of 16,384 some 5 % and more, of 1,024 some 17 % (20 ms each).
    static let framesMax = 32_768
    /// Frames at which the writer stops for it: 1 GiB.
    static let framesHardMax = 262_144
    /// Frames to wait for before another try, where a reader held up the last one.
    static let retryFrames = 4_096

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
        if isComplete {
            isPending = false
            // The next commit starts the log afresh, unless a reader still stands in it.
            next = framesSeen + Self.framesMax
        } else {
            next = framesSeen + Self.retryFrames
        }
    }
}
