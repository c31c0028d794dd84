import HTTP
import Testing

@testable import HTTPServer

/// Which requests start when, and in what order their answers leave.
@Suite struct PipelineTests {
    @Test func `a request is started, answered, and followed by the next`() {
        let driver = Driver()
        driver.receive("/safe/1".get)
        #expect(driver.takeEvents() == ["start /safe/1"])
        driver.answer("/safe/1")
        #expect(driver.takeAnswers() == ["200 /safe/1"])
        driver.receive("/x".post("body"))
        #expect(driver.takeEvents() == ["start /x body"])
        driver.answer("/x")
        #expect(driver.takeAnswers() == ["200 /x"])
        #expect(driver.wantsRead)
    }

    @Test func `safe requests run side by side, and their answers wait for their turn`() {
        let driver = Driver()
        driver.receive("/safe/1".get + "/safe/2".get + "/safe/3".get)
        #expect(driver.takeEvents() == ["start /safe/1", "start /safe/2", "start /safe/3"])
        driver.answer("/safe/3")
        driver.answer("/safe/2")
        #expect(driver.sent == "")
        driver.answer("/safe/1")
        #expect(driver.takeAnswers() == ["200 /safe/1", "200 /safe/2", "200 /safe/3"])
    }

    @Test func `consecutive actions of one account are all handed over, those of another wait`() {
        let driver = Driver()
        driver.receive("/ordered/7/a".post("1") + "/ordered/7/b".post("2") + "/ordered/8/c".post("3"))
        #expect(driver.takeEvents() == ["start /ordered/7/a 1", "start /ordered/7/b 2"])
        #expect(!driver.wantsRead)
        driver.answer("/ordered/7/a")
        #expect(driver.takeEvents() == [])
        driver.answer("/ordered/7/b")
        #expect(driver.takeEvents() == ["start /ordered/8/c 3"])
        #expect(driver.wantsRead)
    }

    @Test(arguments: [("/safe/1", "/ordered/1"), ("/ordered/1", "/safe/1"), ("/x", "/safe/1"), ("/safe/1", "/x"), ("/x", "/y")])
    func `a request of another lane waits until all before it are answered`(first: String, second: String) {
        let driver = Driver()
        driver.receive(first.get + second.get)
        #expect(driver.takeEvents() == ["start \(first)"])
        #expect(!driver.wantsRead)
        driver.answer(first)
        #expect(driver.takeEvents() == ["start \(second)"])
    }

    @Test func `at the limit of requests in flight reading stops, and goes on with the next answer`() {
        var limits = ServerLimits()
        limits.requestsInFlightMax = 3
        let driver = Driver(limits: limits)
        driver.receive((1...5).map { "/safe/\($0)".get }.joined())
        #expect(driver.takeEvents() == ["start /safe/1", "start /safe/2", "start /safe/3"])
        #expect(!driver.wantsRead)
        driver.answer("/safe/2")
        #expect(driver.takeEvents() == [])
        driver.answer("/safe/1")
        #expect(driver.takeEvents() == ["start /safe/4", "start /safe/5"])
    }

    @Test func `a hundred pipelined requests are answered by default, and their answers leave together`() {
        let driver = Driver(answersAtOnce: true)
        driver.receive((1...100).map { "/safe/\($0)".get }.joined())
        #expect(driver.takeAnswers() == (1...100).map { "200 /safe/\($0)" })
        let waiting = Driver()
        waiting.receive((1...100).map { "/safe/\($0)".get }.joined())
        #expect(waiting.events.count == 100)
    }

    @Test func `unsent answers over the limit stop reading and starting, until the client takes some`() {
        var limits = ServerLimits()
        limits.outputBytesMax = 10_000
        limits.streamBytesMax = 10_000
        let driver = Driver(limits: limits)
        driver.room = 0
        driver.receive("/safe/1".get + "/safe/2".get)
        driver.answer("/safe/1", Response(status: .ok, body: [UInt8](repeating: 65, count: 10_001)))
        driver.receive("/safe/3".get)
        #expect(driver.takeEvents() == ["start /safe/1", "start /safe/2"])
        #expect(!driver.wantsRead)
        driver.room = .max
        driver.settle()
        #expect(driver.takeEvents() == ["start /safe/3"])
        #expect(driver.wantsRead)
    }

    @Test func `answers that wait for one before them count as unsent`() {
        var limits = ServerLimits()
        limits.outputBytesMax = 10_000
        limits.streamBytesMax = 10_000
        let driver = Driver(limits: limits)
        driver.receive("/safe/1".get + "/safe/2".get)
        driver.answer("/safe/2", Response(status: .ok, body: [UInt8](repeating: 65, count: 10_001)))
        #expect(!driver.wantsRead)
        driver.answer("/safe/1")
        #expect(driver.wantsRead)
    }

    @Test func `a second answer, and one to a number never given, are not taken`() {
        let driver = Driver()
        driver.receive("/safe/1".get + "/safe/2".get)
        #expect(driver.answer("/safe/2") == true)
        #expect(driver.answer("/safe/2") == false)
        #expect(driver.answer("/safe/1") == true)
        #expect(driver.answer("/safe/1") == false)
        #expect(driver.machine.respond(Response(status: .ok), to: 2, date: Driver.date) == false)
        #expect(driver.takeAnswers() == ["200 /safe/1", "200 /safe/2"])
    }

    @Test func `an answer that closes is the last, and those behind it are for nobody`() {
        let driver = Driver()
        driver.receive("/safe/1".get + "/safe/2".get)
        driver.answer("/safe/1", Response(status: .ok, closesConnection: true))
        #expect(driver.takeAnswers() == ["200, close"])
        #expect(driver.answer("/safe/2") == false)
        #expect(driver.events.last == "end of sending")
    }

    @Test(arguments: ["X : y\nHost: a", "Host: a\nContent-Length: x", "A: b"])
    func `a faulty HEAD is answered without a body`(_ fields: String) {
        let driver = Driver()
        driver.refusalBody = Array("refused".utf8)
        driver.receive("HEAD /safe/1 HTTP/1.1\n\(fields)\n\n")
        #expect(driver.sent.hasPrefix("HTTP/1.1 400"))
        #expect(driver.sent.contains("Content-Length: 7\r\n"))
        #expect(driver.sent.hasSuffix("\r\n\r\n"))
    }

    @Test func `what is at fault behind a HEAD is answered with a body`() {
        let driver = Driver(answersAtOnce: true)
        driver.refusalBody = Array("refused".utf8)
        driver.receive("HEAD /safe/1 HTTP/1.1\nHost: a\n\n\u{0}GET / HTTP/1.1\nHost: a\n\n")
        #expect(driver.sent.hasSuffix("\r\n\r\nrefused"))
    }

    @Test func `HEAD is answered without a body, with its length`() {
        let driver = Driver()
        driver.receive("HEAD /safe/1 HTTP/1.1\nHost: a\n\n" + "/safe/2".get)
        driver.answer("/safe/1")
        driver.answer("/safe/2")
        #expect(Answers.parse(driver.sent, heads: [0]) == ["200", "200 /safe/2"])
        #expect(driver.sent.contains("Content-Length: 7\r\n\r\nHTTP/1.1"))
    }

    @Test func `however the bytes are split, the same happens`() {
        let text =
            ("/safe/1".get + "/x".post("one") + "POST /y HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\n\n3\ntwo\n0\n\n"
            + "/safe/2".get + "GET /safe/3 HTTP/1.1\nHost: a\nConnection: close\n\n" + "/safe/4".get).replacingLineFeeds()
        let bytes = Array(text.utf8)
        func run(_ parts: [[UInt8]]) -> [String] {
            let driver = Driver(answersAtOnce: true)
            for part in parts { driver.receiveExactly(part) }
            return driver.events + Answers.parse(driver.sent)
        }
        let whole = run([bytes])
        #expect(whole.suffix(6) == ["end of sending", "200 /safe/1", "200 /x", "200 /y", "200 /safe/2", "200 /safe/3, close"])
        for cut in 1..<bytes.count { #expect(run([Array(bytes[..<cut]), Array(bytes[cut...])]) == whole, "cut at \(cut)") }
        #expect(run(bytes.map { [$0] }) == whole)
    }
}
