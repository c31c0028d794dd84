import Dispatch
import HTTP
import Runtime
import Synchronization

@testable import HTTPServer

/// A server on a free port, with answers that tests control by path, and a manual clock.
final class TestServer {
    let server: Server
    let responder = TestResponder()
    let loops: [EventLoop]
    let time = ManualTime()
    let port: UInt16
    private var isStopped = false

    init(loops count: Int = 2, limits: ServerLimits = ServerLimits()) throws {
        loops = try EventLoop.group(count: count, time: .manual(time))
        server = Server(loops: loops, limits: limits, responder: responder, log: Log(level: .error))
        port = try server.start(host: "127.0.0.1", port: 0).port
    }

    deinit { stop() }

    /// Ends the loops and all they hold.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        for loop in loops { loop.runBlocking { $0.stop() } }
    }

    /// Moves the clock and lets every loop see it.
    func advance(_ milliseconds: Int) {
        time.advance(byMilliseconds: milliseconds)
        for loop in loops {
            let done = DispatchSemaphore(value: 0)
            loop.execute { _ in done.signal() }
            done.wait()
        }
    }

    /// Looks until `condition` holds, giving other threads their turn; false after ten seconds.
    func eventually(_ condition: () -> Bool) -> Bool {
        let deadline = TimeSource.system.monotonic().advanced(byMilliseconds: 10_000)
        while TimeSource.system.monotonic() < deadline {
            if condition() { return true }
            DispatchQueue.global().sync {}
            for loop in loops { loop.runBlocking { _ in } }
        }
        return condition()
    }

    /// Begins to drain; call the result to wait for the end and hear how many connections were cut off (nil: no end within ten seconds).
    func drain() -> () -> Int? {
        let outcome = Outcome()
        server.drain { outcome.set($0) }
        return { outcome.wait() }
    }

    private final class Outcome: Sendable {
        private let value = Atomic(0)
        private let done = DispatchSemaphore(value: 0)

        func set(_ abandoned: Int) {
            value.store(abandoned, ordering: .relaxed)
            done.signal()
        }

        func wait() -> Int? {
            done.wait(timeout: .now() + 10) == .success ? value.load(ordering: .relaxed) : nil
        }
    }
}

/// Answers by path: /safe/… at once with the path; /wait/… when told; /stream/… with a stream; /big/N with N bytes; all else 401.
final class TestResponder: Responder {
    private struct Kept {
        var waiting: [String: Exchange] = [:]
        var streams: [String: ResponseStream] = [:]
        var closed: [String] = []
        var draining: [String] = []
    }

    private let kept = Mutex(Kept())

    /// The paths whose connection went before their answer, in order.
    var closed: [String] { kept.withLock { $0.closed } }
    /// The paths that were told of the drain.
    var draining: [String] { kept.withLock { $0.draining } }
    /// The paths that wait for an answer or stream.
    var pending: [String] { kept.withLock { (Array($0.waiting.keys) + Array($0.streams.keys)).sorted() } }

    func waiting(_ path: String) -> Exchange? { kept.withLock { $0.waiting[path] } }
    func stream(_ path: String) -> ResponseStream? { kept.withLock { $0.streams[path] } }

    func lane(of head: borrowing RequestHead) -> Lane { head.method.isSafe ? .safe : .ordered(1) }

    func respond(to request: consuming Request, exchange: Exchange, on loop: isolated EventLoop) {
        let path = request.head.target.path
        let segments = request.head.target.segments
        switch segments[0] {
        case "safe": exchange.respond(Response(status: .ok, body: Array(path.utf8)), on: loop)
        case "echo": exchange.respond(Response(status: .ok, body: request.body), on: loop)
        case "big":
            exchange.respond(Response(status: .ok, body: [UInt8](repeating: 66, count: Int(segments[1]) ?? 0)), on: loop)
        case "wait":
            exchange.onClose(on: loop) { [self] in kept.withLock { $0.closed.append(path) } }
            exchange.onDrain(on: loop) { [self] in kept.withLock { $0.draining.append(path) } }
            kept.withLock { $0.waiting[path] = exchange }
        case "stream":
            let stream = exchange.startStream(Response(status: .ok), endsAtHangup: segments.count < 3, on: loop)
            exchange.onClose(on: loop) { [self] in kept.withLock { $0.closed.append(path) } }
            exchange.onDrain(on: loop) { [self] in kept.withLock { $0.draining.append(path) } }
            kept.withLock { $0.streams[path] = stream }
        default: exchange.respond(Response(status: .unauthorized), on: loop)
        }
    }

    func answerBeforeBody(of head: borrowing RequestHead, on loop: isolated EventLoop) -> Response? {
        head.target.path == "/refused" ? Response(status: .unauthorized) : nil
    }

    func refusal(_ status: Status, detail: String) -> Response { Response(status: status) }
}

/// Something that happens once, seen from any thread.
final class Told: Sendable {
    private let flag = Atomic(false)
    var value: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}
