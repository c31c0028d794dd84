internal import Glibc
internal import Synchronization

/// Structured log lines, from any thread, without waiting for whoever reads them.
///
/// A line is encoded by its writer into a bounded buffer; a queue of its own writes the buffer out. When the reader of standard error is slow and the
/// buffer is full, lines are dropped and counted, and the next line that fits says how many. Nothing is evaluated for a level that is off.
public final class Log: Sendable {
    /// Bytes kept for a slow reader of the log.
    public static let bufferBytesMax = 256 * 1024

    private struct Buffer {
        var bytes: [UInt8] = []
        var dropped = 0
        var isWriting = false
    }

    private let threshold: Atomic<UInt8>
    /// What is logged beside the levels.
    public let topics: LogTopics
    private let form: LogForm
    private let time: TimeSource
    private let buffer = Mutex(Buffer())
    private let queue = SerialQueue(label: "log")
    private let sink: @Sendable ([UInt8]) -> Void
    private let droppedTotal = Atomic<Int>(0)

    /// Writes to standard error.
    public convenience init(
        level: LogLevel = .info, form: LogForm = .text, topics: LogTopics = [], time: TimeSource = .system
    ) {
        self.init(level: level, form: form, topics: topics, time: time, sink: Log.writeToStandardError)
    }

    /// Hands whole lines to `sink`, several at a time, on the log's own queue, where it may block.
    public init(
        level: LogLevel, form: LogForm, topics: LogTopics = [], time: TimeSource = .system,
        sink: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.topics = topics
        threshold = Atomic(level.rawValue)
        self.form = form
        self.time = time
        self.sink = sink
    }

    /// The least level that is written; may be changed at any time.
    public var level: LogLevel {
        get { LogLevel(rawValue: threshold.load(ordering: .relaxed)) ?? .info }
        set { threshold.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Lines dropped since the start because the reader was too slow.
    public var droppedCount: Int { droppedTotal.load(ordering: .relaxed) }

    /// What only a developer wants to know. Neither argument is evaluated where the level is off.
    public func debug(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]) {
        if isOn(.debug) { write(.debug, message(), Array(fields())) }
    }

    /// What an operator may want to read in normal running. Neither argument is evaluated where the level is off.
    public func info(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]) {
        if isOn(.info) { write(.info, message(), Array(fields())) }
    }

    /// What goes on working but wants looking into. Neither argument is evaluated where the level is off.
    public func warning(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:])
    {
        if isOn(.warning) { write(.warning, message(), Array(fields())) }
    }

    /// What does not work and wants somebody. Neither argument is evaluated where the level is off.
    public func error(_ message: @autoclosure () -> String, _ fields: @autoclosure () -> KeyValuePairs<String, LogValue> = [:]) {
        if isOn(.error) { write(.error, message(), Array(fields())) }
    }

    /// A line of a topic, at level info whatever the least level is. Callers look at `topics` first.
    public func tell(_ message: String, _ fields: [(key: String, value: LogValue)]) { write(.info, message, fields) }

    /// Waits until all lines so far are written: before the process ends. Never on a loop.
    public func flush() {
        queue.drain()
    }

    private func isOn(_ level: LogLevel) -> Bool { level.rawValue >= threshold.load(ordering: .relaxed) }

    private func write(_ level: LogLevel, _ message: String, _ fields: [(key: String, value: LogValue)]) {
        let now = time.wallMilliseconds()
        var line: [UInt8] = []
        LogLine.append(to: &line, form, at: now, level, message, fields)
        let mustStart = buffer.withLock { buffer in
            guard buffer.bytes.count + line.count <= Log.bufferBytesMax else {
                buffer.dropped += 1
                droppedTotal.wrappingAdd(1, ordering: .relaxed)
                return false
            }
            if buffer.dropped > 0 {
                LogLine.append(
                    to: &buffer.bytes, form, at: now, .warning, "log lines dropped", [("count", .count(buffer.dropped))])
                buffer.dropped = 0
            }
            buffer.bytes += line
            defer { buffer.isWriting = true }
            return !buffer.isWriting
        }
        if mustStart { queue.execute { self.writeOut() } }
    }

    private func writeOut() {
        while true {
            let bytes = buffer.withLock { buffer in
                defer { buffer.bytes = [] }
                if buffer.bytes.isEmpty { buffer.isWriting = false }
                return buffer.bytes
            }
            if bytes.isEmpty { return }
            sink(bytes)
        }
    }

    private static let writeToStandardError: @Sendable ([UInt8]) -> Void = { bytes in
        var written = 0
        while written < bytes.count {
            let from = written
            // The range stays within `bytes`. Standard error may be closed or broken: then there is nobody to tell.
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress! + from, bytes.count - from) }
            if count < 0 && errno == EINTR { continue }
            if count < 0 && errno == EAGAIN {  // someone else's non-blocking terminal
                var descriptor = pollfd(fd: 2, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&descriptor, 1, 1000)
                continue
            }
            if count <= 0 { return }
            written += count
        }
    }
}
