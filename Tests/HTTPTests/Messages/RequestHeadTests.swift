import Testing

@testable import HTTP

@Suite struct `What a head says` {
    @Test(arguments: Method.allCases) func `a method is read by its exact token`(_ method: Method) {
        guard method != .other, method != .connect else { return }
        #expect(request("\(method.token) / HTTP/1.1\r\nHost: a\r\n\r\n")?.head.method == method)
        let lower = method.token.description.lowercased()
        #expect(request("\(lower) / HTTP/1.1\r\nHost: a\r\n\r\n")?.head.method == .other)
        #expect(request("\(method.token)X / HTTP/1.1\r\nHost: a\r\n\r\n")?.head.method == .other)
    }

    @Test func `an unknown method keeps its token, CONNECT is refused`() {
        #expect(request("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n")?.head.methodToken == "BREW")
        #expect(Replay("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n").fault == 501)
    }

    @Test func `safe methods are those of RFC 9110`() {
        #expect(Method.allCases.filter(\.isSafe) == [.get, .head, .options, .trace])
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "close", false), ("HTTP/1.1", "keep-alive", true), ("HTTP/1.9", "", true),
        ("HTTP/1.0", "", false), ("HTTP/1.0", "keep-alive", true), ("HTTP/1.0", "Keep-Alive, close", false),
        ("HTTP/1.1", "x, CLOSE", false), ("HTTP/1.1", "closed", true), ("HTTP/1.1", "not-close", true),
        ("HTTP/1.0", "keep-alives", false),
    ]) func `whether the connection goes on`(_ version: String, _ options: String, _ keepAlive: Bool) {
        let head = request(get(fields: "Host: a\r\nConnection: \(options)\r\n", version: version))?.head
        #expect(head?.keepAlive == keepAlive)
        #expect(head?.minorVersion == (version == "HTTP/1.0" ? 0 : 1))
    }

    @Test func `an interim answer is wanted only with a body and by 1.1`() {
        func expects(_ version: String, _ fields: String) -> Bool {
            Replay("POST / \(version)\r\nHost: a\r\nExpect: 100-continue\r\n\(fields)\r\n").expectsContinue
        }
        #expect(expects("HTTP/1.1", "Content-Length: 1\r\n"))
        #expect(expects("HTTP/1.1", "Transfer-Encoding: chunked\r\n"))
        #expect(!expects("HTTP/1.0", "Content-Length: 1\r\n"))
        #expect(!expects("HTTP/1.1", "Content-Length: 0\r\n"))
        #expect(!expects("HTTP/1.1", ""))
    }

    @Test func `another expectation is 417 in 1.1 and nothing in 1.0`() {
        #expect(Replay(get(fields: "Host: a\r\nExpect: 100-continue, 200-ok\r\n")).fault == 417)
        #expect(Replay(get(fields: "Expect: 200-ok\r\n", version: "HTTP/1.0")).fault == nil)
        #expect(Replay(get(fields: "Host: a\r\nExpect:\r\n")).fault == nil)
    }

    /// RFC 9112 section 6: what is ambiguous is told before what is merely unknown or too large.
    @Test(arguments: [
        ("Content-Length: 9999999999\r\nTransfer-Encoding: chunked\r\n", 400),
        ("Content-Length: 1\r\nTransfer-Encoding: x, chunked\r\n", 400), ("Transfer-Encoding: x, chunked\r\n", 501),
        ("Transfer-Encoding: chunked, x\r\n", 400), ("Transfer-Encoding: x\r\n", 400), ("Transfer-Encoding:\r\n", 400),
        ("Content-Length: 9999999999\r\nExpect: x\r\n", 413), ("Content-Length: 9999999999\r\nContent-Length: 9\r\n", 400),
        ("Content-Length: 99999999999999999999999\r\n", 413), ("Content-Length: 18446744073709551618\r\n", 413),
    ]) func `the order of faults`(_ fields: String, _ status: Int) {
        #expect(Replay("POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n").fault == status)
        // A missing Host outranks them all but what a single line already shows.
        #expect(Replay("POST / HTTP/1.1\r\n\(fields)\r\n").fault == 400)
    }

    @Test func `trailers never become fields`() {
        let request = request(chunked("1\r\nx\r\n0\r\nHost: evil\r\nAuthorization: y\r\n\r\n"))
        #expect(request?.head.fields.count == 2 && request?.body == [0x78])
    }
}
