package import Runtime

/// What the writer has done so far: a value read at one instant.
package struct WriterMetrics: Hashable, Sendable {
    /// Committed transactions.
    package var batches = 0
    /// Committed submissions.
    package var submissions = 0
    /// Committed writes.
    package var writes = 0
    /// Writes of the last committed transaction.
    package var lastBatchWrites = 0
    /// Time spent in COMMIT, the sync included, in all and the last time.
    package var commitNanoseconds: Int64 = 0
    package var lastCommitNanoseconds: Int64 = 0
    package var longestCommitNanoseconds: Int64 = 0
    /// The same as a distribution: COMMIT with its sync, in nanoseconds; and how many writes went into one transaction.
    package var commitTimes = Histogram.times
    package var batchWrites = Histogram.counts
    /// Frames in the write-ahead log after the last commit.
    package var walFrames = 0
    package var checkpoints = 0
    package var checkpointNanoseconds: Int64 = 0
    /// Submissions refused because the disk was full.
    package var refusedFull = 0
    /// Submissions refused for a conflict.
    package var refusedConflict = 0
    /// Submissions waiting now.
    package var queueDepth = 0
    /// The writer stopped for good after an input/output error.
    package var hasFailed = false
    /// Why it did.
    package var failure: String?
    /// The database file is not under its name: nothing is written until it is back.
    package var isDisplaced = false
    /// The disk has no room for more writes, as of the last look.
    package var isFull = false
}
