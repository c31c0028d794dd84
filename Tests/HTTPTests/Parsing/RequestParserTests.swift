import Testing

@testable import HTTP

@Suite struct `The parser's life` {
    @Test func `a request without a body comes at once and leaves the connection idle`() {
        let replay = Replay(get())
        #expect(replay.answered.count == 1 && replay.events.count == 1)
        #expect(replay.isIdle && !replay.isStopped && replay.faultAtEnd == nil)
    }

    @Test func `a body is announced with the head and comes with the request`() {
        var parser = RequestParser()
        parser.receive(Array("POST /actions HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n".utf8))
        guard case .head(let head, .fixed(4)) = parser.next() else {
            Issue.record("a head was wanted")
            return
        }
        #expect(head.expectsContinue && head.method == .post)
        guard case .needMore = parser.next() else {
            Issue.record("the head was said twice")
            return
        }
        #expect(parser.isInBody && !parser.isInHead && !parser.isIdle && parser.bufferedBytes == 0)
        parser.receive(Array("ab".utf8))
        _ = parser.next()
        parser.receive(Array("cdGET".utf8))
        guard case .request(let request) = parser.next() else {
            Issue.record("a request was wanted")
            return
        }
        #expect(request.body == Array("abcd".utf8))
        #expect(parser.bufferedBytes == 3 && parser.isInHead && !parser.isIdle)
    }

    @Test func `nothing is parsed behind a fault`() {
        var parser = RequestParser()
        parser.receive(Array(("BAD\r\n\r\n" + get()).utf8))
        guard case .fault(let fault) = parser.next() else {
            Issue.record("a fault was wanted")
            return
        }
        #expect(fault.status == .badRequest)
        parser.receive(Array(get().utf8))
        guard case .needMore = parser.next() else {
            Issue.record("an event behind a fault")
            return
        }
        #expect(parser.isStopped && parser.bufferedBytes == 0 && parser.faultAtEnd == nil)
    }

    @Test func `nothing is parsed behind the last request, nor after a stop`() {
        #expect(Replay(get(fields: "Host: a\r\nConnection: close\r\n") + get()).answered.count == 1)
        #expect(Replay(get(version: "HTTP/1.0") + get()).answered.count == 1)
        var parser = RequestParser()
        parser.receive(Array(get().utf8))
        parser.stop()
        guard case .needMore = parser.next() else {
            Issue.record("an event after a stop")
            return
        }
        #expect(parser.isStopped)
    }

    @Test func `a lone carriage return is the start of something`() {
        let replay = Replay("\r")
        #expect(replay.isInHead && !replay.isIdle && replay.faultAtEnd == 400)
        #expect(Replay("\r\n").isIdle)
        #expect(Replay("").isIdle)
    }

    @Test func `an end within a head or a body is a fault, between requests it is none`() {
        #expect(Replay("GET").faultAtEnd == 400)
        #expect(Replay("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n").faultAtEnd == 400)
        #expect(Replay(chunked("0\r\n")).faultAtEnd == 400)
        #expect(Replay(chunked("0\r\n\r\n")).faultAtEnd == nil)
    }

    @Test func `junk is refused at its first byte`() {
        for byte in UInt8.min...UInt8.max where byte != 0x0D {
            let replay = Replay([byte])
            #expect((replay.fault == nil) == ByteSet.token.contains(byte), "byte \(byte)")
        }
    }

    @Test func `pipelined requests come in order, whatever the pieces`() {
        let text = (0..<150).map { get("/\($0)", fields: "Host: a\r\nX: \(String(repeating: "y", count: $0))\r\n") }.joined()
        let bytes = Array(text.utf8)
        let whole = Replay(bytes)
        #expect(whole.answered.count == 150)
        for step in [1, 7, 64, 1_000, 4_096] {
            #expect(Replay(bytes, splitAt: stride(from: step, to: bytes.count, by: step)) == whole)
        }
    }

    @Test func `bodies and heads alternate through many pieces`() {
        let text = (0..<60).map { index in
            index.isMultiple(of: 2)
                ? "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: \(index)\r\n\r\n" + String(repeating: "z", count: index)
                : chunked("\(String(index, radix: 16))\r\n" + String(repeating: "c", count: index) + "\r\n0\r\nT: u\r\n\r\n")
        }
        let bytes = Array(text.joined().utf8)
        let whole = Replay(bytes)
        #expect(whole.answered.count == 60)
        for step in [1, 3, 50, 333] {
            #expect(Replay(bytes, splitAt: stride(from: step, to: bytes.count, by: step)) == whole)
        }
    }

    @Test func `an answered connection gives large memory back`() {
        var parser = RequestParser()
        parser.receive(Array(get(fields: "Host: a\r\nX: \(String(repeating: "v", count: 20_000))\r\n").utf8))
        guard case .request = parser.next(), case .needMore = parser.next() else {
            Issue.record("a request was wanted")
            return
        }
        #expect(parser.isIdle)
        #expect(parser.bufferedCapacity <= InputBuffer.idleCapacityMax)
    }
}
