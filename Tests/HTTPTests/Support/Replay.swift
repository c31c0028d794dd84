@testable import HTTP

/// A parser event as text, so that two replays can be compared whole and a difference be read.
enum Seen: Equatable, Sendable, CustomStringConvertible {
    case head(String)
    case request(String, body: [UInt8])
    case fault(Int, String)

    var description: String {
        switch self {
        case .head(let text): "head \(text)"
        case .request(let text, let body): "request \(text) body \(body.count)"
        case .fault(let status, let detail): "fault \(status) \(detail)"
        }
    }

    var isAnswered: Bool {
        if case .head = self { return false }
        return true
    }
}

/// What the parser makes of a connection's bytes.
struct Replay: Equatable, Sendable {
    var events: [Seen] = []
    var isStopped = false
    var isIdle = false
    var isInHead = false
    var isInBody = false
    /// Whether some head asked for an interim answer.
    var expectsContinue = false
    var faultAtEnd: Int?

    /// The requests and faults, which a server answers in this order.
    var answered: [Seen] { events.filter(\.isAnswered) }

    /// The status of the fault, where there was one.
    var fault: Int? {
        guard case .fault(let status, _)? = events.last else { return nil }
        return status
    }

    /// Feeds the bytes in pieces that end at the given offsets, and asks for events after each.
    init(_ bytes: [UInt8], splitAt offsets: some Sequence<Int> = EmptyCollection(), limits: RequestLimits = RequestLimits()) {
        var parser = RequestParser(limits: limits)
        var start = 0
        for end in Array(offsets) + [bytes.count] {
            parser.receive(Array(bytes[start..<end]))
            start = end
            drain(&parser)
        }
        isStopped = parser.isStopped
        isIdle = parser.isIdle
        isInHead = parser.isInHead
        isInBody = parser.isInBody
        faultAtEnd = parser.faultAtEnd.map { Int($0.status.code) }
    }

    /// Feeds text.
    init(_ text: String, limits: RequestLimits = RequestLimits()) {
        self.init(Array(text.utf8), limits: limits)
    }

    private mutating func drain(_ parser: inout RequestParser) {
        while true {
            switch parser.next() {
            case .needMore:
                return
            case .head(let head, let length):
                expectsContinue = expectsContinue || head.expectsContinue
                events.append(.head("\(describe(head)) \(length)"))
            case .request(let request):
                events.append(.request(describe(request.head), body: request.body))
            case .fault(let fault):
                events.append(.fault(Int(fault.status.code), fault.detail))
            }
        }
    }
}

/// All that a head says, in one line.
func describe(_ head: RequestHead) -> String {
    let fields = (0..<head.fields.count).map { "\(head.fields.name(at: $0))=\(head.fields.value(at: $0).string)" }
    return "\(head.methodToken) \(head.target.raw) 1.\(head.minorVersion) keep=\(head.keepAlive) "
        + "continue=\(head.expectsContinue) segments=\(head.target.segments) \(fields)"
}

/// The one request in a text, or nil where it is not whole or not the only one.
func request(_ text: String, limits: RequestLimits = RequestLimits()) -> Request? {
    var parser = RequestParser(limits: limits)
    parser.receive(Array(text.utf8))
    var found: Request?
    while true {
        switch parser.next() {
        case .request(let request):
            if found != nil { return nil }
            found = request
        case .head: continue
        case .needMore: return found
        case .fault: return nil
        }
    }
}

/// A GET with the given target, version and field lines (each with its line end).
func get(_ target: String = "/state", fields: String = "Host: localhost\r\n", version: String = "HTTP/1.1") -> String {
    "GET \(target) \(version)\r\n\(fields)\r\n"
}

/// A chunked POST with the given coded body.
func chunked(_ coded: String) -> String {
    "POST /actions HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + coded
}
