import Testing

@testable import HTTP

/// Each limit is reached exactly, then passed by one.
@Suite struct `Limits of a request` {
    private func limits(_ change: (inout RequestLimits) -> Void = { _ in }) -> RequestLimits {
        var limits = RequestLimits()
        change(&limits)
        return limits
    }

    private func filler(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test func `the defaults meet what is promised, and contradict nothing`() {
        let limits = RequestLimits()
        #expect(limits.violatedRelation == nil)
        #expect(limits.requestLineBytesMax >= 8_000)
        #expect(limits.headerSectionBytesMax >= 16_384 && limits.headerSectionBytesMax <= 65_536)
        #expect(limits.chunksMax >= 2_000)
        #expect(limits.trailerBytesMax < 85_000 && limits.chunkExtensionBytesMax < 100_000)
    }

    @Test func `each relation between limits is told in words`() {
        let violations: [@Sendable (inout RequestLimits) -> Void] = [
            { $0.requestLineBytesMax = 7_999 }, { $0.requestLineBytesMax = 65_537 }, { $0.headerSectionBytesMax = 1_023 },
            { $0.headerSectionBytesMax = 65_537 }, { $0.headerFieldsMax = 15 }, { $0.emptyLinesMax = 0 },
            { $0.bodyBytesMax = -1 }, { $0.bodyBytesMax = 1 << 40 + 1 }, { $0.chunksMax = 0 },
            { $0.chunkExtensionBytesMax = -1 }, { $0.chunkExtensionBytesMax = 65_537 }, { $0.trailerBytesMax = -1 },
            { $0.trailerBytesMax = $0.headerSectionBytesMax + 1 },
        ]
        let told = violations.map { limits($0).violatedRelation }
        #expect(!told.contains(nil))
        #expect(Set(told).count == violations.count)
    }

    @Test func `a request line of the limit is read, one byte more is 414`() {
        let limit = RequestLimits().requestLineBytesMax
        let overhead = "GET / HTTP/1.1".utf8.count
        #expect(Replay(get("/" + filler(limit - overhead))).fault == nil)
        #expect(Replay(get("/" + filler(limit - overhead + 1))).fault == 414)
        #expect(Replay("GET /" + filler(limit)).fault == 414)
    }

    @Test func `a method that fills the request line is 501`() {
        let limit = RequestLimits().requestLineBytesMax
        #expect(Replay(filler(limit + 1)).fault == 501)
        #expect(Replay(filler(limit - 1) + " /").fault == 414)
        #expect(Replay(filler(limit) + " /").fault == 501)
    }

    @Test func `a header section of the limit is read, one byte more is 431`() {
        let limit = RequestLimits().headerSectionBytesMax
        let overhead = "Host: a\r\nX: \r\n".utf8.count
        func fields(_ count: Int) -> String { "Host: a\r\nX: \(filler(count - overhead))\r\n" }
        #expect(Replay(get(fields: fields(limit))).fault == nil)
        #expect(Replay(get(fields: fields(limit + 1))).fault == 431)
    }

    @Test func `as many field lines as allowed are read, one more is 431`() {
        let limit = RequestLimits().headerFieldsMax
        func fields(_ count: Int) -> String { "Host: a\r\n" + (1..<count).map { "X-\($0): v\r\n" }.joined() }
        #expect(Replay(get(fields: fields(limit))).fault == nil)
        #expect(Replay(get(fields: fields(limit + 1))).fault == 431)
    }

    @Test func `as many empty lines as allowed are skipped, one more is 400`() {
        let limit = RequestLimits().emptyLinesMax
        let lines = String(repeating: "\r\n", count: limit)
        #expect(Replay(lines + get()).answered.count == 1 && Replay(lines + get()).fault == nil)
        #expect(Replay(lines + "\r\n" + get()).fault == 400)
        // Counted anew for each request.
        #expect(Replay(lines + get() + lines + get()).fault == nil)
    }

    @Test func `a body of the limit is read, one byte more is 413 at the head`() {
        let limits = limits { $0.bodyBytesMax = 10 }
        func post(_ count: Int) -> String { "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n" }
        #expect(Replay(post(10) + filler(10), limits: limits).answered.count == 1)
        let refused = Replay(post(11), limits: limits)
        #expect(refused.fault == 413 && refused.events.count == 1)
    }

    @Test func `chunks up to the body's limit are read, one byte more is 413`() {
        let limits = limits { $0.bodyBytesMax = 10 }
        #expect(Replay(chunked("6\r\naaaaaa\r\n4\r\naaaa\r\n0\r\n\r\n"), limits: limits).fault == nil)
        #expect(Replay(chunked("6\r\naaaaaa\r\n5\r\n"), limits: limits).fault == 413)
        #expect(Replay(chunked("7FFFFFFFFFFFFFFF\r\n"), limits: limits).fault == 413)
    }

    @Test func `as many chunks as allowed are read, one more is 413`() {
        let limits = limits { $0.chunksMax = 5 }
        func body(_ count: Int) -> String { String(repeating: "1\r\na\r\n", count: count) + "0\r\n\r\n" }
        #expect(Replay(chunked(body(5)), limits: limits).fault == nil)
        #expect(Replay(chunked(body(6)), limits: limits).fault == 413)
    }

    @Test func `chunk extensions are bounded over the whole body`() {
        let limits = limits { $0.chunkExtensionBytesMax = 20 }
        #expect(Replay(chunked("1;\(filler(9))\r\nx\r\n1;\(filler(9))\r\nx\r\n0\r\n\r\n"), limits: limits).fault == nil)
        #expect(Replay(chunked("1;\(filler(9))\r\nx\r\n1;\(filler(10))\r\nx\r\n0\r\n\r\n"), limits: limits).fault == 413)
        #expect(Replay(chunked("1;\(filler(200))"), limits: limits).fault == 413)
    }

    @Test func `a chunk size has so many digits, zeros included, and one more is 400`() {
        let digits = RequestLimits.chunkSizeDigitsMax
        let zeros = String(repeating: "0", count: digits - 1)
        #expect(Replay(chunked(zeros + "1\r\nx\r\n0\r\n\r\n")).fault == nil)
        #expect(Replay(chunked("0" + zeros + "1\r\nx\r\n0\r\n\r\n")).fault == 400)
    }

    @Test func `trailers of the limit are dropped, one byte more is 431`() {
        let limit = RequestLimits().trailerBytesMax
        func body(_ count: Int) -> String { "0\r\nX: \(filler(count - "X: \r\n".utf8.count))\r\n\r\n" }
        #expect(Replay(chunked(body(limit))).fault == nil)
        #expect(Replay(chunked(body(limit + 1))).fault == 431)
    }

    @Test func `as many trailers as header fields are dropped, one more is 431`() {
        let limit = RequestLimits().headerFieldsMax
        func body(_ count: Int) -> String { "0\r\n" + String(repeating: "X: y\r\n", count: count) + "\r\n" }
        #expect(Replay(chunked(body(limit))).fault == nil)
        #expect(Replay(chunked(body(limit + 1))).fault == 431)
    }

    @Test func `the default number of chunks ends a body of tiny ones`() {
        let replay = Replay(chunked(String(repeating: "1\r\na\r\n", count: RequestLimits().chunksMax + 1)))
        #expect(replay.fault == 413)
    }
}
