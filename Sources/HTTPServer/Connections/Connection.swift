internal import HTTP
internal import Runtime

/// A socket with its machine: performs what the machine says, and tells it what happened. Lives in its loop's isolation.
final class Connection: EventHandler {
    /// Callbacks of one request that take something to happen.
    struct Watchers {
        var closed: [EventLoop.LocalJob] = []
        var draining: [EventLoop.LocalJob] = []
        var halfClosed: [EventLoop.LocalJob] = []
        var writable: [EventLoop.LocalJob] = []
    }

    let peer: SocketAddress
    /// What the responder keeps here between requests.
    var attachment: AnyObject?

    private let shard: Shard
    private var socket: Socket?
    private var registration: Registration?
    private var machine: ConnectionMachine
    private var interest: Interest = .read
    /// The system had no room for output; waiting for readiness to write.
    private var isBlocked = false
    /// Readiness to read came although reading is not wanted: stop asking for it.
    private var mustNarrow = false
    private var isPumping = false
    private var isQueued = false
    private var watchers: [UInt64: Watchers] = [:]
    private var timer: (id: TimerID, at: MonotonicTime)?

    var isDraining: Bool { machine.isDraining }
    var peerHasFinished: Bool { machine.peerHasFinished }

    init(socket: consuming Socket, peer: SocketAddress, shard: Shard, now: MonotonicTime) {
        self.socket = consume socket
        self.peer = peer
        self.shard = shard
        machine = ConnectionMachine(limits: shard.limits, now: now)
    }

    /// Registers with the loop. On failure the socket is closed.
    func open(on loop: isolated EventLoop) throws(SystemError) -> Registration {
        // Only `close` sets the socket to nil.
        let registration = try socket!.register(for: interest, self, on: loop)
        self.registration = registration
        machine.refreshDeadlines(now: loop.now)
        armTimer(on: loop)
        return registration
    }

    /// Answers a connection that is not let in, and ends it.
    func turnAway(_ status: Status, _ detail: String, on loop: isolated EventLoop) {
        let sequence = machine.turnAway()
        respond(shard.responder.refusal(status, detail: detail), to: exchange(sequence, at: loop.now, on: loop), on: loop)
    }

    // MARK: Events

    func handle(_ readiness: Readiness, on loop: isolated EventLoop) {
        if readiness.isWritable { isBlocked = false }
        if readiness.concernsReading {
            if machine.wantsRead {
                receive(on: loop)
            } else if readiness.isFailed || (readiness.isHungUp && machine.hangupEnds) {
                machine.reset()  // an error cannot be masked; an endless answer has no reader any more
            } else {
                mustNarrow = true
            }
        }
        pump(on: loop)
    }

    private func receive(on loop: isolated EventLoop) {
        do throws(SystemError) {
            switch try socket!.receive(into: &shard.scratch) {
            case .count(let count):
                shard.counters.received(count)
                machine.receive(shard.scratch, count: count)
            case .end:
                machine.receiveEnd()
                if !watchers.isEmpty { tellHalfClosed() }
            case .wouldBlock: break
            }
        } catch {
            machine.reset()
        }
    }

    // MARK: Performing

    /// Performs steps and sends, until there is nothing to do but wait.
    private func pump(on loop: isolated EventLoop) {
        isPumping = true
        defer { isPumping = false }
        let now = loop.now  // the same throughout a turn
        while true {
            guard performSteps(at: now, on: loop) else { return }
            guard send(at: now, on: loop) else { break }
        }
        machine.refreshDeadlines(now: now)
        if !watchers.isEmpty { tellWritable(on: loop) }
        updateInterest(on: loop)
        armTimer(on: loop)
    }

    /// False when the connection is gone.
    private func performSteps(at now: MonotonicTime, on loop: isolated EventLoop) -> Bool {
        while true {
            switch machine.next(now: now, lane: { shard.responder.lane(of: $0) }) {
            case .start(let request, let sequence):
                shard.counters.requested()
                if request.head.method == .other {
                    respond(
                        shard.responder.refusal(.notImplemented, detail: "The method is not known here."),
                        to: exchange(sequence, at: now, on: loop), on: loop)
                } else {
                    shard.responder.respond(to: request, exchange: exchange(sequence, at: now, on: loop), on: loop)
                }
            case .consult(let head):
                if let answer = shard.responder.answerBeforeBody(of: head, on: loop) {
                    respond(answer, to: exchange(machine.refuseBody(of: head), at: now, on: loop), on: loop)
                } else {
                    machine.permitBody()
                }
            case .refuse(let status, let detail, let sequence):
                respond(shard.responder.refusal(status, detail: detail), to: exchange(sequence, at: now, on: loop), on: loop)
            case .shutdownWrite:
                socket!.shutdownWrite()
            case .close(let abruptly):
                if abruptly { socket!.resetOnClose() }
                close(on: loop)
                return false
            case .wait:
                return true
            }
        }
    }

    /// Sends what there is; whether that may have led to another step.
    private func send(at now: MonotonicTime, on loop: isolated EventLoop) -> Bool {
        guard !machine.output.isEmpty, !isBlocked else { return false }
        do throws(SystemError) {
            switch try socket!.send(machine.output.bytes, from: machine.output.start) {
            case .count(let count):
                shard.counters.sent(count)
                machine.wrote(count, now: now)
            case .wouldBlock, .end:
                isBlocked = true
                machine.blocked(now: now)
            }
        } catch {
            machine.reset()
        }
        return true
    }

    private func updateInterest(on loop: isolated EventLoop) {
        let wantsRead = machine.wantsRead
        let watchesHangup = !wantsRead && machine.hangupEnds
        // Most clients send nothing while they wait, and most waits are short: what is merely superfluous stays, which saves two system calls a wait.
        let staysReading = !wantsRead && !watchesHangup && interest.isReading && !mustNarrow && !machine.peerHasFinished
        let wanted = Interest(reading: wantsRead || staysReading, writing: isBlocked, hangup: watchesHangup)
        mustNarrow = false
        guard wanted.rawValue != interest.rawValue, let registration else { return }
        interest = wanted
        loop.update(registration, to: wanted)
    }

    private func armTimer(on loop: isolated EventLoop) {
        let deadline = machine.deadline
        guard deadline != .never, deadline < timer?.at ?? .never else { return }  // a timer too early only looks again
        if let timer { loop.cancel(timer.id) }
        timer = (loop.schedule(at: deadline) { [self] in deadlinePassed(on: loop) }, deadline)
    }

    private func deadlinePassed(on loop: isolated EventLoop) {
        timer = nil
        machine.deadlinePassed(now: loop.now)
        pump(on: loop)
    }

    /// Pumps at the end of this turn, so that all answers of the turn leave together; at once when a pump is running anyway.
    private func pumpLater(on loop: isolated EventLoop) {
        guard !isPumping, !isQueued else { return }
        isQueued = true
        shard.pumpAtEndOfTurn(self, on: loop)
    }

    /// The shard's call back after `pumpLater`.
    func pumpNow(on loop: isolated EventLoop) {
        isQueued = false
        if registration != nil { pump(on: loop) }
    }

    // MARK: Answers

    private func exchange(_ sequence: UInt64, at now: MonotonicTime, on loop: isolated EventLoop) -> Exchange {
        Exchange(loop: loop, registration: registration!, sequence: sequence, started: now)
    }

    func awaits(_ sequence: UInt64) -> Bool { machine.awaits(sequence) }

    func respond(_ response: consuming Response, to exchange: Exchange, on loop: isolated EventLoop) {
        if let companion = exchange.companion { response.fields.add(companion.fields) }
        let (status, bytes) = (response.status, response.body.count)
        guard machine.respond(response, to: exchange.sequence, date: shard.date(on: loop)) else { return }
        noteAnswer(status, bytes: bytes, to: exchange, on: loop)
        finish(exchange.sequence)
        pumpLater(on: loop)
    }

    func startStream(_ head: Response, for exchange: Exchange, endsAtHangup: Bool, on loop: isolated EventLoop) {
        var head = head
        if let companion = exchange.companion { head.fields.add(companion.fields) }
        let date = shard.date(on: loop)
        guard machine.startStream(head, for: exchange.sequence, endsAtHangup: endsAtHangup, date: date) else { return }
        noteAnswer(head.status, bytes: nil, to: exchange, on: loop)
        if !machine.awaits(exchange.sequence) { finish(exchange.sequence) }  // to HEAD, the head is all
        pumpLater(on: loop)
    }

    /// Counts an answer that is given, or a stream that has begun.
    private func noteAnswer(_ status: Status, bytes: Int?, to exchange: Exchange, on loop: isolated EventLoop) {
        let nanoseconds = Int64(clamping: loop.time.monotonic().nanoseconds(since: exchange.started))
        shard.figures.record(exchange.route, status, nanoseconds: nanoseconds)
        exchange.companion?.tell(GivenAnswer(status: status, bodyBytes: bytes, nanoseconds: nanoseconds))
    }

    func write(_ bytes: [UInt8], to sequence: UInt64, on loop: isolated EventLoop) -> Bool {
        guard machine.write(bytes, to: sequence) else { return false }
        pumpLater(on: loop)
        return true
    }

    func endStream(_ sequence: UInt64, on loop: isolated EventLoop) {
        machine.endStream(sequence, date: shard.date(on: loop))
        finish(sequence)
        pumpLater(on: loop)
    }

    func bufferedBytes(of sequence: UInt64) -> Int { machine.bufferedBytes(of: sequence) }

    // MARK: Watchers

    func watch(_ sequence: UInt64, _ change: (inout Watchers) -> Void) {
        change(&watchers[sequence, default: Watchers()])
    }

    func whenWritable(_ sequence: UInt64, on loop: isolated EventLoop, _ job: @escaping EventLoop.LocalJob) {
        guard machine.awaits(sequence) else { return }
        watch(sequence) { $0.writable.append(job) }
        pumpLater(on: loop)
    }

    /// An answer is complete: nobody need hear of its connection any more.
    private func finish(_ sequence: UInt64) {
        if !watchers.isEmpty { watchers.removeValue(forKey: sequence) }
    }

    private func tellWritable(on loop: isolated EventLoop) {
        for (sequence, each) in watchers.sorted(by: { $0.key < $1.key }) where !each.writable.isEmpty {
            guard machine.bufferedBytes(of: sequence) < shard.limits.streamBytesMax / 2 else { continue }
            watchers[sequence]?.writable.removeAll()
            // After this pump: what they write leaves by the next one.
            for job in each.writable { loop.endOfTurn(job) }
        }
    }

    private func tellHalfClosed() {
        let told = watchers.sorted { $0.key < $1.key }.flatMap(\.value.halfClosed)
        for sequence in watchers.keys { watchers[sequence]?.halfClosed.removeAll() }
        for job in told { job() }
    }

    // MARK: The end

    /// Begins to end: what is owed is answered first.
    func drain(on loop: isolated EventLoop) {
        machine.drain()
        let told = watchers.sorted { $0.key < $1.key }.flatMap(\.value.draining)
        for sequence in watchers.keys { watchers[sequence]?.draining.removeAll() }
        for job in told { job() }
        pumpNow(on: loop)
    }

    /// Ends at once, whatever is owed.
    func abandon(on loop: isolated EventLoop) {
        machine.reset()
        pumpNow(on: loop)
    }

    /// The one way out, for every cause: after this the connection is in no table, has no timer, and its socket is closed.
    private func close(on loop: isolated EventLoop) {
        guard let registration else { return }
        self.registration = nil
        if let timer { loop.cancel(timer.id) }
        timer = nil
        loop.deregister(registration)
        socket = nil
        attachment = nil
        shard.forget(self, registration, on: loop)
        let told = watchers.sorted { $0.key < $1.key }.flatMap(\.value.closed)
        watchers.removeAll()
        for job in told { job() }
    }
}
