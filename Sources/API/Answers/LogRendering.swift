internal import JSON
internal import Persistence
internal import Redux

/// Writes a log entry: `{"at", "changed", "id", "payload", "revision", "type"}`, with `"batched"`, `"cause"`, `"facts"`, `"skewed"`, `"trace"` where they say something.
enum LogRendering {
    static func entry(_ entry: LogEntry) -> [UInt8] {
        var bytes: [UInt8] = []
        append(entry, to: &bytes)
        return bytes
    }

    /// Stored payloads are canonical JSON already; they go out as they are. So does `patch`, what the entry changed.
    static func append(_ entry: LogEntry, patch: [UInt8]? = nil, to bytes: inout [UInt8]) {
        func text(_ part: String) { bytes.append(contentsOf: part.utf8) }
        text("{\"at\":\(entry.at)")
        if entry.flags.contains(.batched) { text(",\"batched\":true") }
        if let cause = entry.cause { text(",\"cause\":\(cause)") }
        text(",\"changed\":\(entry.flags.contains(.changed))")
        if let facts = entry.facts {
            text(",\"facts\":")
            bytes.append(contentsOf: facts)
        }
        text(",\"id\":\"\(entry.id.text)\"")
        if let patch {
            text(",\"patch\":")
            bytes.append(contentsOf: patch)
        }
        text(",\"payload\":")
        bytes.append(contentsOf: entry.payload)
        text(",\"revision\":\(entry.revision)")
        if entry.flags.contains(.skewed) { text(",\"skewed\":true") }
        if let trace = entry.trace {
            text(",\"trace\":")
            bytes.append(contentsOf: trace)
        }
        text(",\"type\":\"\(entry.name)\"}")
    }
}
