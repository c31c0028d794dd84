internal import Accounts
internal import HTTPServer
internal import Redux
internal import Runtime

/// Writes a follower's events to a client's stream.
///
/// Its buffer is the connection's, bounded by `ServerLimits.streamBytesMax`; what does not fit is not taken, and read from the log later.
struct EventStreamSink: EventSink {
    let stream: ResponseStream
    /// The ticket the client came with: an open stream counts as its use.
    let ticket: StreamTicket?

    func prepare(_ event: FeedEvent, patched: Bool, epoch: String) { _ = frame(of: event, patched: patched, epoch: epoch) }

    private func frame(of event: FeedEvent, patched: Bool, epoch: String) -> [UInt8] {
        event.frame(patched: patched) { EventFrames.transition($0, epoch: epoch, patched: patched) }
    }

    func send(_ event: FollowerEvent, epoch: String, on loop: isolated EventLoop) -> Bool {
        switch event {
        case .transition(let event, let patched):
            return stream.write(frame(of: event, patched: patched, epoch: epoch), on: loop)
        case .snapshot(let published, let reset):
            // A state that was committed has been encoded before.
            guard let frame = try? EventFrames.snapshot(published, epoch: epoch, reset: reset) else { return false }
            return stream.write(frame, on: loop)
        case .view(let value, let id, let reset):
            return stream.write(EventFrames.view(value, id: id, reset: reset), on: loop)
        case .heartbeat(let head):
            ticket?.touch(at: loop.wallMilliseconds)
            return stream.write(EventFrames.heartbeat(head), on: loop)
        case .bye(let reason, let resume):
            return stream.write(EventFrames.bye(reason, resume: resume), on: loop)
        }
    }

    func whenWritable(on loop: isolated EventLoop, _ job: @escaping EventLoop.LocalJob) { stream.whenWritable(on: loop, job) }

    func end(on loop: isolated EventLoop) { stream.end(on: loop) }
}
