import Testing

@testable import HTTP

@Suite struct `Request fields` {
    private func fields(_ lines: String) throws -> Fields {
        try #require(request(get(fields: "Host: a\r\n" + lines))).head.fields
    }

    @Test func `order and duplicates are kept, names have no case`() throws {
        let fields = try fields("Accept: x\r\naccept: y\r\nX-A: z\r\nACCEPT:\r\n")
        #expect((0..<fields.count).map { fields.name(at: $0) } == ["Host", "Accept", "accept", "X-A", "ACCEPT"])
        #expect(fields.all(.accept).map(\.string) == ["x", "y", ""])
        #expect(fields.count(of: .accept) == 3 && fields.count(of: .prefer) == 0)
        #expect(fields.string(.accept) == "x" && fields.string(.prefer) == nil)
        #expect(fields.first(FieldName("x-a"))?.string == "z")
    }

    @Test func `a name that only looks alike is another`() throws {
        let fields = try fields("Accep: 1\r\nAccept-: 2\r\nX^A: 3\r\nX~A: 4\r\n")
        #expect(fields.count(of: .accept) == 0)
    }

    @Test func `white space at the ends of a value is not part of it`() throws {
        let fields = try fields("A: \t b \t c \t\r\nB:c\r\nC:\r\nD: \t \r\n")
        #expect(fields.string(FieldName("A")) == "b \t c")
        #expect(fields.string(FieldName("B")) == "c")
        #expect(fields.string(FieldName("C")) == "" && fields.string(FieldName("D")) == "")
        #expect(fields.first(FieldName("D"))?.isEmpty == true)
    }

    @Test(arguments: [
        ("application/json", true), ("Application/JSON", true), ("application/json;charset=utf-8", true),
        ("application/json \t; charset=\"a;b\"", true), ("application/json;", true), ("application/jsonx", false),
        ("application/json, text/plain", false), ("application", false), ("text/json", false), ("", false), (";", false),
        ("application\u{2F}json-patch+json", false),
    ]) func `a media type is its essence, without parameters and case`(_ value: String, _ isJSON: Bool) throws {
        let type = try #require(try fields("Content-Type: \(value)\r\n").first(.contentType))
        #expect(type.isMediaType("application/json") == isJSON)
    }

    @Test func `lists are parted at commas outside quotes, empty members left out`() throws {
        let fields = try fields(
            "Prefer: , return=minimal,,wait=\"1,2\" , x=\"a\\\",b\"\r\nPrefer: Y;z=1\r\nPrefer: \"open, end\\\r\n")
        #expect(
            fields.members(.prefer).map(\.string) == [
                "return=minimal", "wait=\"1,2\"", "x=\"a\\\",b\"", "Y;z=1", "\"open, end\\",
            ])
        #expect(fields.lists("RETURN=minimal", in: .prefer))
        #expect(!fields.lists("return", in: .prefer) && !fields.lists("2", in: .prefer))
    }

    @Test func `a value is compared as bytes without a String`() throws {
        let value = try #require(fields("Authorization: Bearer abc\r\n").first(.authorization))
        #expect(value.equals(Array("Bearer abc".utf8)) && !value.equals(Array("Bearer abd".utf8)))
        #expect(!value.equals(Array("Bearer ab".utf8)) && !value.equals(Array("Bearer abcd".utf8)))
        #expect(value.equals("Bearer abc") && !value.equals("bearer abc") && value.equalsToken("bearer ABC"))
        #expect(value.copy == Array("Bearer abc".utf8) && value.count == 10 && value[0] == 0x42)
        #expect(value.withSpan { $0.count } == 10)
    }

    @Test func `an index outside a value is a programmer's error`() async {
        await #expect(processExitsWith: .failure) {
            let value = FieldValue(bytes: Array("abc".utf8), range: 0..<2)
            _ = value[2]
        }
    }
}
