import HTTP
import Testing

@testable import HTTPServer

/// `Expect: 100-continue` (RFC 9110, section 10.1.1).
@Suite struct ContinueTests {
    private static let head = "POST /x HTTP/1.1\nHost: a\nContent-Length: 2\nExpect: 100-continue\n\n"
    private static let interim = "HTTP/1.1 100 Continue\r\n\r\n"

    @Test func `a client that waits is told to go on at once`() {
        let driver = Driver()
        driver.receive(Self.head)
        #expect(driver.takeEvents() == ["consult /x"])
        #expect(driver.sent == Self.interim)
        driver.receive("{}")
        driver.answer("/x")
        #expect(driver.takeEvents() == ["start /x {}"])
        #expect(driver.sent.hasPrefix(Self.interim + "HTTP/1.1 200 OK\r\n"))
        #expect(driver.wantsRead)
    }

    @Test func `a body that has come already needs no 100`() {
        let driver = Driver()
        driver.receive(Self.head + "{}")
        driver.answer("/x")
        #expect(driver.takeEvents() == ["start /x {}"])
        #expect(driver.takeAnswers() == ["200 /x"])
    }

    @Test func `a final answer may come before the body, and is the last`() {
        let driver = Driver()
        driver.answerBeforeBody = Response(status: .unauthorized)
        driver.receive(Self.head)
        #expect(driver.takeEvents() == ["consult /x", "end of sending"])
        #expect(driver.takeAnswers() == ["401, close"])
        driver.receive("{}" + "/safe/1".get)
        #expect(driver.takeEvents() == [])
    }

    @Test func `the 100 waits for the answers before it`() {
        let driver = Driver()
        driver.receive("/safe/1".get + Self.head)
        #expect(driver.takeEvents() == ["start /safe/1", "consult /x"])
        #expect(driver.sent == "")
        driver.advance(20_000)  // it is not the client that is late
        driver.answer("/safe/1")
        #expect(driver.sent.hasSuffix("/safe/1" + Self.interim))
        driver.receive("{}")
        #expect(driver.takeEvents() == ["start /x {}"])
    }

    @Test func `a body that has begun while the 100 was owed has its deadline`() {
        let driver = Driver()
        driver.receive("/safe/1".get + "POST /x HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\nExpect: 100-continue\n\n")
        driver.receive("5")
        driver.answer("/safe/1")
        #expect(driver.takeAnswers() == ["200 /safe/1"])
        driver.advance(10_000)
        #expect(driver.takeAnswers() == ["408, close"])
    }

    @Test func `no 100 is sent after a body that came unasked while answers were owed`() {
        let driver = Driver()
        driver.receive("/safe/1".get + Self.head)
        driver.receive("{}")
        driver.answer("/safe/1")
        #expect(driver.takeAnswers() == ["200 /safe/1"])
        #expect(driver.takeEvents() == ["start /safe/1", "consult /x", "start /x {}"])
    }

    @Test func `HTTP 1.0 knows no 100`() {
        let driver = Driver()
        driver.receive("POST /x HTTP/1.0\nContent-Length: 2\nExpect: 100-continue\n\n")
        #expect(driver.takeEvents() == [])
        #expect(driver.sent == "")
    }
}
