internal import Persistence
public import Redux
public import Runtime
internal import Sodium

/// The bounds of one follower.
public struct FollowerLimits: Sendable {
    /// Between two signs of life; a proxy's or browser's patience is longer.
    public var heartbeatMilliseconds = 14_000
    /// How long a stream lasts at least before it is ended, and what is added at most, spread so that not all come back at once.
    public var lifetimeMilliseconds: Milliseconds = 3_600_000
    /// Milliseconds below which the addition stays; 0 or 1 adds nothing.
    public var lifetimeJitterMilliseconds: Milliseconds = 600_000
    /// Before a reader that was busy is asked again.
    public var retryMilliseconds = 250

    /// A service's bounds; each can be set afterwards.
    public init() {}
}

/// One client that follows an account: brings every transition after the one it has seen, each once and in order, or a view's distinct values.
///
/// Lives on its connection's loop. Live transitions come from the account's feed; what the client was too slow for, or missed while it was away, comes from
/// the log, and both meet at one revision (`FollowerCursor`). Nothing is buffered here.
public actor Follower<Model: AccountModel> {
    /// What is followed.
    public enum Form: Hashable, Sendable {
        case transitions(patched: Bool)
        case view(String)
    }

    /// The connection's: all but the preparing of events runs here.
    public nonisolated let loop: EventLoop
    /// The loop's, so that the connection calls without a hop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.unownedExecutor }

    private let accounts: AccountService<Model>
    private let account: AccountID
    private let form: Form
    private let resumption: Resumption
    private let sink: any EventSink
    private let limits: FollowerLimits
    private nonisolated let id = FollowerID.next()

    private var session: Session
    private var handle: AccountHandle?
    private var latest: PublishedState?
    private var cursor: FollowerCursor?
    /// A view's value as the client has it.
    private var value: [UInt8]?
    private var viewReset: ResetReason?
    private var isBlocked = false
    private var patchPoint: History<Model>.Point?
    private var endsAt: Milliseconds = .max
    private var timer: TimerID?
    private var isOver = false

    /// Makes a follower that does nothing until `start`. Where `session` has ended, the next commit or heartbeat ends the stream.
    public init(
        _ form: Form, of account: AccountID, session: Session, from resumption: Resumption, to sink: any EventSink,
        accounts: AccountService<Model>, on loop: EventLoop, limits: FollowerLimits = FollowerLimits()
    ) {
        self.form = form
        self.account = account
        self.session = session
        self.resumption = resumption
        self.sink = sink
        self.accounts = accounts
        self.loop = loop
        self.limits = limits
    }

    private nonisolated func perform(_ body: @escaping @Sendable (isolated Follower<Model>) -> Void) {
        loop.execute { _ in self.assumeIsolated(body) }
    }

    // MARK: Life

    /// Begins to follow; on the loop.
    public func start() {
        accounts.counters.followers.add(1)
        // Spread by the golden ratio: evenly, and the same in every run.
        let jitter = Milliseconds((id &* 0x9e37_79b9_7f4a_7c15) >> 40) % max(1, limits.lifetimeJitterMilliseconds)
        endsAt = loop.time.wallMilliseconds() + limits.lifetimeMilliseconds + jitter
        armHeartbeat()
        let (sink, form, isPatched) = (sink, form, isPatched)
        let listener = FeedListener(wantsPatches: isPatched) { update in
            if !form.isView {
                for event in update.events { sink.prepare(event, patched: isPatched, epoch: update.handle.epoch) }
            }
            self.perform { $0.hear(update) }
        }
        let revision: Revision? =
            switch resumption {
            case .after(let id): id.revision
            case .afterRevision(let revision): revision
            case .fresh, .unknown: nil
            }
        accounts.follow(account, as: id, listener, after: revision) { result in self.perform { $0.begin(result) } }
    }

    private func begin(_ result: Result<FeedStart, OpenFault>) {
        guard !isOver else { return accounts.unfollow(account, as: id) }
        switch result {
        case .failure: finish(.unavailable)
        case .success(let start):
            handle = start.handle
            latest = start.published
            switch form {
            case .view: beginView(start)
            case .transitions:
                cursor = FollowerCursor(resumption, epoch: start.handle.epoch, head: start.published.revision)
                take(start.backlog)
                advance()
            }
        }
    }

    /// The client has gone.
    public func closed() {
        guard !isOver else { return }
        isOver = true
        accounts.counters.followers.add(-1)
        accounts.unfollow(account, as: id)
        if let timer { loop.assumeIsolated { _ = $0.cancel(timer) } }
        timer = nil
    }

    /// The service is stopping.
    public func drain() { finish(.shutdown) }

    private func finish(_ reason: ByeReason) {
        guard !isOver else { return }
        let resume = handle.flatMap { handle in cursor.map { EventID(epoch: handle.epoch, revision: $0.sent) } }
        _ = send(.bye(reason, resume: resume))
        let sink = sink
        closed()
        loop.assumeIsolated { sink.end(on: $0) }
    }

    // MARK: Commits

    private func hear(_ update: FeedUpdate) {
        guard !isOver, mayHear(update.handle) else { return }
        latest = update.published
        guard cursor != nil else { return form.isView ? showView() : () }
        take(update.events)
        cursor?.learn(update.published.revision)
        advance()
    }

    /// Whether the session still counts; ends the stream where it does not.
    private func mayHear(_ current: AccountHandle) -> Bool {
        if current !== handle, handle != nil {
            // The store was loaded again, its sessions with it.
            handle = current
            guard let again = current.session(again: session) else {
                finish(.session)
                return false
            }
            session = again
        }
        guard session.isLive(at: loop.time.wallMilliseconds()), !current.isErased else {
            finish(.session)
            return false
        }
        return true
    }

    // MARK: Transitions

    /// Sends those of some committed transitions that are next.
    private func take(_ events: [FeedEvent]) {
        for event in events {
            guard let cursor, cursor.wants(event.revision), event.patch != nil || !isPatched else { continue }
            if !write(event) { return }
        }
    }

    private var isPatched: Bool { form == .transitions(patched: true) }

    private func write(_ event: FeedEvent) -> Bool {
        guard send(.transition(event, patched: isPatched)) else {
            block()
            return false
        }
        cursor?.wrote(event.revision)
        return true
    }

    /// Does what is next, until there is nothing to do but wait.
    private func advance() {
        while !isOver, let step = cursor?.next() {
            switch step {
            case .wait: return
            case .sendSnapshot(let reset):
                guard let latest else { return }
                if send(.snapshot(latest, reset: reset)) {
                    cursor?.snapshotSent(at: latest.revision)
                } else {
                    block()
                }
            case .read(let revision):
                CatchUp(past: accounts.past).read(account, after: revision, patched: isPatched, from: patchPoint) { page in
                    self.perform { $0.receive(page) }
                }
            }
        }
    }

    private func receive(_ page: CatchUp<Model>.Page) {
        guard !isOver, let handle, mayHear(handle) else { return }
        switch page {
        case .events(let events, let point):
            for event in events {
                guard cursor?.wantsRead(event.revision) == true, write(event) else { break }
            }
            cursor?.pageEnded()
            // Good for the next page only: a follower that is abreast keeps no state.
            patchPoint = cursor.map { $0.sent == point?.revision && $0.sent < $0.known } == true ? point : nil
        case .trimmed: cursor?.trimmed()
        case .busy: return retryLater()
        case .closed: return finish(.shutdown)
        case .unreadable: return finish(.unreadable)
        }
        advance()
    }

    private func retryLater() {
        let milliseconds = limits.retryMilliseconds
        loop.assumeIsolated { retry(afterMilliseconds: milliseconds, on: $0) }
    }

    private func retry(afterMilliseconds milliseconds: Int, on loop: isolated EventLoop) {
        loop.schedule(afterMilliseconds: milliseconds) {
            self.assumeIsolated { follower in
                guard !follower.isOver else { return }
                follower.cursor?.pageEnded()
                follower.advance()
            }
        }
    }

    // MARK: Views

    private func beginView(_ start: FeedStart) {
        guard case .view(let name) = form else { return }
        switch resumption {
        case .fresh, .afterRevision: break
        case .unknown: viewReset = .unknown
        case .after(let id) where id.epoch != start.handle.epoch: viewReset = .epoch
        case .after(let id):
            if let seen = id.valueHash, let now = try? start.published.view(name), Self.hash(now) == seen { value = now }
        }
        showView()
    }

    /// Sends the view's value where it is another one. Only the newest counts: values that came and went meanwhile are passed over.
    private func showView() {
        guard case .view(let name) = form, !isBlocked, let latest, let handle else { return }
        guard let now = try? latest.view(name) else { return finish(.unreadable) }
        guard now != value else { return }
        let id = EventID(epoch: handle.epoch, revision: latest.revision, valueHash: Self.hash(now))
        if send(.view(value: now, id: id, reset: viewReset)) {
            value = now
            viewReset = nil
        } else {
            block()
        }
    }

    private static func hash(_ value: [UInt8]) -> String { Base64URL.text(Hash.blake2b(value, length: 16)) }

    // MARK: The sink

    private func send(_ event: FollowerEvent) -> Bool {
        let (sink, epoch) = (sink, handle?.epoch ?? "")
        return loop.assumeIsolated { sink.send(event, epoch: epoch, on: $0) }
    }

    private func block() {
        isBlocked = true
        cursor?.blocked()
        let sink = sink
        loop.assumeIsolated { whenWritable(sink, on: $0) }
    }

    private func whenWritable(_ sink: any EventSink, on loop: isolated EventLoop) {
        sink.whenWritable(on: loop) { self.assumeIsolated { $0.writable() } }
    }

    private func writable() {
        guard !isOver else { return }
        isBlocked = false
        cursor?.writable()
        form.isView ? showView() : advance()
    }

    // MARK: Heartbeats

    private func armHeartbeat() {
        let milliseconds = limits.heartbeatMilliseconds
        timer = loop.assumeIsolated { heartbeat(afterMilliseconds: milliseconds, on: $0) }
    }

    private func heartbeat(afterMilliseconds milliseconds: Int, on loop: isolated EventLoop) -> TimerID {
        loop.schedule(afterMilliseconds: milliseconds) { self.assumeIsolated { $0.beat() } }
    }

    private func beat() {
        guard !isOver else { return }
        armHeartbeat()
        guard let handle, mayHear(accounts.directory.find(account) ?? handle) else { return }
        if loop.time.wallMilliseconds() >= endsAt { return finish(.lifetime) }
        if !isBlocked, let latest { _ = send(.heartbeat(latest.revision)) }
    }
}

extension Follower.Form {
    fileprivate var isView: Bool { if case .view = self { true } else { false } }
}
