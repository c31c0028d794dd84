import Foundation
import Testing

/// The harness's own reading of answers, without a service.
@Suite struct `The reader of answers` {
    static func read(_ text: String, isHead: Bool = false, ended: Bool = false) throws -> Answer? {
        var reader = AnswerReader()
        reader.receive(text.utf8)
        return try reader.next(isHead: isHead, ended: ended)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
    ]) func `waits for the whole body, however it comes`(_ text: String) throws {
        var reader = AnswerReader()
        let bytes = Array(text.utf8)
        for byte in bytes.dropLast() {
            reader.receive([byte])
            #expect(try reader.next(isHead: false, ended: false) == nil)
        }
        reader.receive(bytes.suffix(1))
        let answer = try #require(try reader.next(isHead: false, ended: false))
        #expect(answer.body == Array("hello".utf8))
        #expect(reader.isEmpty)
    }

    @Test func `keeps interim answers with the final one`() throws {
        let answer = try Self.read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n")
        #expect(answer?.status == 204)
        #expect(answer?.interim == [100])
    }

    @Test func `takes no body after a HEAD or a 304`() throws {
        #expect(try Self.read("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", isHead: true)?.body == [])
        #expect(try Self.read("HTTP/1.1 304 Not Modified\r\n\r\n")?.body == [])
    }

    @Test func `without a length the body ends with the connection`() throws {
        #expect(try Self.read("HTTP/1.1 200 OK\r\n\r\nhello") == nil)
        #expect(try Self.read("HTTP/1.1 200 OK\r\n\r\nhello", ended: true)?.body == Array("hello".utf8))
    }

    @Test(arguments: [
        "HTTP/1.1 99\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n folded\r\n\r\n", "HTTP/1.1 200 OK\r\n: x\r\n\r\n",
    ])
    func `refuses what is no answer`(_ text: String) {
        #expect(throws: AnswerReader.Malformed.self) { try Self.read(text) }
    }

    @Test func `finds the kind of a problem`() throws {
        let body = #"{"type": "/problems/cart-full", "title": "Full", "status": 409}"#
        let answer = try Self.read(
            "HTTP/1.1 409 Conflict\r\nContent-Type: application/problem+json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        #expect(answer?.problem == "cart-full")
    }
}

extension Answer: Equatable {
    static func == (left: Answer, right: Answer) -> Bool { left.description == right.description }
}
