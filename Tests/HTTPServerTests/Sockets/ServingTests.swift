import HTTP
import Runtime
import Testing

@testable import HTTPServer

/// Requests over real sockets.
@Suite struct ServingTests {
    @Test func `many requests over one connection, alone and pipelined`() throws {
        let server = try TestServer()
        let client = Client(port: server.port)
        for number in 0..<10 {
            client.send("/safe/\(number)".get)
            #expect(client.receiveAnswers(1) == ["200 /safe/\(number)"])
        }
        client.send((0..<100).map { "/safe/\($0)".get }.joined() + "/echo".post("body"))
        #expect(client.receiveAnswers(101) == (0..<100).map { "200 /safe/\($0)" } + ["200 body"])
        #expect(server.server.counters.requests == 111)
        #expect(server.server.counters.connectionsOpen == 1)
        server.stop()
    }

    @Test func `answers given later, from any thread and in any order, leave in the requests' order`() throws {
        let server = try TestServer()
        let client = Client(port: server.port)
        client.send("/wait/1".get + "/wait/2".get + "/safe/3".get)
        #expect(server.eventually { server.responder.pending.count == 2 })
        server.responder.waiting("/wait/2")?.respond(Response(status: .ok, body: Array("two".utf8)))
        server.responder.waiting("/wait/1")?.respond(Response(status: .ok, body: Array("one".utf8)))
        #expect(client.receiveAnswers(3) == ["200 one", "200 two", "200 /safe/3"])
        server.stop()
    }

    @Test func `an answer to a client that is gone is dropped, and its request hears of it`() throws {
        let server = try TestServer()
        let client = Client(port: server.port)
        client.send("/wait/1".get)
        #expect(server.eventually { !server.responder.pending.isEmpty })
        client.reset()
        #expect(server.eventually { server.responder.closed == ["/wait/1"] })
        let exchange = try #require(server.responder.waiting("/wait/1"))
        #expect(exchange.loop.runBlocking { exchange.isOpen(on: $0) } == false)
        exchange.respond(Response(status: .ok))
        #expect(server.server.counters.connectionsOpen == 0)
        server.stop()
    }

    @Test func `a half-closed client gets what it asked for`() throws {
        let server = try TestServer()
        let client = Client(port: server.port)
        client.send("/safe/1".get + "/wait/2".lastGet)
        client.endSending()
        #expect(server.eventually { !server.responder.pending.isEmpty })
        server.responder.waiting("/wait/2")?.respond(Response(status: .ok, body: Array("two".utf8)))
        #expect(Answers.parse(client.receiveAll()) == ["200 /safe/1", "200 two, close"])
        #expect(server.eventually { server.server.counters.connectionsOpen == 0 })
        server.stop()
    }

    @Test func `a client still sending its too large body reads the refusal`() throws {
        let server = try TestServer()
        let client = Client(port: server.port)
        client.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: 4000000\n\n")
        client.send([UInt8](repeating: 65, count: 4_000_000))
        client.endSending()
        #expect(Answers.parse(client.receiveAll()) == ["413, close"])
        server.stop()
    }

    @Test func `a client may be refused before its body, or asked for it`() throws {
        let server = try TestServer()
        let refused = Client(port: server.port)
        refused.send("POST /refused HTTP/1.1\nHost: a\nContent-Length: 2\nExpect: 100-continue\n\n")
        #expect(Answers.parse(refused.receiveAll()) == ["401, close"])
        let asked = Client(port: server.port)
        asked.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: 2\nExpect: 100-continue\n\n")
        #expect(asked.receive() == "HTTP/1.1 100 Continue\r\n\r\n")
        asked.send("ok")
        #expect(asked.receiveAnswers(1) == ["200 ok"])
        server.stop()
    }

    @Test func `a method unknown to HTTP is 501, and the connection goes on`() throws {
        let server = try TestServer()
        #expect(
            Client(port: server.port).exchange("BREW /safe/1 HTTP/1.1\nHost: a\n\n" + "/safe/2".lastGet) == [
                "501", "200 /safe/2, close",
            ])
        server.stop()
    }

    @Test func `an answer larger than all buffers arrives whole, to a slow reader, too`() throws {
        let server = try TestServer()
        let client = Client(port: server.port, receiveBuffer: 4096)
        client.send("/big/5000000".get + "/safe/2".get)
        var count = 0
        var last = ""
        while count < 5_000_000, let more = client.receive(bytesMax: 30_000) {
            count += more.utf8.count
            last = more
        }
        while !last.hasSuffix("/safe/2"), let more = client.receive() { last += more }
        #expect(last.hasSuffix("/safe/2"))
        server.stop()
    }

    @Test func `a client that takes nothing is not read and, in time, cut off`() throws {
        let server = try TestServer(loops: 1)
        let client = Client(port: server.port, receiveBuffer: 4096)
        client.send((0..<20).map { _ in "/big/1000000".get }.joined())
        // At most the limit and one answer more are made for it, beside what the kernel's own buffers hold.
        #expect(server.eventually { server.server.counters.requests >= 2 })
        let made = server.server.counters.requests
        server.advance(1)
        #expect(server.server.counters.requests - made <= 8)
        #expect(server.server.counters.requests < 20)
        server.advance(30_000)
        server.advance(30_000)
        #expect(server.eventually { server.server.counters.connectionsOpen == 0 })
        server.stop()
    }

    @Test func `streams are written from the loop, and over when the client leaves`() throws {
        let server = try TestServer()
        let client = Client(port: server.port)
        client.send("/stream/1".get)
        #expect(server.eventually { server.responder.stream("/stream/1") != nil })
        let stream = try #require(server.responder.stream("/stream/1"))
        #expect(stream.exchange.loop.runBlocking { stream.write(Array("one".utf8), on: $0) } == true)
        var received = ""
        while !received.hasSuffix("3\r\none\r\n"), let more = client.receive() { received += more }
        #expect(received.hasSuffix("\r\n\r\n3\r\none\r\n"))
        client.close()  // an end of sending, no reset
        #expect(server.eventually { server.responder.closed == ["/stream/1"] })
        #expect(stream.exchange.loop.runBlocking { stream.write([65], on: $0) } == false)
        #expect(server.server.counters.connectionsOpen == 0)
        server.stop()
    }

    @Test func `a stream that ends by itself reaches a half-closed client whole`() throws {
        let server = try TestServer()
        let client = Client(port: server.port)
        client.send("/stream/1/whole".get)
        client.endSending()
        #expect(server.eventually { server.responder.stream("/stream/1/whole") != nil })
        let stream = try #require(server.responder.stream("/stream/1/whole"))
        stream.exchange.loop.runBlocking { loop in
            stream.write(Array("one".utf8), on: loop)
            stream.end(on: loop)
        }
        #expect(Answers.parse(client.receiveAll()).first?.hasPrefix("200 one.") == true)
        server.stop()
    }

    @Test func `a stream's writer is told when there is room again`() throws {
        var limits = ServerLimits()
        limits.streamBytesMax = 200_000
        let server = try TestServer(limits: limits)
        let client = Client(port: server.port, receiveBuffer: 4096)
        client.send("/stream/1".get)
        #expect(server.eventually { server.responder.stream("/stream/1") != nil })
        let stream = try #require(server.responder.stream("/stream/1"))
        // Piece by piece until the kernel's buffers and ours are full.
        var pieces = 0
        while pieces < 1000, stream.exchange.loop.runBlocking({ stream.write([UInt8](repeating: 65, count: 100_000), on: $0) }) {
            pieces += 1
        }
        #expect(pieces < 1000)
        let isTold = Told()
        stream.exchange.loop.runBlocking { loop in stream.whenWritable(on: loop) { isTold.set() } }
        #expect(!isTold.value)
        var received = 0
        while received < pieces * 100_000, let more = client.receive() { received += more.utf8.count }
        #expect(server.eventually { isTold.value })
        server.stop()
    }

    @Test func `resets at every point leave nothing open`() throws {
        let server = try TestServer()
        let text = "/safe/1".get + "/wait/2".get + "POST /echo HTTP/1.1\nHost: a\nContent-Length: 5\n\n12"
        for cut in stride(from: 0, through: text.utf8.count, by: 7) {
            let client = Client(port: server.port)
            client.send(String(text.prefix(cut)))
            client.reset()
        }
        #expect(server.eventually { server.server.counters.connectionsAccepted == text.utf8.count / 7 + 1 })
        #expect(server.eventually { server.server.counters.connectionsOpen == 0 })
        server.stop()
    }
}
