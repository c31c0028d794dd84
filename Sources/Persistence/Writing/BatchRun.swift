internal import Runtime
internal import SQLite

/// One batch on its way into the database: one transaction, whatever happens.
struct BatchRun {
    /// How a batch ended.
    enum Outcome {
        /// Durable, but for the submissions (by index) that were in conflict.
        case committed(conflicts: [Int: CommitFault.Conflict], nanoseconds: Int64)
        /// Nothing of it is kept.
        case full
        /// Somebody else holds the database, against the rules. Nothing of it is kept.
        case busy
        /// It may be there or not.
        case failed(String)
    }

    private let file: WriterFile
    private let batch: [Submission]

    init(_ file: WriterFile, _ batch: [Submission]) {
        self.file = file
        self.batch = batch
    }

    /// Applies and commits. Without a conflict no submission costs a savepoint; with one, the batch runs again with a savepoint each.
    func commit(injecting fault: FaultInjection.Fault?) -> Outcome {
        var conflicts: [Int: CommitFault.Conflict] = [:]
        do throws(SQLiteError) {
            try file.statements.transaction.write()
            if try !applyAll() {
                rollBack()
                try file.statements.transaction.write()
                conflicts = try applyEach()
            }
            try file.applier.finish()
        } catch {
            // Nothing was committed, so nothing can come back: only the error's cause matters.
            rollBack()
            return Self.outcome(of: error)
        }
        return commit(conflicts, injecting: fault)
    }

    private func commit(_ conflicts: [Int: CommitFault.Conflict], injecting fault: FaultInjection.Fault?) -> Outcome {
        if fault == .full || fault == .ioError(applied: false) {
            rollBack()
            return fault == .full ? .full : .failed("an input/output error, injected")
        }
        let start = TimeSource.system.monotonic()
        do throws(SQLiteError) { try file.statements.transaction.end() } catch {
            rollBack()
            return Self.outcome(of: error)
        }
        let nanoseconds = Int64(TimeSource.system.monotonic().nanoseconds(since: start))
        file.applier.didCommit()
        if fault != nil { return .failed("an input/output error after the commit, injected") }
        return .committed(conflicts: conflicts, nanoseconds: nanoseconds)
    }

    private func rollBack() {
        file.statements.transaction.abandon()
        file.applier.didRollBack(batch[...])
    }

    /// Applies every write; false at the first conflict.
    private func applyAll() throws(SQLiteError) -> Bool {
        for submission in batch {
            guard try conflict(in: submission) == nil else { return false }
        }
        return true
    }

    /// Applies every submission on its own, and takes back those in conflict.
    private func applyEach() throws(SQLiteError) -> [Int: CommitFault.Conflict] {
        var conflicts: [Int: CommitFault.Conflict] = [:]
        for (index, submission) in batch.enumerated() {
            try file.statements.savepoint.run()
            let mark = file.applier.mark
            if let conflict = try conflict(in: submission) {
                try file.statements.rollbackTo.run()
                file.applier.didRollBack(submission, to: mark)
                conflicts[index] = conflict
            }
            try file.statements.release.run()
        }
        return conflicts
    }

    private func conflict(in submission: Submission) throws(SQLiteError) -> CommitFault.Conflict? {
        do throws(WriteFault) {
            for write in submission.writes { try file.applier.apply(write) }
            return nil
        } catch {
            switch error {
            case .conflict(let conflict): return conflict
            case .sqlite(let error): throw error
            }
        }
    }

    /// What an error on the write path means: a full disk is clean, everything else stops the writer.
    private static func outcome(of error: SQLiteError) -> Outcome {
        switch error.kind {
        case .full: .full
        case .busy: .busy
        default: .failed(error.description)
        }
    }
}
