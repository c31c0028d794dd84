import Testing

@testable import HTTP

@Suite struct `Fields of an answer` {
    private func line(_ value: String) -> String {
        String(decoding: ResponseFields([(.location, value)]).bytes, as: UTF8.self)
    }

    @Test(arguments: [
        ("/a", "/a"), (" a\tb ", "a\tb"), ("a\r\nSet-Cookie: x", "a%0D%0ASet-Cookie: x"), ("\n", "%0A"), ("a\u{0}", "a%00"),
        ("\u{7F}", "%7F"), ("", ""), ("   ", ""), ("é", "é"), ("\r\n\r\n<html>", "%0D%0A%0D%0A<html>"), ("\u{1F}", "%1F"),
    ]) func `no value splits an answer`(_ value: String, _ written: String) {
        #expect(line(value) == "Location: \(written)\r\n")
    }

    @Test func `values may be numbers and bytes, and lists be joined`() {
        var fields = ResponseFields()
        #expect(fields.isEmpty)
        fields.add(.retryAfter, 120)
        fields.add(.entityTag, Array("\"x\"".utf8))
        var more = ResponseFields([(.vary, "Accept")])
        more.add(fields)
        #expect(String(decoding: more.bytes, as: UTF8.self) == "Vary: Accept\r\nRetry-After: 120\r\nETag: \"x\"\r\n")
        #expect(ResponseFields(encoded: more.bytes) == more)
    }

    @Test func `framing fields are the serializer's`() async {
        await #expect(processExitsWith: .failure) { _ = ResponseFields([(.contentLength, "1")]) }
        await #expect(processExitsWith: .failure) { _ = ResponseFields([(FieldName("transfer-encoding"), "x")]) }
    }
}
