import JSON
import Testing

@Suite struct CanonicalTests {
    @Test(
        arguments: [
            ("0", "0"), ("-0", "0"), ("-0.0e5", "0"), ("1.0", "1"), ("1e2", "100"), ("1.50e1", "15"), ("100e-2", "1"),
            ("0e999999", "0"),
            ("9007199254740993", "9007199254740993"), ("-9007199254740993", "-9007199254740993"),
            ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "-9223372036854775808"),
            ("9223372036854775808", "9223372036854775808"), ("-9223372036854775809", "-9223372036854775809"),
            ("18446744073709551615", "18446744073709551615"), ("9.223372036854775807e18", "9223372036854775807"),
            ("123456789012345678901", "123456789012345678901"), ("1234567890123456789012", "1.234567890123456789012e+21"),
            ("1e21", "1e+21"), ("1e20", "100000000000000000000"), ("1E+300", "1e+300"), ("0.1", "0.1"), ("0.10", "0.1"),
            ("-1.5", "-1.5"),
            ("0.000001", "0.000001"), ("0.0000001", "1e-7"), ("1.25e-7", "1.25e-7"), ("12.5e1", "125"), ("5e-324", "5e-324"),
            ("1.7976931348623157e308", "1.7976931348623157e+308"), ("0.30000000000000004", "0.30000000000000004"),
            ("0.1000000000000000055511151231257827", "0.1000000000000000055511151231257827"),
            ("333333333.33333329", "333333333.33333329"),
        ])
    func `a number has one spelling, and no digit is lost`(text: String, canonical: String) throws {
        let value = try JSONReader.read(text)
        #expect(value.canonicalText == canonical)
        #expect(try JSONReader.read(canonical) == value)
    }

    @Test(
        arguments: [
            (0.0, "0"), (-0.0, "0"), (1, "1"), (1.5, "1.5"), (1e21, "1e+21"), (1e-7, "1e-7"), (0.1 + 0.2, "0.30000000000000004"),
            (4.35, "4.35"), (123_456_789.125, "123456789.125"), (9_007_199_254_740_992, "9007199254740992"),
            (-9_223_372_036_854_775_808, "-9223372036854775808"), (9_223_372_036_854_775_808, "9223372036854776000"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.leastNonzeroMagnitude, "5e-324"),
        ] as [(Double, String)])
    func `a floating-point number has the fewest digits that read back as it`(double: Double, canonical: String) throws {
        let value = try #require(JSONValue(double))
        #expect(value.canonicalText == canonical)
        #expect(value.double == double)
    }

    @Test func `there are no infinities`() {
        #expect(JSONValue(Double.infinity) == nil)
        #expect(JSONValue(-Double.infinity) == nil)
        #expect(JSONValue(Double.nan) == nil)
    }

    @Test func `integers of every width keep their digits`() {
        #expect(JSONValue(UInt64.max).canonicalText == "18446744073709551615")
        #expect(JSONValue(Int128.min).canonicalText == "-1.70141183460469231731687303715884105728e+38")
        if case .number(let number) = JSONValue(Int128.min) {
            #expect(number.exactly(Int128.self) == .min)
            #expect(number.exactly(UInt128.self) == nil)
            #expect(number.exactly(Int.self) == nil)
            #expect(number.isIntegral)
        } else {
            Issue.record("it was made an Int64")
        }
    }

    @Test func `strings have the shortest escapes`() {
        let value: JSONValue = "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F} !\"#/\\\u{7F}é\u{2028}😀"
        #expect(value.canonicalText == "\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f !\\\"#/\\\\\u{7F}é\u{2028}😀\"")
    }

    @Test func `members are sorted by the bytes of their names`() throws {
        // The example of RFC 8785, 3.2.3; by UTF-16 code units the smiley would come before U+FB33.
        let value: JSONValue = [
            "\u{20ac}": 1, "\r": 2, "\u{fb33}": 3, "1": 4, "\u{1f600}": 5, "\u{80}": 6, "\u{f6}": 7, "": 8, "ab": 9, "a": 10,
        ]
        #expect(
            value.canonicalText
                == "{\"\":8,\"\\r\":2,\"1\":4,\"a\":10,\"ab\":9,\"\u{80}\":6,\"\u{f6}\":7,\"\u{20ac}\":1,\"\u{fb33}\":3,\"\u{1f600}\":5}"
        )
    }

    @Test func `nothing but the value is written`() {
        let value: JSONValue = [nil, true, false, [], [:], ["b": [1, 2], "a": ""], -5]
        #expect(value.canonicalText == #"[null,true,false,[],{},{"a":"","b":[1,2]},-5]"#)
    }

    @Test func `values are equal by bytes and exact numbers, not by the order of members`() throws {
        #expect(try JSONReader.read(#"{"a":1.0,"b":[2e0]}"#) == JSONReader.read(#"{"b":[2],"a":1}"#))
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
        #expect((["\u{E9}": 1] as JSONValue) != ["e\u{301}": 1])
        #expect(Set([JSONValue.string("\u{E9}"), .string("e\u{301}"), .string("\u{E9}")]).count == 2)
        #expect(try JSONReader.read("18446744073709551615") != JSONReader.read("18446744073709551616"))
    }

    @Test func `an object finds, replaces and removes its members`() {
        var object = JSONObject()
        for name in ["m", "z", "a", "q"] { object[name] = .string(name) }
        #expect(object.members.map(\.name) == ["a", "m", "q", "z"])
        #expect(object.updateValue(1, for: "q") == "q")
        #expect(object["q"] == 1 && object["b"] == nil)
        #expect(object.removeValue(for: "m") == "m" && object.removeValue(for: "m") == nil)
        #expect(object.count == 3 && object.index(of: "z") == 2)
    }

    @Test(arguments: [21, 22, 23, 24, 25] as [UInt64])
    func `what is written reads back, and is written alike again`(seed: UInt64) throws {
        var generator = ValueGenerator(seed: seed)
        for round in 0..<200 {
            let value = generator.value()
            let bytes = value.canonicalBytes
            let again = try JSONReader.read(bytes)
            #expect(again == value, "seed \(seed), round \(round)")
            #expect(again.hashValue == value.hashValue, "seed \(seed), round \(round)")
            #expect(again.canonicalBytes == bytes, "seed \(seed), round \(round)")
        }
    }
}
