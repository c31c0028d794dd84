import HTTP
import Testing

@testable import HTTPServer

/// Time, with a clock that moves when told.
@Suite struct DeadlineTests {
    @Test func `a client that never sends is closed without a word after the time for a head`() {
        let driver = Driver()
        driver.advance(9_999)
        #expect(driver.takeEvents() == [])
        driver.advance(1)
        #expect(driver.takeEvents() == ["close"])
        #expect(driver.sent == "")
    }

    @Test func `empty lines gain no time`() {
        let driver = Driver()
        for _ in 0..<9 {
            driver.advance(1_000)
            driver.receive("\n")
        }
        driver.advance(1_000)
        #expect(driver.takeEvents() == ["close"])
    }

    @Test func `a first head that drips is refused by the time the connection has had`() {
        let driver = Driver()
        for byte in "GET /safe" {
            driver.advance(1_000)
            driver.receive(String(byte))
        }
        #expect(driver.takeEvents() == [])
        driver.advance(1_000)
        #expect(driver.takeEvents() == ["refuse 408", "end of sending"])
        #expect(driver.takeAnswers() == ["408, close"])
    }

    @Test func `an idle connection is closed after the idle time, counted from its last answer`() {
        let driver = Driver(answersAtOnce: true)
        driver.receive("/safe/1".get)
        driver.advance(74_999)
        driver.receive("/safe/2".get)
        driver.advance(74_999)
        #expect(driver.takeEvents() == ["start /safe/1", "start /safe/2"])
        driver.advance(1)
        #expect(driver.takeEvents() == ["close"])
    }

    @Test func `a later head has its time from its first byte`() {
        let driver = Driver(answersAtOnce: true)
        driver.receive("/safe/1".get)
        driver.advance(60_000)
        driver.receive("G")
        driver.advance(9_000)
        driver.receive("ET ")
        driver.advance(999)
        #expect(driver.takeEvents() == ["start /safe/1"])
        driver.advance(1)
        #expect(driver.takeEvents() == ["refuse 408", "end of sending"])
    }

    @Test func `one head after another gets fresh time, without an idle moment between`() {
        let driver = Driver(answersAtOnce: true)
        driver.receive("GET /safe/0 HT")
        for number in 1...20 {
            driver.advance(9_000)
            driver.receive("TP/1.1\nHost: a\n\nGET /safe/\(number) HT")
        }
        #expect(driver.events.count == 20)
        driver.advance(10_000)
        #expect(driver.events.suffix(2) == ["refuse 408", "end of sending"])
    }

    @Test func `a body must make progress`() {
        let driver = Driver()
        driver.receive("POST /x HTTP/1.1\nHost: a\nContent-Length: 100\n\n")
        driver.advance(9_999)
        driver.receive("x")
        driver.advance(9_999)
        #expect(driver.takeEvents() == [])
        driver.advance(1)
        #expect(driver.takeEvents() == ["refuse 408", "end of sending"])
    }

    @Test func `a body that drips for ever has an end`() {
        let driver = Driver()
        driver.receive("POST /x HTTP/1.1\nHost: a\nContent-Length: 100\n\n")
        for _ in 0..<59 {
            driver.advance(1_000)
            driver.receive("x")
        }
        #expect(driver.takeEvents() == [])
        driver.advance(1_000)
        #expect(driver.takeEvents() == ["refuse 408", "end of sending"])
    }

    @Test func `the time that answers take is not the client's`() {
        let driver = Driver()
        driver.receive("/x".get)
        driver.advance(3_600_000)
        #expect(driver.takeEvents() == ["start /x"])
        driver.answer("/x")
        driver.advance(74_999)
        #expect(driver.takeEvents() == [])
        driver.advance(1)
        #expect(driver.takeEvents() == ["close"])
    }

    @Test func `a late head behind an unanswered request is refused in its turn`() {
        let driver = Driver()
        driver.receive("/safe/1".get + "GET /sa")
        driver.advance(10_000)
        #expect(driver.takeEvents() == ["start /safe/1", "refuse 408"])
        driver.answer("/safe/1")
        #expect(driver.takeAnswers() == ["200 /safe/1", "408, close"])
    }

    @Test func `a client that takes nothing is reset, one that takes a little is not`() {
        let driver = Driver(answersAtOnce: true)
        driver.room = 10
        driver.receive("/safe/1".get)
        driver.advance(29_999)
        driver.room = 1
        driver.settle()
        driver.advance(29_999)
        #expect(driver.takeEvents() == ["start /safe/1"])
        driver.advance(1)
        #expect(driver.takeEvents() == ["reset"])
    }
}
