internal import Accounts
internal import HTTP
internal import HTTPServer
internal import Redux
internal import Runtime

/// A `GET /state` that waits for another state than the client's (RFC 7240, 4.3, `wait`). Lives on its connection's loop.
actor LongPoll<Model: AccountModel> {
    /// The longest wait, whatever the client's patience: below what common proxies cut off.
    static var secondsMax: Int { 50 }

    private nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.unownedExecutor }

    private let service: Service<Model>
    private let call: Call
    private let caller: Caller
    private let seconds: Int
    private let id = FollowerID.next()
    private var tag: [UInt8]
    private var timer: TimerID?
    private var isOver = false

    init(_ call: Call, _ caller: Caller, tag: [UInt8], seconds: Int, in service: Service<Model>, on loop: EventLoop) {
        self.call = call
        self.caller = caller
        self.tag = tag
        self.seconds = min(seconds, Self.secondsMax)
        self.service = service
        self.loop = loop
    }

    private nonisolated func perform(_ body: @escaping @Sendable (isolated LongPoll<Model>) -> Void) {
        loop.execute { _ in self.assumeIsolated(body) }
    }

    func start() {
        let (accounts, account, id, milliseconds) = (service.accounts, caller.account.id, id, seconds * 1000)
        accounts.counters.followers.add(1)
        timer = loop.assumeIsolated { arm(afterMilliseconds: milliseconds, on: $0) }
        let listener = FeedListener { update in self.perform { $0.hear(update.published, of: update.handle) } }
        accounts.follow(account, as: id, listener) { result in
            self.perform { poll in
                switch result {
                // Gone meanwhile: the feed was told too early to forget it.
                case .success where poll.isOver: accounts.unfollow(account, as: id)
                case .success(let start): poll.hear(start.published, of: start.handle)
                case .failure(let fault): poll.finish(Problem(fault).response)
                }
            }
        }
    }

    private func arm(afterMilliseconds milliseconds: Int, on loop: isolated EventLoop) -> TimerID {
        loop.schedule(afterMilliseconds: milliseconds) { self.assumeIsolated { $0.giveUp() } }
    }

    private func hear(_ published: PublishedState, of handle: AccountHandle) {
        guard !isOver else { return }
        let session = handle === caller.account ? caller.session : handle.session(again: caller.session)
        guard session?.isLive(at: loop.time.wallMilliseconds()) == true else { return finish(Problem.deadToken.response) }
        tag = published.tag
        guard call.request.head.fields.noneMatch(published.tag) else { return }
        do {
            let fields = CommonFields.accountJSON.tagged(published.tag).with(.preferenceApplied, "wait=\(seconds)")
            finish(Response(status: .ok, fields: fields, body: try published.body()))
        } catch {
            finish(Problem(.internalError, "The state cannot be written as JSON.").response)
        }
    }

    /// The wait has ended, the service is stopping, or the client sends no more: nothing new so far.
    func giveUp() {
        finish(
            Response(
                status: .notModified,
                fields: CommonFields.accountScoped.tagged(tag).with(.preferenceApplied, "wait=\(seconds)")))
    }

    private func finish(_ response: Response) {
        guard !isOver else { return }
        cancel()
        let exchange = call.exchange
        loop.assumeIsolated { exchange.respond(response, on: $0) }
    }

    /// The client has gone.
    func cancel() {
        guard !isOver else { return }
        isOver = true
        service.accounts.counters.followers.add(-1)
        service.accounts.unfollow(caller.account.id, as: id)
        if let timer { loop.assumeIsolated { _ = $0.cancel(timer) } }
        timer = nil
    }
}

extension Service {
    /// 304, or first a wait for another state where the client prefers one.
    func stateNotModified(_ published: PublishedState, _ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        guard let seconds = Preferences(call.request.head.fields).waitSeconds, seconds > 0, !isDraining else {
            return call.exchange.respond(notModified(published.tag), on: loop)
        }
        let poll = LongPoll(call, caller, tag: published.tag, seconds: seconds, in: self, on: loop)
        poll.assumeIsolated { $0.start() }
        call.exchange.onClose(on: loop) { poll.assumeIsolated { $0.cancel() } }
        call.exchange.onDrain(on: loop) { poll.assumeIsolated { $0.giveUp() } }
        call.exchange.onHalfClose(on: loop) { poll.assumeIsolated { $0.giveUp() } }
    }
}
