internal import Accounts
internal import Redux

/// The bytes of events on the wire (WHATWG HTML, "Server-sent events").
///
/// | event | id | data |
/// | --- | --- | --- |
/// | `snapshot` | `EPOCH.REVISION` | the body of `GET /state` |
/// | `transition` | `EPOCH.REVISION` | the log entry as in `GET /actions`, with `"patch"` where that was asked for |
/// | `view` | `EPOCH.REVISION.HASH` | the body of `GET /views/NAME` |
/// | `reset` | none | `{"reason"}`: the client's id leads nowhere; a `snapshot` or `view` follows |
/// | `bye` | none | `{"reason", "resume"}`: the stream ends; `resume` is the id to go on from |
///
/// Signs of life are comments: `: head REVISION`.
enum EventFrames {
    /// What a client does first: reconnect after so many milliseconds.
    static let greeting = Array("retry: 2000\n\n".utf8)

    static func transition(_ event: FeedEvent, epoch: String, patched: Bool) -> [UInt8] {
        var frame = head("transition", id: EventID(epoch: epoch, revision: event.revision))
        frame.append(contentsOf: "data: ".utf8)
        LogRendering.append(event.entry, patch: patched ? event.patch : nil, to: &frame)
        frame.append(contentsOf: "\n\n".utf8)
        return frame
    }

    static func snapshot(_ published: PublishedState, epoch: String, reset: ResetReason?) throws -> [UInt8] {
        self.reset(reset)
            + frame("snapshot", id: EventID(epoch: epoch, revision: published.revision), data: try published.body())
    }

    static func view(_ value: [UInt8], id: EventID, reset: ResetReason?) -> [UInt8] {
        self.reset(reset) + frame("view", id: id, data: value)
    }

    static func heartbeat(_ head: Revision) -> [UInt8] { Array(": head \(head)\n\n".utf8) }

    static func bye(_ reason: ByeReason, resume: EventID?) -> [UInt8] {
        let resume = resume.map { ",\"resume\":\"\($0)\"" } ?? ""
        return frame("bye", id: nil, data: Array("{\"reason\":\"\(reason.rawValue)\"\(resume)}".utf8))
    }

    private static func reset(_ reason: ResetReason?) -> [UInt8] {
        reason.map { frame("reset", id: nil, data: Array("{\"reason\":\"\($0.rawValue)\"}".utf8)) } ?? []
    }

    private static func head(_ name: String, id: EventID?) -> [UInt8] {
        Array((id.map { "id: \($0)\n" } ?? "").utf8) + Array("event: \(name)\n".utf8)
    }

    /// An event. Canonical JSON has no line ends, so its data is one line.
    private static func frame(_ name: String, id: EventID?, data: [UInt8]) -> [UInt8] {
        var frame = head(name, id: id)
        frame.reserveCapacity(frame.count + data.count + 8)
        frame.append(contentsOf: "data: ".utf8)
        frame.append(contentsOf: data)
        frame.append(contentsOf: "\n\n".utf8)
        return frame
    }
}
