internal import Persistence
internal import Redux
internal import Runtime

// What waits: told by the shards when it is committed, or read from the disk page by page, and handed on when it is due.

extension EffectRunner {
    /// How far ahead entries are held in memory.
    static var horizonLength: Milliseconds { 60_000 }
    /// How long a failed read of the outbox is not repeated.
    static var fetchPause: Milliseconds { 1000 }

    // MARK: What the shards tell

    /// What a committed transaction asked for, and what it made void. Before the start nothing is run: it is on the disk.
    func committed(_ changes: [EffectChange]) {
        guard isStarted, !isStopped else { return }
        for change in changes {
            switch change {
            case .enqueued(let entry): enqueued(entry)
            case .cancelled(let account, .key(let name), let revision):
                let key = EffectKey(account: account, key: name)
                for id in [waiting.id(of: key), activeKeys[key]] {
                    if let id, id.revision < revision { cancel(id) }
                }
            case .cancelled(let account, .place(let revision, let ordinal), _):
                cancel(OutboxID(account: account, revision: revision, ordinal: ordinal))
            case .erased(let account):
                page.forget(account)
                waiting.removeAll(of: account)
                for id in active.keys where id.account == account { cancel(id) }
            }
        }
        runDue()
    }

    private func enqueued(_ entry: OutboxEntry) {
        let key = EffectKey(entry)
        if let key { page.replace(key, by: entry.id) }
        // A page that is coming was read before this was committed: what it will not hold is taken in here. Else what lies behind the
        // horizon, and what memory has no room for, is on disk only; but what it replaces may be here.
        let isNear = page.isComing || entry.place < horizon
        let fits = page.isComing || waiting.count + active.count < limits.entriesInMemoryMax
        guard isNear, fits else {
            if let key { replace(key, by: entry.id) }
            if isNear { horizon = min(horizon, DuePlace(due: entry.due)) }
            return
        }
        add(entry)
    }

    private func add(_ entry: OutboxEntry) {
        guard active[entry.id] == nil else { return }
        if let key = EffectKey(entry) {
            if let newest = activeKeys[key], entry.id < newest { return }
            replace(key, by: entry.id)
        }
        waiting.insert(entry)
    }

    /// Makes void what has a key and is older than `id`.
    private func replace(_ key: EffectKey, by id: OutboxID) {
        for older in [waiting.id(of: key), activeKeys[key]] {
            if let older, older < id { cancel(older) }
        }
    }

    private func cancel(_ id: OutboxID) {
        page.forget(id)
        waiting.remove(id)
        guard let known = active[id] else { return }
        if known.isStarted {
            active[id]?.isVoid = true
        } else {
            lanes.forget(id)
            remove(id)
        }
    }

    /// Takes an entry out of those that have left the queue.
    func remove(_ id: OutboxID) {
        page.forget(id)
        guard let known = active.removeValue(forKey: id) else { return }
        if let key = EffectKey(known.entry), activeKeys[key] == id { activeKeys[key] = nil }
        if isStopped, active.isEmpty { finishStop() }
    }

    // MARK: From the disk

    func fetch() {
        let now = loop.time.wallMilliseconds()
        guard !page.isComing, now >= page.notBefore else { return }
        page.isComing = true
        let until = now + Self.horizonLength
        database.dueEffects(after: horizon, upTo: until, limit: limits.fetchMax) { result in
            self.perform { $0.fetched(result, until: until) }
        }
    }

    private func fetched(_ result: Result<[OutboxEntry], StorageFault>, until: Milliseconds) {
        guard !isStopped else { return }
        switch result {
        case .success(let entries):
            for entry in entries where page.isCurrent(entry) { add(entry) }
            // Only an empty page is known to be the last: one that holds less than it might may have left out what is damaged.
            horizon = entries.last?.place ?? DuePlace(due: until + 1)
        case .failure(let fault):
            log.error("outbox not read", ["reason": .text(fault.description)])
            page.notBefore = loop.time.wallMilliseconds() + Self.fetchPause
        }
        page.arrived()
        runDue()
    }

    // MARK: What is due

    /// Hands over what is due, reads on where there is room, and sets the one timer.
    func runDue() {
        guard !isStopped else { return }
        let now = loop.time.wallMilliseconds()
        while let entry = waiting.popDue(at: now) { park(entry) }
        if wantsFetch, horizon.due - Self.horizonLength / 2 <= now { fetch() }
        arm(now)
    }

    /// Has an entry wait for its lanes.
    private func park(_ entry: OutboxEntry) {
        active[entry.id] = Active(entry: entry)
        if let key = EffectKey(entry) { activeKeys[key] = entry.id }
        guard let isOrdered = isOrdered(entry) else {
            active[entry.id]?.isStarted = true
            return bury(entry, reason: Self.notUnderstood)
        }
        if lanes.enter(entry, isOrdered: isOrdered) { run(entry) }
    }

    private var wantsFetch: Bool {
        !page.isComing && waiting.count < limits.fetchMax / 2 && waiting.count + active.count < limits.entriesInMemoryMax
    }

    /// For metrics.
    func count() {
        counters.effectsRunning.set(lanes.runningCount)
        counters.effectsWaiting.set(waiting.count + active.count - lanes.runningCount)
    }

    private func arm(_ now: Milliseconds) {
        count()
        if let timer { loop.assumeIsolated { _ = $0.cancel(timer) } }
        var next = waiting.nextDue ?? .max
        // Where there is no room, or a page is coming, its end looks again.
        if wantsFetch { next = min(next, max(page.notBefore, horizon.due - Self.horizonLength / 2)) }
        let delay = next == .max ? Self.horizonLength : min(max(1, next - now), Self.horizonLength)
        timer = loop.assumeIsolated { wake(after: Int(delay), on: $0) }
    }

    private func wake(after milliseconds: Int, on loop: isolated EventLoop) -> TimerID {
        loop.schedule(afterMilliseconds: milliseconds) {
            self.assumeIsolated { runner in
                runner.timer = nil
                runner.runDue()
            }
        }
    }
}
