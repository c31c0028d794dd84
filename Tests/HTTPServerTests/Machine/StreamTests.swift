import HTTP
import Testing

@testable import HTTPServer

/// Answers that go on.
@Suite struct StreamTests {
    private func start(_ driver: Driver, _ path: String, endsAtHangup: Bool = true) -> UInt64 {
        let sequence = driver.sequences[path]!
        #expect(
            driver.machine.startStream(Response(status: .ok), for: sequence, endsAtHangup: endsAtHangup, date: Driver.date)
                == true)
        driver.settle()
        return sequence
    }

    private func write(_ driver: Driver, _ text: String, _ sequence: UInt64) -> Bool {
        defer { driver.settle() }
        return driver.machine.write(Array(text.utf8), to: sequence)
    }

    private func end(_ driver: Driver, _ sequence: UInt64) {
        driver.machine.endStream(sequence, date: Driver.date)
        driver.settle()
    }

    @Test func `a stream leaves chunk by chunk, and its end lets the next request start`() {
        let driver = Driver()
        driver.receive("/safe/1".get)
        let stream = start(driver, "/safe/1")
        #expect(driver.sent.contains("\r\nTransfer-Encoding: chunked\r\n"))
        #expect(!driver.sent.contains("Content-Length"))
        #expect(write(driver, "one", stream) == true)
        #expect(write(driver, "", stream) == true)  // no chunk of size zero
        #expect(write(driver, "two", stream) == true)
        #expect(driver.hangupEnds)
        #expect(!driver.wantsRead)
        end(driver, stream)
        #expect(driver.takeAnswers() == ["200 onetwo."])
        #expect(driver.wantsRead)
        driver.receive("/safe/2".get)
        driver.answer("/safe/2")
        #expect(driver.takeAnswers() == ["200 /safe/2"])
    }

    @Test func `nothing follows a stream that ends with the connection, though it was asked for before`() {
        let driver = Driver()
        driver.receive("GET /safe/1 HTTP/1.0\nConnection: keep-alive\n\nGET /safe/2 HTTP/1.0\nConnection: keep-alive\n\n")
        driver.answer("/safe/2")
        let stream = start(driver, "/safe/1")
        #expect(write(driver, "one", stream) == true)
        end(driver, stream)
        #expect(!driver.sent.contains("/safe/2"))
        #expect(driver.sent.hasSuffix("\r\n\r\none"))
        #expect(driver.takeEvents().last == "end of sending")
    }

    @Test func `a client that has finished gets what is owed before a stream`() {
        let driver = Driver()
        driver.receive("/safe/1".get + "/safe/2".get)
        _ = start(driver, "/safe/2")
        #expect(!driver.hangupEnds, "the first answer is still owed")
        driver.answer("/safe/1")
        #expect(driver.hangupEnds)
    }

    @Test func `while a stream lasts nothing else starts`() {
        let driver = Driver()
        driver.receive("/safe/1".get)
        let stream = start(driver, "/safe/1")
        driver.receive("/safe/2".get)
        #expect(driver.takeEvents() == ["start /safe/1"])
        end(driver, stream)
        #expect(driver.takeEvents() == ["start /safe/2"])
    }

    @Test func `HTTP 1.0 gets the pieces as they are, and the close as the end`() {
        let driver = Driver()
        driver.receive("GET /safe/1 HTTP/1.0\nConnection: keep-alive\n\n")
        let stream = start(driver, "/safe/1")
        #expect(write(driver, "one", stream) == true)
        end(driver, stream)
        #expect(driver.sent.hasSuffix("\r\n\r\none"))
        #expect(!driver.sent.contains("Transfer-Encoding"))
        #expect(driver.takeEvents() == ["start /safe/1", "end of sending"])
    }

    @Test func `HEAD gets the head of a stream, which is over then`() {
        let driver = Driver()
        driver.receive("HEAD /safe/1 HTTP/1.1\nHost: a\n\n")
        let stream = start(driver, "/safe/1")
        #expect(write(driver, "one", stream) == false)
        #expect(!driver.awaits(stream))
        #expect(driver.sent.hasSuffix("Transfer-Encoding: chunked\r\n\r\n"))
        #expect(driver.wantsRead)
    }

    @Test func `a slow reader's stream takes no more than its bound`() {
        var limits = ServerLimits()
        limits.streamBytesMax = 100
        let driver = Driver(limits: limits)
        driver.receive("/safe/1".get)
        let stream = start(driver, "/safe/1")
        driver.room = 0
        #expect(write(driver, String(repeating: "a", count: 90), stream) == true)
        #expect(driver.bufferedBytes(of: stream) >= 90)
        #expect(write(driver, String(repeating: "b", count: 90), stream) == false)
        driver.room = .max
        driver.settle()
        #expect(driver.bufferedBytes(of: stream) == 0)
        #expect(write(driver, String(repeating: "c", count: 900), stream) == true)  // one piece of any size when nothing waits
        #expect(!driver.sent.contains("b"))
    }

    @Test func `a stream behind an unanswered request waits for it`() {
        let driver = Driver()
        driver.receive("/safe/1".get + "/safe/2".get + "/safe/3".get)
        let stream = start(driver, "/safe/2")
        #expect(write(driver, "one", stream) == true)
        driver.answer("/safe/3")
        #expect(driver.sent == "")
        driver.answer("/safe/1")
        #expect(write(driver, "two", stream) == true)
        end(driver, stream)
        #expect(driver.takeAnswers() == ["200 /safe/1", "200 onetwo.", "200 /safe/3"])
    }

    @Test func `a stream that ends before its turn leaves whole in its turn`() {
        let driver = Driver()
        driver.receive("/safe/1".get + "/safe/2".get)
        let stream = start(driver, "/safe/2")
        #expect(write(driver, "one", stream) == true)
        end(driver, stream)
        #expect(write(driver, "two", stream) == false)
        driver.answer("/safe/1")
        #expect(driver.takeAnswers() == ["200 /safe/1", "200 one."])
        driver.receive("/safe/3".get)
        #expect(driver.events.last == "start /safe/3")
    }

    @Test func `after drain a stream goes on until it is ended, then the connection closes`() {
        let driver = Driver()
        driver.receive("/safe/1".get)
        let stream = start(driver, "/safe/1")
        driver.drain()
        #expect(write(driver, "bye", stream) == true)
        end(driver, stream)
        #expect(driver.takeAnswers() == ["200 bye."])
        #expect(driver.takeEvents() == ["start /safe/1", "end of sending"])
    }

    @Test func `only a stream that ends with the peer is watched for that`() {
        let driver = Driver()
        driver.receive("/safe/1".get)
        _ = start(driver, "/safe/1", endsAtHangup: false)
        #expect(!driver.hangupEnds)
    }
}
