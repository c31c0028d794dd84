public import HTTP
public import Runtime

/// The right to answer one request: a value to be kept and handed on freely, even past the connection's life.
///
/// An answer to a connection that is gone is dropped without a word. So is a second answer to the same request.
public struct Exchange: Sendable {
    /// The connection's loop.
    public let loop: EventLoop
    let registration: Registration
    let sequence: UInt64
    /// The start of the turn in which the request was handed over.
    let started: MonotonicTime
    /// Which of the responder's routes it is, for figures; -1 where there is none.
    public var route = -1
    /// What goes with it to its answer; nil for most.
    public var companion: RequestCompanion?

    init(loop: EventLoop, registration: Registration, sequence: UInt64, started: MonotonicTime) {
        self.loop = loop
        self.registration = registration
        self.sequence = sequence
        self.started = started
    }

    /// Answers; on the connection's own loop.
    @inline(__always)
    public func respond(_ response: consuming Response, on loop: isolated EventLoop) {
        connection(on: loop)?.respond(response, to: self, on: loop)
    }

    /// Answers, from anywhere.
    public func respond(_ response: Response) {
        loop.execute { loop in respond(response, on: loop) }
    }

    /// Begins an answer without a known length: chunked, or up to the close for HTTP/1.0. The body of `head` is not used.
    ///
    /// While it lasts, no later request of the connection starts. `endsAtHangup`: a client that ends its sending is gone, as a browser that leaves an
    /// endless stream of events is; pass false for an answer that ends by itself, to which a half-closed client has a right.
    public func startStream(_ head: Response, endsAtHangup: Bool = true, on loop: isolated EventLoop) -> ResponseStream {
        connection(on: loop)?.startStream(head, for: self, endsAtHangup: endsAtHangup, on: loop)
        return ResponseStream(exchange: self)
    }

    /// Whether an answer would still be sent: the connection lives and this request is unanswered.
    public func isOpen(on loop: isolated EventLoop) -> Bool {
        connection(on: loop)?.awaits(sequence) ?? false
    }

    /// Runs `job` if the connection goes before the answer is complete, and at once if it has gone already; never after the answer.
    public func onClose(on loop: isolated EventLoop, _ job: @escaping EventLoop.LocalJob) {
        guard let connection = connection(on: loop), connection.awaits(sequence) else { return job() }
        connection.watch(sequence) { $0.closed.append(job) }
    }

    /// Runs `job` if the server begins to drain before the answer is complete (at once if it drains already): answer soon, the deadline runs.
    public func onDrain(on loop: isolated EventLoop, _ job: @escaping EventLoop.LocalJob) {
        guard let connection = connection(on: loop), connection.awaits(sequence) else { return }
        if connection.isDraining { return job() }
        connection.watch(sequence) { $0.draining.append(job) }
    }

    /// Runs `job` once if the client ends its sending before the answer is complete: it may still read the answer, but is more likely gone.
    public func onHalfClose(on loop: isolated EventLoop, _ job: @escaping EventLoop.LocalJob) {
        guard let connection = connection(on: loop), connection.awaits(sequence) else { return }
        if connection.peerHasFinished { return job() }
        connection.watch(sequence) { $0.halfClosed.append(job) }
    }

    /// The client's address; nil once the connection is gone.
    public func peer(on loop: isolated EventLoop) -> SocketAddress? { connection(on: loop)?.peer }

    /// What the responder keeps with the connection between requests, such as the session of its last Authorization field; goes with it.
    public func attachment(on loop: isolated EventLoop) -> AnyObject? { connection(on: loop)?.attachment }

    /// Sets `attachment`; nothing happens once the connection is gone.
    public func attach(_ object: AnyObject?, on loop: isolated EventLoop) { connection(on: loop)?.attachment = object }

    /// The connection, while it lives: its registration's generation tells it from a later one in the same place.
    @inline(__always)
    func connection(on loop: isolated EventLoop) -> Connection? {
        precondition(loop === self.loop, "an exchange of another loop")
        return loop.handler(of: registration) as? Connection
    }
}
