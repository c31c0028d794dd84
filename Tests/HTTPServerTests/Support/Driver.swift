import HTTP
import Runtime

@testable import HTTPServer

/// Performs what a machine says without a socket: a clock that stands still, a client whose room for bytes is set, answers when the test gives them.
final class Driver {
    var machine: ConnectionMachine
    private(set) var now = MonotonicTime(nanoseconds: 1_000_000_000)
    /// What was done, in order: `start /path`, `consult /path`, `refuse 400`, `end of sending`, `close`, `reset`.
    private(set) var events: [String] = []
    /// The numbers of started requests by path.
    private(set) var sequences: [String: UInt64] = [:]
    /// What has left, as text.
    private(set) var sent = ""
    /// Bytes the client still takes.
    var room = Int.max
    /// Whether requests are answered as they start, with their path as body.
    var answersAtOnce: Bool
    /// What is said of a fault.
    var refusalBody: [UInt8] = []
    /// The answer before the body, for requests that ask.
    var answerBeforeBody: Response?

    // The testing macros cannot hold what cannot be copied, so these look for them.
    var wantsRead: Bool { machine.wantsRead }
    var hangupEnds: Bool { machine.hangupEnds }
    func awaits(_ sequence: UInt64) -> Bool { machine.awaits(sequence) }
    func bufferedBytes(of sequence: UInt64) -> Int { machine.bufferedBytes(of: sequence) }

    static let date = HTTPDate(secondsSince1970: 784_111_777)

    init(limits: ServerLimits = ServerLimits(), answersAtOnce: Bool = false) {
        machine = ConnectionMachine(limits: limits, now: now)
        self.answersAtOnce = answersAtOnce
    }

    /// The lane is the path's first segment: /safe, /ordered/KEY, all others exclusive.
    static func lane(of head: borrowing RequestHead) -> Lane {
        let segments = head.target.segments
        return switch segments[0] {
        case "safe": .safe
        case "ordered": .ordered(Int64(segments[1]) ?? 0)
        default: .exclusive
        }
    }

    /// Receives `text`, where a line feed stands for the line end of the protocol.
    func receive(_ text: String) {
        receiveExactly(Array(text.replacingLineFeeds().utf8))
    }

    func receiveExactly(_ bytes: [UInt8]) {
        machine.receive(bytes, count: bytes.count)
        settle()
    }

    func receiveEnd() {
        machine.receiveEnd()
        settle()
    }

    func advance(_ milliseconds: Int) {
        now = now.advanced(byMilliseconds: milliseconds)
        if machine.deadline <= now { machine.deadlinePassed(now: now) }
        settle()
    }

    func drain() {
        machine.drain()
        settle()
    }

    /// Answers the request for `path`, by default with the path as body.
    @discardableResult
    func answer(_ path: String, _ response: Response? = nil) -> Bool {
        guard let sequence = sequences[path] else { return false }
        let answer = response ?? Response(status: .ok, body: Array(path.utf8))
        let isTaken = machine.respond(answer, to: sequence, date: Driver.date)
        settle()
        return isTaken
    }

    /// Steps and sends until there is nothing to do.
    func settle() {
        repeat {
            step()
            if events.last == "close" || events.last == "reset" { return }
        } while send()
        machine.refreshDeadlines(now: now)
    }

    private func step() {
        while true {
            switch machine.next(now: now, lane: Driver.lane) {
            case .start(let request, let sequence):
                let path = request.head.target.path
                events.append("start \(path)" + (request.body.isEmpty ? "" : " " + String(decoding: request.body, as: UTF8.self)))
                sequences[path] = sequence
                if answersAtOnce {
                    _ = machine.respond(Response(status: .ok, body: Array(path.utf8)), to: sequence, date: Driver.date)
                }
            case .consult(let head):
                events.append("consult \(head.target.path)")
                if let answerBeforeBody {
                    _ = machine.respond(answerBeforeBody, to: machine.refuseBody(of: head), date: Driver.date)
                } else {
                    machine.permitBody()
                }
            case .refuse(let status, _, let sequence):
                events.append("refuse \(status.code)")
                _ = machine.respond(Response(status: status, body: refusalBody), to: sequence, date: Driver.date)
            case .shutdownWrite: events.append("end of sending")
            case .close(let abruptly):
                events.append(abruptly ? "reset" : "close")
                return
            case .wait: return
            }
        }
    }

    private func send() -> Bool {
        let count = min(room, machine.output.count)
        guard count > 0 else {
            if !machine.output.isEmpty { machine.blocked(now: now) }
            return false
        }
        sent += String(decoding: machine.output.bytes[machine.output.start...].prefix(count), as: UTF8.self)
        if room != .max { room -= count }
        machine.wrote(count, now: now)
        return true
    }

    /// The bodies of what was sent, and `close` where one announced it; forgets what was sent.
    func takeAnswers() -> [String] {
        defer { sent = "" }
        return Answers.parse(sent)
    }

    /// What was done since the last call.
    func takeEvents() -> [String] {
        defer { events = [] }
        return events
    }
}

/// A small reader of answers for tests: status, body, and whether the close was announced.
enum Answers {
    /// `200 body`, `200 body, close`; what does not parse is given as it is, after a `?`.
    static func parse(_ text: String, heads: Set<Int> = []) -> [String] {
        var rest = Substring(text)
        var answers: [String] = []
        while !rest.isEmpty {
            guard let end = rest.firstRange(of: "\r\n\r\n"), rest.hasPrefix("HTTP/1.1 ") else { return answers + ["?\(rest)"] }
            let head = rest[..<end.lowerBound]
            rest = rest[end.upperBound...]
            let status = head.dropFirst(9).prefix(3)
            var body = ""
            if let length = field("Content-Length", in: head).flatMap({ Int($0) }), !heads.contains(answers.count) {
                guard rest.utf8.count >= length else { return answers + ["?\(rest)"] }
                body = String(rest.utf8.prefix(length))!
                rest = rest[rest.utf8.index(rest.startIndex, offsetBy: length)...]
            } else if field("Transfer-Encoding", in: head) == "chunked" {
                while let line = rest.firstRange(of: "\r\n"), let size = Int(rest[..<line.lowerBound], radix: 16) {
                    rest = rest[line.upperBound...]
                    guard rest.utf8.count >= size + 2 else { break }
                    body += String(rest.utf8.prefix(size))!
                    rest = rest[rest.utf8.index(rest.startIndex, offsetBy: size + 2)...]
                    if size == 0 {
                        body += "."
                        break
                    }
                }
            }
            let closes = field("Connection", in: head) == "close"
            answers.append([String(status), body].filter { !$0.isEmpty }.joined(separator: " ") + (closes ? ", close" : ""))
        }
        return answers
    }

    static func field(_ name: String, in head: Substring) -> Substring? {
        for line in head.split(separator: "\r\n") where line.hasPrefix("\(name): ") { return line.dropFirst(name.count + 2) }
        return nil
    }
}

extension String {
    /// With every line feed made a line end of the protocol.
    func replacingLineFeeds() -> String {
        split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    }

    /// A GET of this path, whole.
    var get: String { "GET \(self) HTTP/1.1\nHost: a\n\n" }

    /// A GET of this path, the last of its connection.
    var lastGet: String { "GET \(self) HTTP/1.1\nHost: a\nConnection: close\n\n" }

    /// A POST to this path with a body, whole.
    func post(_ body: String) -> String { "POST \(self) HTTP/1.1\nHost: a\nContent-Length: \(body.utf8.count)\n\n\(body)" }
}

extension Collection where Self.SubSequence == Substring, Element == Character {
    /// Where `text` first occurs.
    func firstRange(of text: String) -> Range<Index>? {
        var start = startIndex
        while start != endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
