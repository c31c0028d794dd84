import HTTP
import Testing

@testable import HTTPServer

/// How a connection comes to its end.
@Suite struct EndingTests {
    @Test func `after Connection: close nothing is parsed, and the close is in stages`() {
        let driver = Driver(answersAtOnce: true)
        driver.receive("GET /safe/1 HTTP/1.1\nHost: a\nConnection: close\n\n" + "/safe/2".get)
        #expect(driver.takeAnswers() == ["200 /safe/1, close"])
        #expect(driver.takeEvents() == ["start /safe/1", "end of sending"])
        #expect(driver.wantsRead)
        driver.receive("/safe/3".get)
        #expect(driver.takeEvents() == [])
        driver.receiveEnd()
        #expect(driver.takeEvents() == ["close"])
    }

    @Test func `lingering ends with time`() {
        let driver = Driver(answersAtOnce: true)
        driver.receive("GET /safe/1 HTTP/1.0\n\n")
        driver.advance(1_999)
        #expect(driver.takeEvents() == ["start /safe/1", "end of sending"])
        driver.advance(1)
        #expect(driver.takeEvents() == ["close"])
    }

    @Test func `lingering ends with an amount`() {
        var limits = ServerLimits()
        limits.lingerBytesMax = 10
        let driver = Driver(limits: limits, answersAtOnce: true)
        driver.receive("GET /safe/1 HTTP/1.0\n\n")
        driver.receive("0123456789")
        #expect(driver.takeEvents() == ["start /safe/1", "end of sending"])
        driver.receive("x")
        #expect(driver.takeEvents() == ["close"])
    }

    @Test func `HTTP 1.0 closes unless it asks for more, and is told so`() {
        let driver = Driver(answersAtOnce: true)
        driver.receive("GET /safe/1 HTTP/1.0\nConnection: keep-alive\n\n")
        #expect(driver.sent.contains("\r\nConnection: keep-alive\r\n"))
        driver.receive("GET /safe/2 HTTP/1.0\n\n")
        #expect(driver.takeAnswers() == ["200 /safe/1", "200 /safe/2, close"])
    }

    @Test func `a fault is answered behind what is owed, and nothing after it is parsed`() {
        let driver = Driver()
        driver.receive("/safe/1".get + "BAD\n\n" + "/safe/2".get)
        #expect(driver.takeEvents() == ["start /safe/1", "refuse 400"])
        #expect(driver.sent == "")
        #expect(!driver.wantsRead)
        driver.answer("/safe/1")
        #expect(driver.takeAnswers() == ["200 /safe/1", "400, close"])
        #expect(driver.takeEvents() == ["end of sending"])
    }

    @Test func `a body over the limit is refused at its head, without waiting for it`() {
        let driver = Driver()
        driver.receive("POST /x HTTP/1.1\nHost: a\nContent-Length: 1048577\n\n")
        #expect(driver.takeEvents() == ["refuse 413", "end of sending"])
        #expect(driver.takeAnswers() == ["413, close"])
        driver.receive(String(repeating: "x", count: 100_000))  // what the client sends all the same
        #expect(driver.takeEvents() == [])
    }

    @Test func `a half-closed client gets its answers, then the close`() {
        let driver = Driver()
        driver.receive("/safe/1".get + "/x".get)
        driver.receiveEnd()
        #expect(driver.takeEvents() == ["start /safe/1"])
        #expect(!driver.wantsRead)
        driver.answer("/safe/1")
        #expect(driver.takeEvents() == ["start /x"])
        driver.answer("/x")
        #expect(driver.takeEvents() == ["close"])
        #expect(driver.takeAnswers() == ["200 /safe/1", "200 /x, close"])
    }

    @Test(arguments: ["", "\n", "\n\n"]) func `an end between requests closes without a word`(before: String) {
        let driver = Driver()
        driver.receive(before)
        driver.receiveEnd()
        #expect(driver.takeEvents() == ["close"])
        #expect(driver.sent == "")
    }

    @Test(arguments: ["G", "GET / HTTP/1.1\nHost: a\n", "POST / HTTP/1.1\nHost: a\nContent-Length: 2\n\nx"])
    func `an end within a request is a fault`(text: String) {
        let driver = Driver()
        driver.receive(text)
        driver.receiveEnd()
        #expect(driver.takeEvents() == ["refuse 400", "close"])
        #expect(driver.takeAnswers() == ["400, close"])
    }

    @Test func `the last request a connection may make is told`() {
        var limits = ServerLimits()
        limits.requestsPerConnectionMax = 2
        let driver = Driver(limits: limits, answersAtOnce: true)
        driver.receive("/safe/1".get + "/safe/2".get + "/safe/3".get)
        #expect(driver.takeAnswers() == ["200 /safe/1", "200 /safe/2, close"])
        #expect(driver.takeEvents() == ["start /safe/1", "start /safe/2", "end of sending"])
    }

    @Test func `a broken connection is closed at once`() {
        let driver = Driver()
        driver.receive("/safe/1".get)
        driver.machine.reset()
        driver.settle()
        #expect(driver.takeEvents() == ["start /safe/1", "close"])
        #expect(!driver.awaits(0))
    }

    @Test func `a connection turned away gets its answer and is read no more than lingering does`() {
        let driver = Driver()
        let sequence = driver.machine.turnAway()
        #expect(driver.machine.respond(Response(status: .serviceUnavailable), to: sequence, date: Driver.date) == true)
        driver.settle()
        #expect(driver.takeAnswers() == ["503, close"])
        driver.receive("/safe/1".get)
        #expect(driver.takeEvents() == ["end of sending"])
    }

    // MARK: Drain

    @Test func `drain closes an idle connection at once, new or used`() {
        let new = Driver()
        new.drain()
        #expect(new.takeEvents() == ["close"])
        let used = Driver(answersAtOnce: true)
        used.receive("/safe/1".get)
        used.drain()
        #expect(used.takeEvents() == ["start /safe/1", "close"])
    }

    @Test func `drain announces the close in the last answer in flight`() {
        let driver = Driver()
        driver.receive("/safe/1".get + "/safe/2".get + "GET /safe/3 HT")
        driver.drain()
        driver.answer("/safe/2")
        driver.answer("/safe/1")
        #expect(driver.takeAnswers() == ["200 /safe/1", "200 /safe/2, close"])
        #expect(driver.takeEvents() == ["start /safe/1", "start /safe/2", "end of sending"])
    }

    @Test func `drain lets a request that has begun to arrive be served`() {
        let driver = Driver(answersAtOnce: true)
        driver.receive("GET /safe/1 HTTP/1.1\n")
        driver.drain()
        #expect(driver.takeEvents() == [])
        driver.receive("Host: a\n\n" + "/safe/2".get)
        #expect(driver.takeAnswers() == ["200 /safe/1, close"])
    }

    @Test func `drain serves a whole request that waits for one before it`() {
        let driver = Driver()
        driver.receive("/x".get + "/y".get)
        driver.answer("/x")
        driver.receive("/z".get)  // waits for /y
        driver.drain()
        driver.answer("/y")
        #expect(driver.takeAnswers() == ["200 /x", "200 /y, close"])
        let held = Driver()
        held.receive("/safe/1".get + "/y".get)  // taken from the parser, held back
        held.drain()
        held.answer("/safe/1")
        held.answer("/y")
        #expect(held.takeAnswers() == ["200 /safe/1", "200 /y, close"])
    }
}
