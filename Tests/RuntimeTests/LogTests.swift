import Dispatch
import Runtime
import Synchronization
import Testing

@Suite struct LogTests {
    /// Collects what a log writes.
    private final class Collector: Sendable {
        private let bytes = Mutex<[UInt8]>([])
        func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }
        var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }
    }

    private func makeLog(_ level: LogLevel, _ form: LogForm, _ collector: Collector) -> Log {
        Log(level: level, form: form, time: .manual(ManualTime(wallMilliseconds: 1_709_210_096_789))) { collector.append($0) }
    }

    @Test func `a JSON line has time, level, message and fields in their order`() {
        let collector = Collector()
        let log = makeLog(.info, .json, collector)
        log.info("served", ["path": "/state", "status": 200, "fresh": true])
        log.flush()
        #expect(
            collector.text
                == #"{"at":"2024-02-29T12:34:56.789Z","level":"info","message":"served","path":"/state","status":200,"fresh":true}"#
                + "\n")
    }

    @Test func `no value can break out of its line or its string`() {
        let collector = Collector()
        for form in [LogForm.json, .text] {
            makeLog(.info, form, collector).with { $0.info("a\n\"b\"", ["c": "\u{0}\\\r\u{7F}"]) }
        }
        #expect(
            collector.text
                == #"{"at":"2024-02-29T12:34:56.789Z","level":"info","message":"a\u000a\"b\"","c":"\u0000\\\u000d\u007f"}"# + "\n"
                + #"2024-02-29T12:34:56.789Z info a\u000a"b" c=\u0000\\u000d\u007f"# + "\n")
    }

    @Test func `nothing is evaluated for a level that is off`() {
        let collector = Collector()
        let log = makeLog(.warning, .text, collector)
        var evaluations = 0
        func message() -> String {
            evaluations += 1
            return "hidden"
        }
        log.debug(message())
        log.info(message())
        #expect(evaluations == 0)
        log.level = .debug
        log.debug(message())
        log.flush()
        #expect(evaluations == 1)
        #expect(collector.text == "2024-02-29T12:34:56.789Z debug hidden\n")
    }

    @Test func `a reader that stands still costs lines, which are counted, but never the writer's time`() {
        let collector = Collector()
        let gate = DispatchSemaphore(value: 0)
        let reached = DispatchSemaphore(value: 0)
        let log = Log(level: .info, form: .text, time: .manual(ManualTime())) { bytes in
            reached.signal()
            gate.wait()
            collector.append(bytes)
        }
        let line = String(repeating: "x", count: 1000)
        // The reader stands still before more is written: the buffer fills once.
        log.info(line)
        reached.wait()
        for _ in 1..<1000 { log.info(line) }  // four times the buffer
        #expect(log.droppedCount > 0)
        let dropped = log.droppedCount
        for _ in 0..<4 { gate.signal() }
        log.flush()
        log.info("after")
        log.flush()
        #expect(collector.text.contains("log lines dropped count=\(dropped)\n"))
        #expect(collector.text.hasSuffix("after\n"))
        #expect(collector.text.split(separator: "\n").count == 1000 - dropped + 2)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (4_102_444_799_999, "2099-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]) func `times are right at the seams`(milliseconds: Int64, text: String)
    {
        let collector = Collector()
        let log = Log(level: .info, form: .text, time: .manual(ManualTime(wallMilliseconds: milliseconds))) {
            collector.append($0)
        }
        log.info("m")
        log.flush()
        #expect(collector.text == "\(text) info m\n")
    }
}

extension Log {
    /// Logs and waits for it.
    fileprivate func with(_ body: (Log) -> Void) {
        body(self)
        flush()
    }
}
