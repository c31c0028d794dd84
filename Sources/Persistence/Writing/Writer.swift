internal import Runtime
internal import SQLite
internal import Synchronization

/// The one connection that writes: commits in groups, checkpoints in between, on a queue of its own.
///
/// A batch forms by itself: whatever arrived while the last commit ran is the next one. There is no delay to wait for more.
actor Writer {
    /// Writes in one transaction, so that no answer waits long for others.
    static let batchWritesMax = 8_192

    private nonisolated let queue = SerialQueue(label: "storage.writer")
    private nonisolated let inbox = Mutex(Inbox())
    private nonisolated let shared = Mutex(WriterMetrics())
    private nonisolated let options: Database.Options

    private var life: Life
    private var commitsTried = 0
    private var checkpoints = CheckpointPolicy()
    private var metricsNow = WriterMetrics()

    /// A life-cycle whose open phase owns the file.
    private enum Life {
        case open(WriterFile)
        /// An input/output error: nothing is written any more. The connection stays, so that readers are not disturbed.
        case failed(WriterFile, String)
        case closed
    }

    init(_ file: WriterFile, options: Database.Options) {
        life = .open(file)
        self.options = options
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }

    // MARK: From any thread

    nonisolated func submit(_ submissions: [Submission]) {
        switch inbox.withLock({ $0.add(submissions, limit: options.submissionsWaitingMax) }) {
        case .queued(true): onQueue { $0.serve() }
        case .queued(false): break
        case .refused(let fault):
            // On the queue all the same, since that is where the caller expects to be told.
            onQueue { _ in for submission in submissions { submission.then(.failure(fault)) } }
        }
    }

    nonisolated var metrics: WriterMetrics {
        var value = shared.withLock { $0 }
        value.queueDepth = inbox.withLock { $0.count }
        return value
    }

    nonisolated func onQueue(_ job: @escaping @Sendable (isolated Writer) -> Void) {
        queue.execute { [self] in assumeIsolated(job) }
    }

    /// Takes in nothing more; what waits is still committed.
    nonisolated func closeInbox() { inbox.withLock { $0.close() } }

    // MARK: Batches

    /// One batch, and then the queue's other work gets its chance before the next.
    private func serve() {
        if commitNext() { onQueue { $0.serve() } }
    }

    /// Commits what waits, a batch of it at most; false where nothing did, and then the next submission wakes the writer.
    private func commitNext() -> Bool {
        let batch = inbox.withLock { $0.take(writesMax: Self.batchWritesMax) }
        guard !batch.isEmpty else { return false }
        let results = commit(batch)
        publishMetrics()
        for (submission, result) in zip(batch, results) { submission.then(result) }
        afterBatch()
        return true
    }

    private func commit(_ batch: [Submission]) -> [Result<Void, CommitFault>] {
        func all(_ fault: CommitFault) -> [Result<Void, CommitFault>] { batch.map { _ in .failure(fault) } }
        switch life {
        case .closed: return all(.closed)
        case .failed(_, let message): return all(.outcomeUnknown(message))
        case .open(let file):
            guard !metricsNow.isDisplaced else { return all(.displaced) }
            guard file.hasSpace(bytesMin: options.freeBytesMin, walFrames: metricsNow.walFrames) else {
                metricsNow.refusedFull += batch.count
                return all(.full)
            }
            commitsTried += 1
            switch BatchRun(file, batch).commit(injecting: options.faults.decide(commitsTried)) {
            case .committed(let conflicts, let nanoseconds):
                noteCommit(batch, conflicts, nanoseconds, file)
                return batch.indices.map { index in conflicts[index].map { .failure(.conflict($0)) } ?? .success(()) }
            case .full:
                metricsNow.refusedFull += batch.count
                return all(.full)
            case .busy:
                return all(.overloaded)
            case .failed(let message):
                fail(file, message)
                return all(.outcomeUnknown(message))
            }
        }
    }

    private func fail(_ file: WriterFile, _ message: String) {
        file.leaveAsItIs()
        life = .failed(file, message)
        metricsNow.hasFailed = true
        metricsNow.failure = message
    }

    private func noteCommit(
        _ batch: [Submission], _ conflicts: [Int: CommitFault.Conflict], _ nanoseconds: Int64, _ file: WriterFile
    ) {
        let writes = batch.indices.reduce(0) { sum, index in conflicts[index] == nil ? sum + batch[index].writes.count : sum }
        metricsNow.batches += 1
        metricsNow.submissions += batch.count - conflicts.count
        metricsNow.refusedConflict += conflicts.count
        metricsNow.writes += writes
        metricsNow.lastBatchWrites = writes
        metricsNow.commitNanoseconds += nanoseconds
        metricsNow.lastCommitNanoseconds = nanoseconds
        metricsNow.commitTimes.record(nanoseconds)
        metricsNow.batchWrites.record(Int64(writes))
        metricsNow.longestCommitNanoseconds = max(metricsNow.longestCommitNanoseconds, nanoseconds)
        metricsNow.walFrames = file.walFrames
        if batch.contains(where: { $0.erases }) { checkpoints.didErase() }
        file.noteProgress()
    }

    private func publishMetrics() {
        let now = metricsNow
        shared.withLock { $0 = now }
    }

    // MARK: Checkpoints

    private func afterBatch() {
        guard case .open(let file) = life else { return }
        checkpoint(checkpoints.didCommit(frames: file.walFrames), file)
    }

    /// About a second has passed.
    func tick() {
        guard case .open(let file) = life else { return }
        // Not the end of the writer: whoever moved the file can put it back, and as long as the process lives nothing of it is gone.
        metricsNow.isDisplaced = !file.isInPlace
        metricsNow.isFull = !file.hasSpace(bytesMin: options.freeBytesMin, walFrames: metricsNow.walFrames)
        publishMetrics()
        guard !metricsNow.isDisplaced else { return }
        checkpoint(checkpoints.didTick(), file)
    }

    private func checkpoint(_ decision: CheckpointPolicy.Decision, _ file: WriterFile) {
        guard decision != .none else { return }
        let start = TimeSource.system.monotonic()
        do throws(SQLiteError) {
            let result = try file.checkpoint(decision == .truncate ? .truncate : .passive)
            checkpoints.didCheckpoint(isComplete: result.isComplete)
            if decision == .truncate && result.isComplete { checkpoints.didTruncate() }
        } catch {
            // A full disk leaves the log as it is, to be tried again; after any other error nothing is certain.
            checkpoints.didCheckpoint(isComplete: false)
            if error.kind != .full && error.kind != .busy { fail(file, error.description) }
        }
        metricsNow.checkpoints += 1
        metricsNow.checkpointNanoseconds += Int64(TimeSource.system.monotonic().nanoseconds(since: start))
        publishMetrics()
    }

    // MARK: The end

    /// Commits what waits, empties the log, lets go of the file and its lock. The readers must be gone.
    func close() {
        while commitNext() {}
        if case .open(let file) = life { file.finish() }
        life = .closed
    }
}
