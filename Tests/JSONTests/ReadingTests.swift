import JSON
import Testing

/// The reader's fault for a text; nil where it is accepted.
private func fault(_ bytes: [UInt8], _ limits: JSONLimits = .request) -> JSONFault? {
    do throws(JSONFault) {
        _ = try JSONReader.read(bytes, limits: limits)
        return nil
    } catch {
        return error
    }
}

private func fault(_ text: String, _ limits: JSONLimits = .request) -> JSONFault? { fault(Array(text.utf8), limits) }

@Suite struct ReadingTests {
    @Test(
        arguments: [
            ("null", nil), (" true ", true), ("false\n", false), ("\t[ ]\r", []), ("{ }", [:]), ("\"\"", ""), ("0", 0), ("-0", 0),
            ("-1", -1),
            ("[1,[2],{\"a\":3}]", [1, [2], ["a": 3]]), ("{\"b\":1,\"a\":2}", ["a": 2, "b": 1]), ("{\"\":0}", ["": 0]),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0000\u001f\u00E9\u20ac""#, "\u{0}\u{1F}é€"),
            (#""\ud83d\ude00\uDBFF\uDFFF""#, "😀\u{10FFFF}"),
            ("\"\u{7F}\u{2028}\u{FEFF}\u{FFFF}\"", "\u{7F}\u{2028}\u{FEFF}\u{FFFF}"),
            (#"{"\u0061":1}"#, ["a": 1]), ("{\"\u{E9}\":2,\"e\u{301}\":1}", ["e\u{301}": 1, "\u{E9}": 2]), ("[1 , 2\n]", [1, 2]),
        ] as [(String, JSONValue)])
    func `a good text is read`(text: String, value: JSONValue) throws {
        #expect(try JSONReader.read(text) == value)
    }

    @Test(
        arguments: [
            ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("nul", .unexpectedEnd, 3), ("nulL", .unexpectedByte, 3),
            ("True", .unexpectedByte, 0), ("NaN", .unexpectedByte, 0), ("Infinity", .unexpectedByte, 0),
            ("'a'", .unexpectedByte, 0),
            ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3), ("[1,]", .unexpectedByte, 3),
            ("[,1]", .unexpectedByte, 1), ("[1 2]", .unexpectedByte, 3), ("[1}", .unexpectedByte, 2), ("]", .unexpectedByte, 0),
            ("{", .unexpectedEnd, 1), ("{\"a\"", .unexpectedEnd, 4), ("{\"a\":", .unexpectedEnd, 5),
            ("{\"a\":1", .unexpectedEnd, 6),
            ("{\"a\":1,}", .unexpectedByte, 7), ("{\"a\" 1}", .unexpectedByte, 5), ("{a:1}", .unexpectedByte, 1),
            ("{1:1}", .unexpectedByte, 1),
            ("{,}", .unexpectedByte, 1), ("{\"a\":1 \"b\":2}", .unexpectedByte, 7), ("{\"a\"::1}", .unexpectedByte, 5),
            ("1 2", .trailingBytes, 2), ("{}x", .trailingBytes, 2), ("[]]", .trailingBytes, 2), ("null\0", .trailingBytes, 4),
            ("// a\n1", .unexpectedByte, 0), ("[1/*x*/]", .unexpectedByte, 2), ("\u{A0}1", .unexpectedByte, 0),
            ("\u{B}1", .unexpectedByte, 0),
            ("\u{FEFF}1", .byteOrderMark, 0),
            ("\"", .unexpectedEnd, 1), ("\"a", .unexpectedEnd, 2), ("\"a\\", .unexpectedEnd, 3), ("\"\\u12", .unexpectedEnd, 5),
            ("\"\\", .unexpectedEnd, 2), ("\"\\\"", .unexpectedEnd, 3), ("\"a\nb\"", .controlCharacter, 2),
            ("\"\u{0}\"", .controlCharacter, 1),
            ("\"\u{1F}\"", .controlCharacter, 1), ("\"\t\"", .controlCharacter, 1), (#""\x41""#, .invalidEscape, 1),
            (#""\'""#, .invalidEscape, 1),
            (#""\u12G4""#, .invalidEscape, 1), (#""\U0041""#, .invalidEscape, 1), (#""\u 041""#, .invalidEscape, 1),
            (#""a\ud800""#, .loneSurrogate, 2), (#""\udc00""#, .loneSurrogate, 1), (#""\ud800\n""#, .loneSurrogate, 1),
            (#""\ud800\ud800""#, .loneSurrogate, 1), (#""\ud800x""#, .loneSurrogate, 1), (#""\ud83d\u0041""#, .loneSurrogate, 1),
            ("-", .unexpectedEnd, 1), ("-a", .invalidNumber, 1), ("+1", .unexpectedByte, 0), (".5", .unexpectedByte, 0),
            ("1.", .unexpectedEnd, 2),
            ("[1.]", .invalidNumber, 3), ("1.e1", .invalidNumber, 2), ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3),
            ("[1e+]", .invalidNumber, 4), ("01", .invalidNumber, 0), ("-01", .invalidNumber, 1), ("00", .invalidNumber, 0),
            ("1.5.5", .trailingBytes, 3), ("0x10", .trailingBytes, 1), ("1_000", .trailingBytes, 1), ("--1", .invalidNumber, 1),
            ("1e5.5", .trailingBytes, 3), ("\u{661}", .unexpectedByte, 0), ("-Infinity", .invalidNumber, 1),
            ("1e400", .numberDoesNotFit, 0), ("[-1e309]", .numberDoesNotFit, 1), ("1e-400", .numberDoesNotFit, 0),
            ("1e99999999999999999999", .numberDoesNotFit, 0), ("1.7976931348623159e308", .numberDoesNotFit, 0),
            (#"{"a":1,"a":2}"#, .duplicateName, 7), (#"{"a":1,"\u0061":2}"#, .duplicateName, 7),
            (#"{"":1,"":1}"#, .duplicateName, 6),
            (#"{"b":1,"a":{},"c":[{"a":0}],"a":2}"#, .duplicateName, 28), (#"{"a":{"x":1,"y":2,"x":3}}"#, .duplicateName, 18),
        ] as [(String, JSONFault.Kind, Int)])
    func `a bad text is refused where it goes wrong`(text: String, kind: JSONFault.Kind, offset: Int) {
        let fault = fault(text)
        #expect(fault?.kind == kind)
        #expect(fault?.offset == offset)
        #expect(fault?.kind.isMalformedText == true)
    }

    @Test(
        arguments: [
            ([0x80], 0), ([0xC0, 0x80], 0), ([0xC1, 0xBF], 0), ([0xE0, 0x9F, 0xBF], 0), ([0xED, 0xA0, 0x80], 0),
            ([0xED, 0xBF, 0xBF], 0),
            ([0xF0, 0x8F, 0xBF, 0xBF], 0), ([0xF4, 0x90, 0x80, 0x80], 0), ([0xF5, 0x80, 0x80, 0x80], 0), ([0xFF], 0), ([0xFE], 0),
            ([0x61, 0xE2, 0x82], 1), ([0xC3, 0x28], 0), ([0xF0, 0x9F, 0x98], 0), ([0xE2, 0x28, 0xA1], 0), ([0xC3], 0),
            ([0xEF, 0xBB, 0xBF, 0x80], 3),
        ] as [([UInt8], Int)])
    func `what is not UTF-8 is refused at its first byte`(content: [UInt8], offset: Int) {
        let quoted = [UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")]
        for (text, before) in [
            (quoted, 1), (Array("[{".utf8) + quoted + Array(":1}]".utf8), 3), (Array("\"\\n".utf8) + quoted.dropFirst(), 3),
        ] {
            let fault = fault(text)
            #expect(fault?.kind == .invalidUTF8)
            #expect(fault?.offset == before + offset)
        }
    }

    @Test func `the first and last characters of each length are read`() throws {
        for scalar in ["\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"] {
            #expect(try JSONReader.read("\"\(scalar)\"") == .string(scalar))
        }
    }

    @Test func `a UTF-16 text is refused`() {
        #expect(fault([0xFF, 0xFE, 0x31, 0x00])?.offset == 0)
        #expect(fault([0x00, 0x31])?.offset == 0)
    }

    @Test(
        arguments: [
            (#"{"a":[1,{"b/c":[true,nope]}]}"#, "/a/1/b~1c/1"), (#"[[],[[1,]]]"#, "/1/0/1"),
            (#"{"a":1,"b":{"c":1,"c":2}}"#, "/b/c"), ("[1", ""),
        ])
    func `a fault names the place in the value`(text: String, pointer: String) {
        #expect(fault(text)?.pointer.text == pointer)
    }

    @Test func `every cut of a text is refused`() throws {
        let text = Array(#"{"a":[1.5e3,"é\ud83d\ude00",true,null],"b":{"c":-7}}"#.utf8)
        _ = try JSONReader.read(text)
        for end in 0..<text.count {
            let fault = fault(Array(text[..<end]))
            #expect(fault != nil, "cut after \(end) bytes")
            #expect((fault?.offset ?? -1) <= end)
        }
    }

    @Test func `memory that somebody else owns is read`() throws {
        let bytes = Array("[1,\"two\"]".utf8)
        let value = try unsafe bytes.withUnsafeBytes { try unsafe JSONReader.read($0) }
        #expect(value == [1, "two"])
    }

    @Test func `validation refuses what reading refuses`() throws {
        try JSONReader.validate(Array("{\"a\":[1]}".utf8))
        #expect(throws: JSONFault.self) { try JSONReader.validate(Array(#"{"a":1,"a":1}"#.utf8)) }
    }

    @Test func `a value is skipped without being built`() throws {
        let text = Array(#"[ {"a":"]\"","b":[1,2.5,{}]} ,"\u00e9", 12,null]"#.utf8)
        let first = try JSONReader.skip(text, from: 1)
        #expect(String(decoding: text[1..<first], as: UTF8.self) == #" {"a":"]\"","b":[1,2.5,{}]}"#)
        #expect(try JSONReader.skip(text, from: 0) == text.count)
        #expect(throws: JSONFault.self) { try JSONReader.skip(Array("[1,\"\u{1}\"]".utf8), from: 0) }
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `however a value is spelled, it is read alike`(seed: UInt64) throws {
        var generator = ValueGenerator(seed: seed)
        for round in 0..<100 {
            let value = generator.value()
            let text = generator.spelling(of: value)
            #expect(try JSONReader.read(text) == value, "seed \(seed), round \(round): \(text)")
            #expect(try JSONReader.skip(Array(text.utf8), from: 0) <= text.utf8.count, "seed \(seed), round \(round): \(text)")
        }
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func `a text with one byte changed is refused, or read and written alike`(seed: UInt64) throws {
        var generator = ValueGenerator(seed: seed)
        for round in 0..<200 {
            var bytes = Array(generator.spelling(of: generator.value(depth: 2)).utf8)
            guard !bytes.isEmpty else { continue }
            bytes[.random(in: bytes.indices, using: &generator.numbers)] = .random(in: 0...255, using: &generator.numbers)
            guard let value = try? JSONReader.read(bytes) else { continue }
            #expect(try JSONReader.read(value.canonicalBytes) == value, "seed \(seed), round \(round)")
        }
    }
}

@Suite struct LimitTests {
    @Test func `the text's length`() throws {
        let limits = JSONLimits(bytesMax: 4)
        #expect(fault("true", limits) == nil)
        #expect(fault("false", limits)?.kind == .tooLong)
    }

    @Test func `the depth`() throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            func nested(_ depth: Int) -> String {
                String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            }
            #expect(fault(nested(64)) == nil)
            #expect(fault(nested(65))?.kind == .tooDeep)
            #expect(fault(nested(65))?.offset == 64 * open.utf8.count)
            #expect(fault(nested(512), .stored) == nil)
        }
        // Without a bound this would run out of stack.
        #expect(fault(String(repeating: "[", count: 500_000))?.kind == .tooDeep)
    }

    @Test func `the members of an object and the elements of an array`() {
        let limits = JSONLimits(membersMax: 2)
        #expect(fault("[[1,2],{\"a\":1,\"b\":2}]", limits) == nil)
        #expect(fault("[1,2,3]", limits)?.kind == .tooManyMembers)
        #expect(fault("{\"a\":1,\"b\":2,\"c\":3}", limits)?.kind == .tooManyMembers)
    }

    @Test func `a string's length, unescaped`() {
        let limits = JSONLimits(stringBytesMax: 4)
        #expect(fault("[\"abcd\",\"\\u0061bcd\",\"éé\"]", limits) == nil)
        #expect(fault("\"abcde\"", limits)?.kind == .stringTooLong)
        #expect(fault("\"\\u0061bcde\"", limits)?.kind == .stringTooLong)
        #expect(fault("\"ééa\"", limits)?.kind == .stringTooLong)
        #expect(fault("{\"abcde\":1}", limits)?.kind == .stringTooLong)
    }

    @Test func `a number's length`() {
        let limits = JSONLimits(numberBytesMax: 4)
        #expect(fault("[1234,-1.5]", limits) == nil)
        #expect(fault("[12345]", limits)?.kind == .numberTooLong)
        #expect(fault("[-1.25]", limits)?.offset == 1)
    }

    @Test func `many names with a long common start are sorted in time`() throws {
        let names = (0..<20_000).map { "\"\(String(repeating: "x", count: 40))\($0)\":0" }
        let value = try JSONReader.read("{" + names.joined(separator: ",") + "}", limits: .stored)
        #expect(value.object?.count == 20_000)
    }
}
