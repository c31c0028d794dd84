internal import HTTP
internal import Runtime

/// The life of one HTTP/1.1 connection as a value: no descriptor, no clock, no responder.
///
/// Inputs are methods: bytes received, the end of the peer's sending, bytes that left, answers, time passed, drain. After any of them the owner calls `next` until
/// it says `wait`, and performs what it is told; it reads while `wantsRead`, sends `output` when it can, and calls back when `deadline` has passed.
///
///     open ──────► finishing ──────► lingering ──────► closed
///      reads,       owes answers,     we have ended      nothing;
///      parses,      takes nothing     our sending; what  the owner lets
///      starts       more in           comes is dropped   go of the socket
///
/// - open → finishing: a request or limit that closes, a fault, the end of the peer's sending, drain. Nothing received after that point is ever parsed.
/// - finishing → lingering: every answer owed has left (RFC 9112, section 9.6: close in stages).
/// - any → closed: reset, stall, idle time-out; lingering ends with the peer's end, a time or an amount.
struct ConnectionMachine: ~Copyable {
    /// What the owner has to do next.
    enum Step {
        /// Hand this request to the responder, who answers it by its number.
        case start(Request, sequence: UInt64)
        /// The client waits before it sends the body of this head: `permitBody` or `refuseBody`.
        case consult(RequestHead)
        /// Have an answer made for what was no request, and give it by its number.
        case refuse(Status, detail: String, sequence: UInt64)
        /// End our sending.
        case shutdownWrite
        /// Let go of the socket; `abruptly`: with a reset, since the peer does not take what is still to be sent.
        case close(abruptly: Bool)
        /// Nothing until there is another input.
        case wait
    }

    private enum Phase {
        case open
        case finishing
        case lingering(bytesLeft: Int)
        case closed(abruptly: Bool)
    }

    /// A whole request that may not start beside those before it.
    private struct Held {
        let request: Request
        let lane: Lane
    }

    private let limits: ServerLimits
    private var parser: RequestParser
    private var queue = AnswerQueue()
    private var phase = Phase.open
    private var held: Held?
    /// Whole requests taken from the parser.
    private var messages: UInt64 = 0
    /// A 100 is due as soon as the answers before it have gone out.
    private var owesContinue = false
    private(set) var peerHasFinished = false
    private var streamEndsAtHangup = false
    private var isLate = false
    private var hasProgressed = false
    private var reading: ReadDeadline
    private var writeDeadline = MonotonicTime.never
    private var lingerDeadline = MonotonicTime.never

    /// The bytes to be sent.
    private(set) var output = OutputBuffer()
    /// The server is draining: no further request is begun.
    private(set) var isDraining = false

    init(limits: ServerLimits, now: MonotonicTime) {
        self.limits = limits
        parser = RequestParser(limits: limits.request)
        reading = ReadDeadline(accepted: now)
        reading.update(.idle, message: 0, progressed: false, now: now, limits: limits)
    }

    // MARK: What the owner looks at

    /// Whether the socket should be read now. False while an answer must leave first: that is how a client is slowed down.
    var wantsRead: Bool {
        switch phase {
        case .open: held == nil && !peerHasFinished && !isLate && queue.admitsAny && hasRoom
        case .lingering: true
        case .finishing, .closed: false
        }
    }

    /// Whether the first answer is a stream that is over when the peer ends its sending, and so has to be watched for that.
    var hangupEnds: Bool { queue.isFirstStream && streamEndsAtHangup }

    /// Whether request `sequence` is still to be answered, or its stream to be ended.
    func awaits(_ sequence: UInt64) -> Bool {
        if case .closed = phase { return false }
        guard let index = queue.index(of: sequence) else { return false }
        return switch queue[index].state {
        case .awaited, .streaming(_, ended: false): true
        case .ready, .streaming(_, ended: true): false
        }
    }

    /// When `deadlinePassed` is due; brought up to date by `refreshDeadlines`.
    var deadline: MonotonicTime { min(reading.deadline, writeDeadline, lingerDeadline) }

    private var hasRoom: Bool {
        queue.count < limits.requestsInFlightMax && output.count + queue.waitingBytes <= limits.outputBytesMax
    }

    // MARK: Input from the peer

    /// Bytes `0..<count` of `bytes` were received.
    mutating func receive(_ bytes: [UInt8], count: Int) {
        switch phase {
        case .open:
            unsafe bytes.withUnsafeBytes { unsafe parser.receive(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
            hasProgressed = true
            // Whoever sends the body does not wait for the invitation any more.
            if count > 0 { owesContinue = false }
        case .lingering(let bytesLeft):
            phase = count > bytesLeft ? .closed(abruptly: false) : .lingering(bytesLeft: bytesLeft - count)
        case .finishing, .closed: break
        }
    }

    /// The peer has ended its sending; it still gets the answers to what it sent whole (RFC 9112, section 9.6).
    mutating func receiveEnd() {
        peerHasFinished = true
        if case .lingering = phase { phase = .closed(abruptly: false) }
    }

    /// The connection is not let in: nothing is read, and the answer by the number returned is its last.
    mutating func turnAway() -> UInt64 {
        phase = .finishing
        return queue.append(lane: .exclusive, context: .fault)
    }

    /// The connection is broken, or nobody listens any more.
    mutating func reset() { phase = .closed(abruptly: false) }

    // MARK: Input from the owner

    /// So many bytes of `output` have left.
    mutating func wrote(_ count: Int, now: MonotonicTime) {
        output.consume(count)
        writeDeadline = output.isEmpty ? .never : now.advanced(byMilliseconds: limits.writeStallMillisecondsMax)
    }

    /// There was no room for `output`.
    mutating func blocked(now: MonotonicTime) {
        if writeDeadline == .never { writeDeadline = now.advanced(byMilliseconds: limits.writeStallMillisecondsMax) }
    }

    /// Time has come to `now`; whatever is due by then happens.
    mutating func deadlinePassed(now: MonotonicTime) {
        if lingerDeadline <= now { phase = .closed(abruptly: false) }
        if writeDeadline <= now { phase = .closed(abruptly: true) }
        guard case .open = phase, reading.deadline <= now else { return }
        switch reading.wait {
        case .none: break
        case .idle: phase = .closed(abruptly: false)
        case .head, .body: isLate = true
        }
    }

    /// Begins to end the connection: when idle at once, else with the last answer owed. Where none is owed, a request half received is still taken.
    mutating func drain() {
        isDraining = true
        guard case .open = phase, held == nil else { return }
        if !queue.isEmpty {
            finish()
        } else if parser.isIdle {
            phase = output.isEmpty ? .closed(abruptly: false) : .finishing
        }
    }

    /// Brings the deadline for the peer up to date; after a round of inputs and steps.
    mutating func refreshDeadlines(now: MonotonicTime) {
        var wait = ReadDeadline.Wait.none
        if case .open = phase, wantsRead, !owesContinue {
            if parser.isInBody {
                wait = .body
            } else if !parser.isIdle {
                wait = .head
            } else if queue.isEmpty {
                wait = .idle
            }
        }
        reading.update(wait, message: messages, progressed: hasProgressed, now: now, limits: limits)
        hasProgressed = false
    }

    // MARK: Steps

    /// The next thing to do. `lane` is asked once for each request.
    mutating func next(now: MonotonicTime, lane: (borrowing RequestHead) -> Lane) -> Step {
        while true {
            switch phase {
            case .open:
                if let step = nextRequest(lane) { return step }
            case .finishing:
                guard queue.isEmpty, output.isEmpty else { return .wait }
                if peerHasFinished {
                    phase = .closed(abruptly: false)
                } else {
                    phase = .lingering(bytesLeft: limits.lingerBytesMax)
                    lingerDeadline = now.advanced(byMilliseconds: limits.lingerMillisecondsMax)
                    return .shutdownWrite
                }
            case .lingering: return .wait
            case .closed(let abruptly): return .close(abruptly: abruptly)
            }
        }
    }

    /// The step while open; nil when that has ended.
    private mutating func nextRequest(_ laneOf: (borrowing RequestHead) -> Lane) -> Step? {
        if let held {
            guard queue.admits(held.lane), hasRoom else { return .wait }
            self.held = nil
            return start(held.request, in: held.lane)
        }
        if isLate { return refuse(.requestTimeout, "The request did not arrive in time.") }
        if isDraining && !queue.isEmpty || (isDraining || peerHasFinished) && parser.isIdle {
            finish()
            return nil
        }
        while queue.admitsAny && hasRoom {
            switch parser.next() {
            case .needMore:
                guard peerHasFinished else { return .wait }
                if let fault = parser.faultAtEnd { return refuse(fault.status, fault.detail) }
                phase = .finishing
                return nil
            case .head(let head, _):
                // A body that is on its way already needs no invitation (RFC 9110, section 10.1.1).
                if head.expectsContinue && parser.bufferedBytes == 0 { return .consult(head) }
            case .request(let request):
                owesContinue = false
                messages += 1
                let lane = laneOf(request.head)
                guard queue.admits(lane) else {
                    held = Held(request: request, lane: lane)
                    return .wait
                }
                return start(request, in: lane)
            case .fault(let fault):
                return refuse(fault.status, fault.detail)
            }
        }
        return .wait
    }

    /// Takes nothing more in.
    private mutating func finish() {
        phase = .finishing
        parser.stop()
    }

    private mutating func start(_ request: consuming Request, in lane: Lane) -> Step {
        let context = ResponseContext(request.head)
        let isLast = limits.requestsPerConnectionMax.map { messages >= UInt64($0) } ?? false
        if !request.head.keepAlive || isLast || isDraining || peerHasFinished && parser.isIdle { finish() }
        return .start(request, sequence: queue.append(lane: lane, context: context))
    }

    /// Ends the taking in of requests with an answer of the server's own, behind those still owed.
    private mutating func refuse(_ status: Status, _ detail: String) -> Step {
        finish()
        var context = ResponseContext.fault
        context.isHead = parser.isHeadRequest
        return .refuse(status, detail: detail, sequence: queue.append(lane: .exclusive, context: context))
    }

    /// The client may send the body it asked about.
    mutating func permitBody() {
        if queue.isEmpty { sendContinue() } else { owesContinue = true }
    }

    /// The answer stands without the body; it is given by the number returned, and the connection ends with it.
    mutating func refuseBody(of head: borrowing RequestHead) -> UInt64 {
        finish()
        return queue.append(lane: .exclusive, context: ResponseContext(copy head))
    }

    private mutating func sendContinue() {
        output.append { ResponseSerializer.appendContinue(to: &$0) }
        owesContinue = false
    }

    // MARK: Answers

    /// Answers request `sequence`; false where it is not awaited (any more). `date` is the Date field's value.
    mutating func respond(_ response: consuming Response, to sequence: UInt64, date: HTTPDate) -> Bool {
        guard let index = queue.index(of: sequence), case .awaited = queue[index].state else { return false }
        if index > 0 {
            queue.hold(response, at: index)
        } else {
            complete(response, date: date)
            promote(date: date)
        }
        return true
    }

    /// Moves all that has become first to the output.
    private mutating func promote(date: HTTPDate) {
        hasProgressed = true
        promotion: while !queue.isEmpty {
            switch queue[0].state {
            case .awaited: break promotion
            case .ready(let response): complete(response, date: date)
            case .streaming(_, let ended):
                let waiting = queue.takeWaiting()
                output.append { $0 += waiting }
                if !ended { break promotion }
                queue.removeFirst()
            }
        }
        if owesContinue && queue.isEmpty && parser.bufferedBytes == 0 { sendContinue() }
    }

    /// Whether the answer at `index` is the last before the end, and so has to say it.
    private func announcesClose(at index: Int) -> Bool {
        guard case .open = phase else { return index == queue.count - 1 }
        return false
    }

    /// Moves the answer of the first entry to the output, and the entry out.
    private mutating func complete(_ response: Response, date: HTTPDate) {
        var context = queue[0].context
        context.keepAlive = !announcesClose(at: 0)
        var goesOn = true
        output.append { goesOn = ResponseSerializer.append(response, in: context, date: date, to: &$0) }
        if goesOn || !context.keepAlive {
            queue.removeFirst()
        } else {
            // The responder closes: what came behind is not answered, as the client learns from `Connection: close`.
            queue.removeAll()
            held = nil
            finish()
        }
    }

    // MARK: Streams

    /// Begins the answer to `sequence` without a known length; false where it is not awaited. The head's body is not sent.
    mutating func startStream(_ head: Response, for sequence: UInt64, endsAtHangup: Bool, date: HTTPDate) -> Bool {
        guard let index = queue.index(of: sequence), case .awaited = queue[index].state else { return false }
        streamEndsAtHangup = endsAtHangup
        var context = queue[index].context
        context.keepAlive = !announcesClose(at: index)
        var bytes: [UInt8] = []
        let (coding, goesOn) = ResponseSerializer.appendStreamHead(
            status: head.status, fields: head.fields, in: context, date: date, to: &bytes)
        if index == 0 { output.append { $0 += bytes } }
        queue.beginStream(at: index, coding: coding, waiting: index == 0 ? [] : bytes)
        if !goesOn {
            // It ends with the connection, and nothing may follow it (RFC 9112, section 6.3): what came behind is not answered.
            queue.removeBehind(index)
            held = nil
            if case .open = phase { finish() }
        }
        if coding == .none { endStream(sequence, date: date) }
        return true
    }

    /// Adds bytes to a stream; false where it is over, or too much is unsent. One piece is taken whatever its size when nothing is unsent.
    mutating func write(_ bytes: [UInt8], to sequence: UInt64) -> Bool {
        guard awaits(sequence), let index = queue.index(of: sequence), case .streaming = queue[index].state else { return false }
        let unsent = bufferedBytes(of: sequence)
        guard unsent == 0 || unsent + bytes.count <= limits.streamBytesMax else { return false }
        let coding = queue[index].coding
        if index == 0 {
            output.append { coding.append(bytes, to: &$0) }
        } else {
            var framed: [UInt8] = []
            coding.append(bytes, to: &framed)
            queue.appendWaiting(framed, at: index)
        }
        return true
    }

    /// Ends a stream; nothing happens where it is over.
    mutating func endStream(_ sequence: UInt64, date: HTTPDate) {
        guard awaits(sequence), let index = queue.index(of: sequence), case .streaming = queue[index].state else { return }
        var end: [UInt8] = []
        queue[index].coding.appendEnd(to: &end)
        if index == 0 {
            output.append { $0 += end }
            queue.removeFirst()
            promote(date: date)
        } else {
            queue.appendWaiting(end, at: index)
            queue.endWaiting(at: index)
        }
    }

    /// Unsent bytes of a stream; 0 where it is over.
    func bufferedBytes(of sequence: UInt64) -> Int {
        guard let index = queue.index(of: sequence), case .streaming(let waiting, _) = queue[index].state else { return 0 }
        return index == 0 ? output.count : waiting.count
    }
}
