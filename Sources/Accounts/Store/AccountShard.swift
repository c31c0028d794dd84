internal import Identity
internal import JSON
internal import Persistence
public import Redux
public import Runtime

/// The accounts of one event loop: their stores, the batch that is open in this turn, and the batches on their way to the disk.
///
/// Shares the loop's executor, so what a connection of the same loop dispatches runs without a hop. All transitions of one turn
/// leave for the writer as one submission; the writer merges what queued while its last commit ran into one transaction.
public actor AccountShard<Model: AccountModel> {
    /// The loop's, and the shard's place among them.
    public nonisolated let index: Int
    /// Shared with the connections it serves.
    public nonisolated let loop: EventLoop
    /// The loop's.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.unownedExecutor }

    let service: Context
    var stores = StoreTable<Model>()
    /// Of the accounts that are followed.
    var feeds: [AccountID: AccountFeed<Model>] = [:]
    let storesMax: Int
    var backlog: Backlog
    /// What each account may dispatch; nil for as much as it likes.
    let rate: TokenBucket.Rate?
    var quarantine = Quarantine()
    /// Of the connections of this loop, whichever shard their accounts live on.
    var tokens = RecentTokens()
    var loads: [AccountID: Load] = [:]
    var batch = TurnBatch<Model>()
    private var inFlight: [Int: TurnBatch<Model>] = [:]
    private var nextTicket = 0
    private(set) var environment: Shared<Model.Environment>

    /// An account on its way into memory.
    struct Load {
        var waiting: [@Sendable (Result<AccountHandle, OpenFault>) -> Void]
        /// Effects that were settled meanwhile.
        var settled: [OutboxID] = []
    }

    /// What all shards share.
    struct Context: Sendable {
        let database: Database
        let directory: Directory
        let limits: AccountLimits
        let counters: AccountCounters
        let history: History<Model>
        let log: Log
        /// Told of every change of the outbox that has become durable.
        let effectsCommitted: @Sendable ([EffectChange]) -> Void
        /// Told of every account that has been erased.
        let accountErased: @Sendable (AccountID) -> Void
    }

    init(index: Int, of count: Int, loop: EventLoop, service: Context, environment: Model.Environment) {
        backlog = Backlog(service.limits)
        rate = TokenBucket.Rate(service.limits)
        storesMax = max(1, service.limits.storesInMemoryMax / count)
        self.index = index
        self.loop = loop
        self.service = service
        self.environment = Shared(environment)
    }

    /// Runs `body` on the shard's executor: at once where the caller is on it already, else in a later turn of its loop.
    nonisolated func perform(_ body: @escaping @Sendable (isolated AccountShard<Model>) -> Void) {
        loop.execute { _ in self.assumeIsolated(body) }
    }

    func replace(environment: Model.Environment) {
        self.environment = Shared(environment)
        // A store with transitions on their way is published anew when they are committed.
        for store in stores.all where store.head == store.gate.committed {
            store.handle.publish(published(store.handle, store.shared, at: store.head))
        }
        for feed in feeds.values { feed.refresh() }
    }

    // MARK: Stores enter memory

    /// Finds or loads an account; `done` runs on this executor, at once where the account is in memory.
    func open(_ account: AccountID, _ done: @escaping @Sendable (Result<AccountHandle, OpenFault>) -> Void) {
        if let store = stores[account] { return done(store.handle.isErased ? .failure(.noAccount) : .success(store.handle)) }
        if loads[account] != nil {
            loads[account]?.waiting.append(done)
            return
        }
        if quarantine.count > 0, let fault = setAside(account) { return done(.failure(fault)) }
        guard loads.count < service.limits.loadsMax else { return done(.failure(.overloaded)) }
        loads[account] = Load(waiting: [done])
        let history = service.history
        service.database.load(account) { result in
            // On a reader's queue: folding is done here, off the loop.
            let recovered = Recovered<Model>.make(account, from: result, with: history)
            self.perform { $0.finishLoad(account, recovered) }
        }
    }

    private func finishLoad(_ account: AccountID, _ result: Result<Recovered<Model>, OpenFault>) {
        let load = loads.removeValue(forKey: account) ?? Load(waiting: [])
        switch result {
        case .failure(let fault):
            if fault.setsAside {
                quarantine(account, fault)
                service.log.error("account set aside", ["account": .count(account.rawValue), "reason": .text("\(fault)")])
            }
            for done in load.waiting { done(.failure(fault)) }
        case .success(let recovered):
            let store = install(recovered)
            for id in load.settled { store.outbox.settle(id) }
            for done in load.waiting { done(.success(store.handle)) }
        }
    }

    func install(_ recovered: Recovered<Model>) -> LiveStore<Model> {
        let epoch = Epoch.text(service.database.epoch(of: recovered.record))
        let handle = AccountHandle(
            id: recovered.record.id, shard: index, epoch: epoch,
            published: StateRendering<Model>(
                of: Shared(recovered.state), account: recovered.record.id, epoch: epoch, at: recovered.head, in: environment
            ).published,
            sessions: recovered.sessions, record: recovered.record)
        let ledger = Ledger<Model>(
            account: recovered.record.id, head: .init(revision: recovered.head, at: recovered.at), environment: environment,
            actions: service.history.actions,
            ids: ActionIDs())
        let log = service.log
        let store = LiveStore<Model>(
            handle: handle, state: recovered.state, ledger: ledger, tail: recovered.tail,
            keys: IdempotencyKeys(records: recovered.idempotency), isRecovered: true,
            isOfOtherVersion: recovered.isOfOtherVersion
        ) { action, refusal in
            log.error("follow-up dropped", ["action": .text(action.action.name), "reason": .text(refusal.kind.slug)])
        }
        store.outbox = recovered.outbox
        store.postponed.count = recovered.postponed
        store.lastUsed = loop.time.wallMilliseconds()
        makeRoom()
        stores.insert(store)
        service.directory.insert(handle)
        service.counters.storesInMemory.add(1)
        if !feeds.isEmpty { feeds[handle.id]?.attach(handle) }
        return store
    }

    // MARK: For the sessions' part

    /// The store of an account, if it is in memory and not being erased.
    func store(of account: AccountID) -> LiveStore<Model>? { stores[account].flatMap { $0.handle.isErased ? nil : $0 } }

    /// Adds a write to this turn's batch on behalf of a store: where the commit fails, the store is dropped.
    func write(_ write: Write, of store: LiveStore<Model>) {
        touch(store)
        batch.writes.append(write)
    }

    /// Has `done` told of the fate of this turn's batch.
    func afterCommit(of store: LiveStore<Model>, _ done: @escaping @Sendable (CommitFault?) -> Void) {
        touch(store)
        batch.afterwards.append(done)
    }

    // MARK: The way of an action

    /// Runs a request to its verdict. `deliver` is called once, on this executor, after the output gate.
    func dispatch(
        _ request: DispatchRequest<Model>, to account: AccountID, deliver: @escaping @Sendable (Verdict) -> Void
    ) {
        guard let store = store(of: account) else {
            return open(account) { result in
                self.assumeIsolated { shard in
                    switch result {
                    case .success: shard.dispatch(request, to: account, deliver: deliver)
                    case .failure(let fault): deliver(fault.verdict)
                    }
                }
            }
        }
        let now = loop.time.wallMilliseconds()
        store.lastUsed = now
        if let refusal = overload(request, of: store, at: now) { return deliver(refusal) }
        if let key = request.key, !request.isDryRun {
            switch store.keys.look(up: key.key, fingerprint: key.fingerprint, now: now) {
            case .new: break
            case .done(let record): return answer(store, .replayed(record.answer), deliver)
            case .running: return answer(store, .keyRunning, deliver)
            case .mismatch: return answer(store, .keyReused, deliver)
            case .full: return answer(store, .tooManyKeys, deliver)
            }
        }
        if let refusal = excess(request, of: store, at: now) { return deliver(refusal) }
        if let precondition = request.precondition, !holds(precondition, for: store) {
            return answer(store, .preconditionFailed(head: store.head), deliver)
        }
        do throws(LiveStore<Model>.Refused) {
            let rendered = try store.run(
                request.actions, at: now, in: environment, trace: request.trace, keeping: !request.isDryRun,
                effectsMax: effectsMax(of: request)
            ) { accepted, before in
                request.render(
                    Receipt(
                        account: account, epoch: store.handle.epoch, revision: store.head, changed: store.shared != before,
                        actions: accepted.map {
                            .init(
                                revision: $0.entry.revision, name: $0.entry.name, isOwn: $0.entry.cause == nil && !$0.isRecovery)
                        }, state: store.shared,
                        effects: request.isDryRun ? accepted.flatMap { $0.effects } : []))
            }
            if request.isDryRun { return answer(store, .done(rendered), deliver) }
            accept(store, request, rendered, now, deliver)
        } catch {
            service.counters.actionsRefused.add(1)
            answer(store, .refused(error.refusal, index: error.index), deliver)
        }
    }

    /// Compares with the working head, so that of two requests with one tag only the first can win.
    func holds(_ precondition: Precondition, for store: LiveStore<Model>) -> Bool {
        let epoch = store.handle.epoch
        return precondition.holds(tag: EntityTag.state(epoch: epoch, revision: store.head)) { name in
            guard let value = try? StateRendering<Model>.view(name, of: store.state, in: environment.value) else { return nil }
            return EntityTag.view(name, epoch: epoch, value: value)
        }
    }

    private func accept(
        _ store: LiveStore<Model>, _ request: DispatchRequest<Model>, _ rendered: RenderedAnswer, _ now: Milliseconds,
        _ deliver: @escaping @Sendable (Verdict) -> Void
    ) {
        take(from: store)
        if let settled = request.settles {
            if request.buries == nil { store.outbox.settle(settled) }
            batch.writes.append(request.buries.map { .bury(settled, reason: $0) } ?? .settle(settled))
        }
        var record: IdempotencyRecord?
        if let key = request.key {
            let made = IdempotencyRecord(
                account: store.handle.id, key: key.key, fingerprint: key.fingerprint, status: rendered.status,
                head: rendered.fields,
                body: rendered.body, at: now)
            batch.writes.append(.remember(made))
            store.keys.begin(key.key, fingerprint: key.fingerprint)
            record = made
        }
        store.gate.hold(.init(verdict: .done(rendered), record: record, deliver: deliver), until: store.head)
    }

    /// Puts what a store has accepted into this turn's batch.
    func take(from store: LiveStore<Model>) {
        touch(store)
        var base = store.takeBase()
        if let found = base, found.revision == store.gate.committed { writeBase(&base, of: store) }
        for transition in store.takeOpened() {
            store.tail.append(transition.entry)
            batch.writes.append(.append(transition.entry))
            if base?.revision == transition.entry.revision { writeBase(&base, of: store) }
            if !transition.cancellations.isEmpty { cancel(transition.cancellations, by: transition.entry, of: store) }
            for effect in transition.effects {
                store.outbox.enqueue(effect)
                batch.writes.append(.enqueue(effect))
                batch.effects.append(.enqueued(effect))
            }
            if let event = transition.event { batch.events.append((event, store.handle.id, transition.entry.revision)) }
            batch.actions += 1
        }
    }

    /// Answers from the working state: at once where all of it is committed, else behind the gate.
    func answer(_ store: LiveStore<Model>, _ verdict: Verdict, _ deliver: @escaping @Sendable (Verdict) -> Void) {
        if store.gate.isOpen(for: store.head) {
            deliver(verdict)
        } else {
            store.gate.hold(.init(verdict: verdict, record: nil, deliver: deliver), until: store.head)
        }
    }

    // MARK: Batches

    private func touch(_ store: LiveStore<Model>) {
        openTurn()
        guard !store.isTouched else { return }
        store.isTouched = true
        batch.touched.append(store)
    }

    /// Makes sure that this turn's batch leaves at its end.
    func openTurn() {
        guard !batch.isOpen else { return }
        batch.isOpen = true
        loop.assumeIsolated { submitAtEndOfTurn(of: $0) }
    }

    private func submitAtEndOfTurn(of loop: isolated EventLoop) {
        loop.endOfTurn { self.assumeIsolated { $0.submit() } }
    }

    private func submit() {
        for store in batch.touched {
            store.isTouched = false
            batch.reached.append((store, store.head, store.shared))
            if store.tail.isLong { writeBack(store) }
        }
        let ticket = nextTicket
        nextTicket += 1
        backlog.didSubmit(ticket, actions: batch.actions, at: loop.time.wallMilliseconds())
        if batch.actions > 0 { service.counters.actionsWaiting.add(batch.actions) }
        let writes = batch.writes
        inFlight[ticket] = batch
        batch = TurnBatch()
        service.database.submit(writes) { result in
            self.perform { $0.settle(ticket, result) }
        }
    }

    /// Stores what everything later is folded from, behind the log that led to it.
    private func writeBase(_ base: inout LiveStore<Model>.Base?, of store: LiveStore<Model>) {
        guard let found = base else { return }
        base = nil
        do throws(JSONFault) {
            batch.writes.append(
                .snapshot(
                    try service.history.states.snapshot(found.state, of: store.handle.id, at: found.revision, isBase: true)))
            store.tail = .empty
            service.counters.accountsMigrated.add(1)
        } catch {
            preconditionFailure("a state that was read from JSON can be written as JSON")
        }
    }

    /// Adds the store's state to the open batch, behind the log it results from.
    func writeBack(_ store: LiveStore<Model>) {
        guard !store.awaitsMigration else { return }
        do {
            batch.writes.append(.snapshot(try service.history.states.snapshot(store.state, of: store.handle.id, at: store.head)))
            if let retention = service.limits.retention(at: loop.time.wallMilliseconds()) {
                batch.writes.append(.retain(store.handle.id, retention))
            }
            store.tail = .empty
        } catch {
            service.log.error(
                "state not written back", ["account": .count(store.handle.id.rawValue), "reason": .text("\(error)")])
        }
    }

    private func settle(_ ticket: Int, _ result: Result<Void, CommitFault>) {
        guard let done = inFlight.removeValue(forKey: ticket) else { return }
        backlog.didSettle(ticket, actions: done.actions)
        if done.actions > 0 { service.counters.actionsWaiting.add(-done.actions) }
        switch result {
        case .success:
            for (store, revision, state) in done.reached {
                // A store that was dropped meanwhile has told its waiters already.
                guard stores[store.handle.id] === store else { continue }
                if revision > store.gate.committed { store.handle.publish(published(store.handle, state, at: revision)) }
                store.gate.release(through: revision) { held in
                    if let record = held.record { store.keys.finish(record) }
                    held.deliver(held.verdict)
                }
            }
            if !feeds.isEmpty { tellFollowers(of: done.reached, done.writes) }
            service.counters.actionsCommitted.add(done.actions)
            if service.log.topics.contains(.transitions) { tellTransitions(done.writes) }
            for event in done.events { count(event.name, of: event.account, at: event.revision) }
            for afterwards in done.afterwards { afterwards(nil) }
            if !done.effects.isEmpty { service.effectsCommitted(done.effects) }
        case .failure(let fault):
            for (store, _, _) in done.reached { drop(store, fault) }
            for afterwards in done.afterwards { afterwards(fault) }
        }
    }

    private func count(_ event: String, of account: AccountID, at revision: Revision) {
        service.counters.events.count(event)
        service.log.debug(
            "event", ["event": .text(event), "account": .count(account.rawValue), "revision": .count(revision)])
    }

    /// Throws a store's working state away: what it had accepted beyond the disk may never have been written.
    private func drop(_ store: LiveStore<Model>, _ fault: CommitFault) {
        guard stores[store.handle.id] === store else { return }
        remove(store)
        store.gate.fail { $0.deliver(.commitFailed(fault)) }
    }

    func remove(_ store: LiveStore<Model>) {
        stores.remove(store)
        service.directory.remove(store.handle)
        store.handle.retire()
        service.counters.storesInMemory.add(-1)
    }

    // MARK: Publishing

    private func published(_ handle: AccountHandle, _ state: Shared<Model.State>, at revision: Revision) -> PublishedState {
        StateRendering<Model>(of: state, account: handle.id, epoch: handle.epoch, at: revision, in: environment).published
    }
}
