import Testing

@testable import HTTP

@Suite struct `Answers on the wire` {
    private static let date = HTTPDate(secondsSince1970: 784_111_777)
    private static let dateLine = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"

    private func context(head: Bool = false, version: UInt8 = 1, keepAlive: Bool = true) -> ResponseContext {
        ResponseContext(isHead: head, minorVersion: version, keepAlive: keepAlive)
    }

    private func text(_ response: Response, _ context: ResponseContext) -> String {
        var output: [UInt8] = []
        ResponseSerializer.append(response, in: context, date: Self.date, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func `a whole answer, byte for byte`() {
        let response = Response(
            status: .ok, fields: ResponseFields([(.contentType, "application/json"), (.entityTag, "\"e.1\"")]),
            body: Array("{}".utf8))
        #expect(
            text(response, context())
                == "HTTP/1.1 200 OK\r\n\(Self.dateLine)Content-Type: application/json\r\nETag: \"e.1\"\r\n"
                + "Content-Length: 2\r\n\r\n{}")
    }

    @Test func `HEAD has the fields of GET and no content`() {
        let response = Response(status: .ok, body: Array("{}".utf8))
        #expect(text(response, context(head: true)) + "{}" == text(response, context()))
    }

    @Test(arguments: [Status.noContent, .notModified]) func `204 and 304 have no content and no length`(_ status: Status) {
        let response = Response(status: status, body: Array("{}".utf8))
        #expect(
            text(response, context()) == "HTTP/1.1 \(status.code) \(status.reason)\r\n\(Self.dateLine)\r\n")
    }

    @Test func `an empty answer says so`() {
        #expect(text(Response(status: .notFound), context()).hasSuffix("Content-Length: 0\r\n\r\n"))
    }

    @Test(arguments: [
        (UInt8(1), true, ""), (1, false, "Connection: close\r\n"), (0, true, "Connection: keep-alive\r\n"),
        (0, false, "Connection: close\r\n"),
    ]) func `what becomes of the connection is told where it is not the habit`(
        _ version: UInt8, _ keepAlive: Bool, _ line: String
    ) {
        let answer = text(Response(status: .created), context(version: version, keepAlive: keepAlive))
        #expect(answer == "HTTP/1.1 201 Created\r\n\(Self.dateLine)\(line)Content-Length: 0\r\n\r\n")
    }

    @Test func `an answer may close a connection that would go on`() {
        var output: [UInt8] = []
        let response = Response(status: .badRequest, closesConnection: true)
        #expect(!ResponseSerializer.append(response, in: context(), date: Self.date, to: &output))
        #expect(String(decoding: output, as: UTF8.self).contains("\r\nConnection: close\r\n"))
    }

    @Test func `answers are appended, not put in place of others`() {
        var output: [UInt8] = []
        for _ in 0..<3 { ResponseSerializer.append(Response(status: .ok), in: context(), date: Self.date, to: &output) }
        let one = text(Response(status: .ok), context())
        #expect(String(decoding: output, as: UTF8.self) == one + one + one)
    }

    @Test func `lengths are written in decimal`() {
        for count in [0, 1, 9, 10, 99, 100, 12_345] {
            let response = Response(status: .ok, body: [UInt8](repeating: 0x78, count: count))
            #expect(text(response, context()).contains("\r\nContent-Length: \(count)\r\n"))
        }
    }

    @Test func `the interim answer has neither date nor length`() {
        var output: [UInt8] = []
        ResponseSerializer.appendContinue(to: &output)
        #expect(String(decoding: output, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
    }

    @Test(arguments: [
        (UInt8(1), false, StreamCoding.chunked, true), (0, false, .untilClose, false), (1, true, .none, true),
        (0, true, .none, true),
    ]) func `a stream's coding follows the request`(_ version: UInt8, _ head: Bool, _ coding: StreamCoding, _ keepAlive: Bool) {
        var output: [UInt8] = []
        let begun = ResponseSerializer.appendStreamHead(
            status: .ok, fields: ResponseFields(), in: context(head: head, version: version), date: Self.date, to: &output)
        #expect(begun.coding == coding && begun.keepAlive == keepAlive)
        let text = String(decoding: output, as: UTF8.self)
        #expect(text.contains("Transfer-Encoding: chunked\r\n") == (version == 1))
        #expect(!text.contains("Content-Length"))
        #expect(text.contains("Connection: close\r\n") == !keepAlive)
    }

    @Test func `pieces of a stream are framed by its coding`() {
        func stream(_ coding: StreamCoding) -> String {
            var output: [UInt8] = []
            for piece in ["", "ab", String(repeating: "x", count: 300)] { coding.append(Array(piece.utf8), to: &output) }
            coding.appendEnd(to: &output)
            return String(decoding: output, as: UTF8.self)
        }
        let long = String(repeating: "x", count: 300)
        #expect(stream(.chunked) == "2\r\nab\r\n12C\r\n\(long)\r\n0\r\n\r\n")
        #expect(stream(.untilClose) == "ab\(long)")
        #expect(stream(.none) == "")
    }

    @Test func `a chunked stream is what the parser reads as a body`() {
        for count in [1, 15, 16, 255, 256, 4_095, 70_000] {
            var coded: [UInt8] = []
            let piece = [UInt8](repeating: 0x78, count: count)
            StreamCoding.chunked.append(piece, to: &coded)
            StreamCoding.chunked.append(piece, to: &coded)
            StreamCoding.chunked.appendEnd(to: &coded)
            #expect(request(chunked(String(decoding: coded, as: UTF8.self)))?.body == piece + piece)
        }
    }

    @Test func `every named status has a reason`() {
        for status in [
            Status.ok, .created, .accepted, .noContent, .notModified, .badRequest, .unauthorized, .forbidden, .notFound,
            .methodNotAllowed, .notAcceptable, .requestTimeout, .conflict, .gone, .preconditionFailed, .contentTooLarge,
            .uriTooLong,
            .unsupportedMediaType, .expectationFailed, .unprocessableContent, .locked, .preconditionRequired, .tooManyRequests,
            .fieldsTooLarge, .internalServerError, .notImplemented, .serviceUnavailable, .versionNotSupported,
            .insufficientStorage,
        ] {
            #expect(status.reason.utf8CodeUnitCount > 0, "\(status.code)")
        }
        #expect(text(Response(status: Status(299)), context()).hasPrefix("HTTP/1.1 299 \r\n"))
    }

    @Test func `an interim status is no answer`() async {
        await #expect(processExitsWith: .failure) { _ = Response(status: .continue) }
    }
}
