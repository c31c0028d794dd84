public import Runtime

/// What the writer has done so far: a value read at one instant.
public struct WriterMetrics: Hashable, Sendable {
    /// Committed transactions.
    public var batches = 0
    /// Committed submissions.
    public var submissions = 0
    /// Committed writes.
    public var writes = 0
    /// Writes of the last committed transaction.
    public var lastBatchWrites = 0
    /// Time spent in COMMIT, the sync included, in all and the last time.
    public var commitNanoseconds: Int64 = 0
    /// The last COMMIT with its sync; 0 before the first.
    public var lastCommitNanoseconds: Int64 = 0
    /// The longest COMMIT with its sync since the database was opened.
    public var longestCommitNanoseconds: Int64 = 0
    /// The same as a distribution: COMMIT with its sync, in nanoseconds; and how many writes went into one transaction.
    public var commitTimes = Histogram.times
    /// Writes of each committed transaction.
    public var batchWrites = Histogram.counts
    /// Frames in the write-ahead log after the last commit.
    public var walFrames = 0
    /// Checkpoints made or tried, those that could not finish included.
    public var checkpoints = 0
    /// Time spent in them, in all.
    public var checkpointNanoseconds: Int64 = 0
    /// Submissions refused because the disk was full.
    public var refusedFull = 0
    /// Submissions refused for a conflict.
    public var refusedConflict = 0
    /// Submissions waiting now.
    public var queueDepth = 0
    /// The writer stopped for good after an input/output error.
    public var hasFailed = false
    /// Why it did.
    public var failure: String?
    /// The database file is not under its name: nothing is written until it is back.
    public var isDisplaced = false
    /// The disk has no room for more writes, as of the last look.
    public var isFull = false
}
