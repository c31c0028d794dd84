internal import Persistence
internal import Redux
internal import Runtime

// Postponed items are rows of the account: written in a transaction of their own, removed in that of their action. What runs is read
// from the disk, one run of an account at a time, so that no item is run twice.

/// What a store knows of its account's postponed items.
struct PostponedStanding {
    /// Items that wait, under all tags, with those on their way to the disk.
    var count = 0
    /// A tag is being run.
    var isRunning = false
}

extension AccountShard {
    typealias Deliver = @Sendable (Verdict) -> Void

    /// Items run in one turn of the loop, so that other accounts have theirs.
    static var postponedPerTurnMax: Int { 16 }

    func postpone(_ item: Postponement, to account: AccountID, deliver: @escaping Deliver) {
        loaded(account, deliver) { shard, store in
            let now = shard.loop.time.wallMilliseconds()
            if let refusal = shard.overload(item.count, of: store, at: now) { return deliver(refusal) }
            if let key = item.key, let known = shard.known(key, of: store, at: now) { return shard.answer(store, known, deliver) }
            if let precondition = item.precondition, !shard.holds(precondition, for: store) {
                return shard.answer(store, .preconditionFailed(head: store.head), deliver)
            }
            guard store.postponed.count < shard.service.limits.postponedMax else { return deliver(.tooManyPostponed) }
            // Paid for now: running them is free.
            if let refusal = shard.excess(item.count, of: store, at: now) { return deliver(refusal) }
            store.postponed.count += 1
            let record = PostponedRecord(
                id: shard.service.database.nextPostponedID(), account: account, tag: item.tag, body: item.body, at: now)
            shard.write(.postpone(record), of: store)
            store.handle.keep()
            shard.conclude(item.key, item.render(store.postponed.count), of: store, at: now, endsRun: false, deliver)
        }
    }

    func run(_ run: PostponedRun<Model>, of account: AccountID, deliver: @escaping Deliver) {
        loaded(account, deliver) { shard, store in
            let now = shard.loop.time.wallMilliseconds()
            if let refusal = shard.overload(1, of: store, at: now) { return deliver(refusal) }
            if let key = run.key, let known = shard.known(key, of: store, at: now) { return shard.answer(store, known, deliver) }
            guard !store.postponed.isRunning else { return deliver(.postponedRunning) }
            store.postponed.isRunning = true
            let handle = store.handle
            handle.keep()
            shard.service.database.postponed(of: account, tag: run.tag) { result in
                shard.perform { shard in
                    switch result {
                    case .success(let records): shard.run(records[...], [], run, of: handle, deliver)
                    case .failure(let fault):
                        if let store = shard.store(of: account), store.handle === handle { store.postponed.isRunning = false }
                        handle.release()
                        deliver(.storage(fault))
                    }
                }
            }
        }
    }

    /// Runs some of the records, and the rest in a later turn.
    private func run(
        _ records: ArraySlice<PostponedRecord>, _ before: [PostponedOutcome], _ run: PostponedRun<Model>,
        of handle: AccountHandle, _ deliver: @escaping Deliver
    ) {
        // A store that was dropped meanwhile took what it had accepted with it; what that was is not known here.
        guard let store = store(of: handle.id), store.handle === handle else {
            handle.release()
            return deliver(.commitFailed(.outcomeUnknown("the account's store was dropped while a tag was run")))
        }
        let now = loop.time.wallMilliseconds()
        var outcomes = before
        for record in records.prefix(Self.postponedPerTurnMax) {
            outcomes.append(perform(record, run, in: store, at: now))
        }
        let rest = records.dropFirst(Self.postponedPerTurnMax)
        guard rest.isEmpty else {
            let soFar = outcomes
            return loop.execute { _ in self.assumeIsolated { $0.run(rest, soFar, run, of: handle, deliver) } }
        }
        conclude(run.key, run.render(outcomes), of: store, at: now, endsRun: true, deliver)
    }

    /// One item: it goes in the transaction of its action, or without one where that is refused.
    private func perform(
        _ record: PostponedRecord, _ run: PostponedRun<Model>, in store: LiveStore<Model>, at now: Milliseconds
    ) -> PostponedOutcome {
        write(.unpostpone(id: record.id, account: record.account), of: store)
        store.postponed.count -= 1
        guard let actions = run.decode(record.body) else { return .unreadable }
        do throws(LiveStore<Model>.Refused) {
            let effectsMax = service.limits.effects.waitingPerAccountMax
            try store.run(actions, at: now, in: environment, trace: run.trace, effectsMax: effectsMax) { _, _ in }
            take(from: store)
            return .done(store.head)
        } catch {
            return .refused(error.refusal, index: error.index)
        }
    }

    // MARK: Pieces

    /// Runs `body` with the account's store; where it cannot be had, `deliver` is told why.
    private func loaded(
        _ account: AccountID, _ deliver: @escaping Deliver,
        _ body: @escaping @Sendable (isolated AccountShard<Model>, LiveStore<Model>) -> Void
    ) {
        open(account) { result in
            self.assumeIsolated { shard in
                switch result {
                case .success:
                    guard let store = shard.store(of: account) else { return deliver(.noAccount) }
                    body(shard, store)
                case .failure(let fault): deliver(fault.verdict)
                }
            }
        }
    }

    /// The verdict of a request whose key is known already; nil for a new one.
    private func known(_ key: IdempotencyKey, of store: LiveStore<Model>, at now: Milliseconds) -> Verdict? {
        switch store.keys.look(up: key.key, fingerprint: key.fingerprint, now: now) {
        case .new: nil
        case .done(let record): .replayed(record.answer)
        case .running: .keyRunning
        case .mismatch: .keyReused
        case .full: .tooManyKeys
        }
    }

    /// Has the answer delivered after the commit of this turn's batch, and stored in it under its key. The store was kept until here.
    private func conclude(
        _ key: IdempotencyKey?, _ rendered: RenderedAnswer, of store: LiveStore<Model>, at now: Milliseconds, endsRun: Bool,
        _ deliver: @escaping Deliver
    ) {
        var made: IdempotencyRecord?
        if let key {
            let record = IdempotencyRecord(
                account: store.handle.id, key: key.key, fingerprint: key.fingerprint, status: rendered.status,
                head: rendered.fields, body: rendered.body, at: now)
            write(.remember(record), of: store)
            store.keys.begin(key.key, fingerprint: key.fingerprint)
            made = record
        }
        let (record, handle) = (made, store.handle)
        afterCommit(of: store) { fault in
            self.assumeIsolated { shard in
                handle.release()
                if let fault { return deliver(.commitFailed(fault)) }
                if let store = shard.store(of: handle.id), store.handle === handle {
                    if endsRun { store.postponed.isRunning = false }
                    if let record { store.keys.finish(record) }
                }
                deliver(.done(rendered))
            }
        }
    }
}
