import Foundation

/// A stream of events on a connection of its own, read as a browser's EventSource reads it (WHATWG HTML, 9.2.6).
@ServiceQueue final class EventStream {
    struct Event: Equatable {
        var id: String?
        var name = "message"
        var data = ""

        var json: Value? { try? Value(json: Array(data.utf8)) }
        var revision: Int64? { json?["revision"]?.integer }
    }

    let status: Int
    /// The head's lines.
    let head: [String]
    /// The id of the last event that had one: what a reconnect sends.
    private(set) var lastID: String?
    private let wire: Wire
    private var bytes: [UInt8] = []
    private var text = ""
    private var ended = false

    init(_ service: Service, _ target: String, as account: Account? = nil, lastID: String? = nil) throws {
        wire = try service.connect()
        self.lastID = lastID
        let fields = lastID.map { [("Last-Event-ID", $0)] } ?? []
        try wire.send(request("GET", target, as: account, fields: fields))
        var received: [UInt8] = []
        let blank = Array("\r\n\r\n".utf8)
        while received.firstRange(of: blank) == nil {
            let more = try wire.receiveBytes()
            guard !more.isEmpty else { throw Wire.Fault.closed(String(decoding: received, as: UTF8.self)) }
            received += more
        }
        let end = received.firstRange(of: blank)!
        head = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        status = Int(head[0].split(separator: " ")[1]) ?? 0
        bytes = Array(received[end.upperBound...])
        try unchunk()
    }

    func field(_ name: String) -> String? {
        head.dropFirst().first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    /// The next event; nil where the stream has ended.
    func next() throws -> Event? {
        while true {
            while let end = text.range(of: "\n\n") {
                let block = String(text[..<end.lowerBound])
                text.removeSubrange(..<end.upperBound)
                if let event = event(block) { return event }
            }
            guard !ended else { return nil }
            let more = try wire.receiveBytes()
            if more.isEmpty { ended = true }
            bytes += more
            try unchunk()
        }
    }

    /// The next events, so many.
    func next(_ count: Int) throws -> [Event] {
        try (0..<count).map { _ in
            guard let event = try next() else { throw Wire.Fault.closed(text) }
            return event
        }
    }

    /// Nil for comments and `retry`.
    private func event(_ block: String) -> Event? {
        var event = Event()
        var hasData = false
        for line in block.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? (parts[1].hasPrefix(" ") ? String(parts[1].dropFirst()) : String(parts[1])) : ""
            switch parts[0] {
            case "id": event.id = value
            case "event": event.name = value
            case "data":
                event.data += hasData ? "\n" + value : value
                hasData = true
            default: break
            }
        }
        if let id = event.id { lastID = id }
        return hasData ? event : nil
    }

    /// Moves whole chunks (RFC 9112, 7.1) to the text.
    private func unchunk() throws {
        let lineEnd = Array("\r\n".utf8)
        while let line = bytes.firstRange(of: lineEnd) {
            let digits = String(decoding: bytes[..<line.lowerBound], as: UTF8.self)
            guard let size = Int(digits, radix: 16) else { throw AnswerReader.Malformed.chunk(digits) }
            guard bytes.count >= line.upperBound + size + 2 else { return }
            text += String(decoding: bytes[line.upperBound..<line.upperBound + size], as: UTF8.self)
            bytes.removeSubrange(..<(line.upperBound + size + 2))
            if size == 0 { ended = true }
        }
    }
}
