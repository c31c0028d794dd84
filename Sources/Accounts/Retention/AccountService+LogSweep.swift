internal import Persistence
internal import Redux
internal import Runtime
internal import Synchronization

// Entries that are too old go when an account's state is written back. Here they go where it is not: the account takes no actions, or few.
//
// Its store is not asked, and stays where it is: what is written is a state that the committed log leads to, at a revision of long ago.

extension AccountService {
    /// Begins the next slice of the sweep, where entries are kept for a time and no longer.
    func sweepLogs() {
        guard limits.logKeptMilliseconds != nil else { return }
        go(on: logSweep.withLock { [now = time.monotonic()] in $0.begin(at: now) })
    }

    private func go(on step: LogSweep.Step?) {
        switch step {
        case nil: break
        case .look(let stretch): look(at: stretch)
        case .shorten(let due): shorten(due) { ending in self.go(on: self.logSweep.withLock { $0.finish(ending) }) }
        }
    }

    private func look(at stretch: LogSweep.Stretch) {
        let now = time.wallMilliseconds()
        guard let retention = limits.retention(at: now), let before = retention.before else { return }
        database.dueLog(
            after: stretch.after, limit: stretch.limit, stampedBefore: before - LogSweep.slackMilliseconds, retention: retention
        ) { result in
            switch result {
            case .success(let look): self.go(on: self.logSweep.withLock { $0.take(look, of: stretch) })
            case .failure(let fault): self.logSweep.withLock { $0.fail(fault) }
            }
        }
    }

    /// Lets the beginning of a log go, and stores the state that covers it where none does.
    ///
    /// An account that cannot be opened is left as it is, and so is one of which a stored state is damaged: its log may be all there is.
    /// One read of the sweep waits at a time, and what it reads is folded on the reader's queue.
    private func shorten(_ due: DueLog, _ done: @escaping @Sendable (LogSweep.Ending) -> Void) {
        database.load(due.account) { [database, history] result in
            if case .success(let loaded?) = result, !loaded.damagedSnapshots.isEmpty { return done(.done) }
            switch Recovered<Model>.make(due.account, from: result, with: history) {
            case .failure(.overloaded): done(.notNow)
            case .failure: done(.done)
            case .success(let account):
                database.pastStart(of: due.account, at: due.through, isChecked: true) { result in
                    switch result {
                    case .failure(.overloaded): done(.notNow)
                    case .failure, .success(nil): done(.done)
                    case .success(let start?): self.shorten(due, from: start, mayStore: !account.isOfOtherVersion, done)
                    }
                }
            }
        }
    }

    private func shorten(
        _ due: DueLog, from start: PastStart, mayStore: Bool, _ done: @escaping @Sendable (LogSweep.Ending) -> Void
    ) {
        guard !start.isBaseMissing else { return done(.done) }
        if let stored = start.snapshot?.revision, stored >= due.oldest, stored == due.through || due.mayGoOn || !mayStore {
            return forget(due, through: stored, with: nil, done)
        }
        // Of an account that has not come over to this version of the model only the migration may store a state.
        guard mayStore else { return done(.done) }
        past.fold(due.account, from: start, to: due.through) { [history] result in
            switch result {
            case .failure(.storage(.overloaded)): done(.notNow)
            case .failure: done(.done)
            case .success(let point):
                guard
                    let state = try? history.states.snapshot(point.state, of: due.account, at: point.revision, isBase: true)
                else { return done(.done) }
                self.forget(due, through: point.revision, with: state, done)
            }
        }
    }

    /// - Parameter state: to be stored before; nil where one is.
    private func forget(
        _ due: DueLog, through revision: Revision, with state: SnapshotRecord?,
        _ done: @escaping @Sendable (LogSweep.Ending) -> Void
    ) {
        var retention = due.retention
        // A state further on lets no more go than was looked at.
        retention.actionsMin = max(retention.actionsMin ?? 0, due.newest - revision)
        let stored = state.map { [Write.snapshot($0)] } ?? []
        database.submit(stored + [.retain(due.account, retention)]) { [counters] result in
            switch result {
            case .success:
                counters.logsShortened.add(1)
                done(.done)
            // Erased meanwhile, or shortened by the account itself.
            case .failure(.conflict): done(.done)
            case .failure: done(.notNow)
            }
        }
    }
}
