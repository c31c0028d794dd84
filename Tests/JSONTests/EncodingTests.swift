import JSON
import Testing

private func text(_ value: any Encodable) throws -> String {
    String(decoding: try JSONEncoding.encode(value), as: UTF8.self)
}

@Suite struct EncodingTests {
    struct Order: Codable, Hashable {
        enum Status: String, Codable {
            case open, paid
        }

        struct Line: Codable, Hashable {
            var title: String
            var price: Int64
            var rating: Double?
        }

        var zone: Int8
        var status: Status
        var lines: [Line]
        var notes: [String: String]
        var account: UInt64
        var gift: Bool?
    }

    static let order = Order(
        zone: -3, status: .paid, lines: [.init(title: "Dune \"1\"", price: 1999, rating: 4.5), .init(title: "é", price: 0)],
        notes: ["zebra": "z", "apple": "a", "\n": "c"], account: .max)

    @Test func `a value becomes canonical text`() throws {
        let wanted =
            #"{"account":18446744073709551615,"lines":[{"price":1999,"rating":4.5,"title":"Dune \"1\""},{"price":0,"title":"é"}],"#
            + #""notes":{"\n":"c","apple":"a","zebra":"z"},"status":"paid","zone":-3}"#
        #expect(try text(Self.order) == wanted)
        #expect(try JSONEncoding.encodeValue(Self.order).canonicalText == wanted)
        #expect(try JSONReader.read(JSONEncoding.encode(Self.order)).canonicalText == wanted)
    }

    @Test func `scalars, and every width of integer`() throws {
        #expect(try text(Int8.min) == "-128")
        #expect(try text([Int16.min, .max]) == "[-32768,32767]")
        #expect(try text(UInt64.max) == "18446744073709551615")
        #expect(try text(Int64.min) == "-9223372036854775808")
        #expect(try text([UInt128.max]) == "[3.40282366920938463463374607431768211455e+38]")
        #expect(try text("a/b\u{1}") == #""a/b\u0001""#)
        #expect(try text(true) == "true")
        #expect(try text(Int?.none) == "null")
        #expect(try text([1, nil, 3] as [Int?]) == "[1,null,3]")
        #expect(try text(0.1 as Float) == "0.1")
        #expect(try text(2.5e10) == "25000000000")
        #expect(try text([String]()) == "[]")
        #expect(try text([String: Int]()) == "{}")
        #expect(try text([[1], [], nil] as [[Int]?]) == "[[1],[],null]")
    }

    @Test func `a value that writes nothing is an empty object`() throws {
        struct Nothing: Encodable {
            func encode(to encoder: any Encoder) {}
        }
        #expect(try text(Nothing()) == "{}")
        #expect(try text([Nothing(), Nothing()]) == "[{},{}]")
    }

    @Test func `enumerations with associated values`() throws {
        enum Payment: Codable, Equatable {
            case card(number: String, year: Int)
            case cash
            case voucher(Int)
        }
        for (payment, wanted) in [
            (Payment.card(number: "1", year: 2), #"{"card":{"number":"1","year":2}}"#), (.cash, #"{"cash":{}}"#),
            (.voucher(3), #"{"voucher":{"_0":3}}"#),
        ] {
            let value = try JSONEncoding.encodeValue(payment)
            #expect(value.canonicalText == wanted)
            #expect(try JSONDecoding.decode(Payment.self, from: value) == payment)
        }
    }

    @Test func `sets and dictionaries have one order`() throws {
        struct Key: Hashable, Codable {
            var id: Int
        }
        struct State: Codable {
            var ids: Set<String>?
            var counts: [Key: Int]
        }
        let ids = (0..<50).map { "id\($0)" }
        let state = State(ids: Set(ids), counts: [Key(id: 2): 1, Key(id: 10): 5, Key(id: 1): 7])
        let sorted = ids.sorted().map { "\"\($0)\"" }.joined(separator: ",")
        #expect(try text(state) == #"{"counts":[{"id":10},5,{"id":1},7,{"id":2},1],"ids":[\#(sorted)]}"#)
        #expect(try text(Set(["b", "a,]", "a"])) == #"["a","a,]","b"]"#)
        #expect(try text([Set<Int>()]) == "[[]]")
    }

    @Test func `containers may be filled late and out of turn`() throws {
        struct Late: Encodable {
            enum Key: String, CodingKey {
                case zero, a, b, list
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var nested = container.nestedContainer(keyedBy: Key.self, forKey: .zero)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                try container.encode(1, forKey: .b)
                try nested.encode("late", forKey: .zero)
                try list.encode(1)
                try list.encode([2])
                var inner = list.nestedContainer(keyedBy: Key.self)
                try list.encode(3)
                try inner.encode(true, forKey: .b)
                try nested.encode("later", forKey: .a)
                let other = container.superEncoder(forKey: .a)
                try container.encode([4, 5], forKey: .b)
                try "super".encode(to: other)
                let unnamed = container.superEncoder()
                var values = unnamed.unkeyedContainer()
                try values.encodeNil()
            }
        }
        #expect(
            try text([Late()])
                == #"[{"a":"super","b":[4,5],"list":[1,[2],{"b":true},3],"super":[null],"zero":{"a":"later","zero":"late"}}]"#)
    }

    @Test func `a class and its superclass share an object`() throws {
        class Base: Encodable {
            let z = 1
        }
        final class Derived: Base {
            let a = 2
            private enum CodingKeys: CodingKey {
                case a
            }
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(a, forKey: .a)
            }
        }
        #expect(try text(Derived()) == #"{"a":2,"z":1}"#)
    }

    @Test func `the closure form writes what a model hands out`() throws {
        let bytes = try JSONEncoding.encode { encoder in try Self.order.encode(to: encoder) }
        #expect(bytes == (try JSONEncoding.encode(Self.order)))
        #expect(try JSONEncoding.encodeValue { encoder in try [1, 2].encode(to: encoder) } == [1, 2])
    }

    @Test func `text is appended, and not on a fault`() throws {
        var bytes = Array("x".utf8)
        try JSONEncoding.append([1], to: &bytes)
        #expect(throws: JSONFault.self) { try JSONEncoding.append([Double.nan], to: &bytes) }
        #expect(String(decoding: bytes, as: UTF8.self) == "x[1]")
    }

    @Test func `JSON values encode themselves as they are`() throws {
        let value: JSONValue = ["b": [1, nil], "a": ["x": true]]
        #expect(try text(["value": value]) == #"{"value":{"a":{"x":true},"b":[1,null]}}"#)
        #expect(try JSONDecoding.decode([String: JSONValue].self, from: ["v": value]) == ["v": value])
    }

    @Test func `a number that is none is refused in its place`() {
        let fault = #expect(throws: JSONFault.self) { try JSONEncoding.encode(["a": [["b/": 1.0], ["b/": Double.infinity]]]) }
        #expect(fault?.kind == .notEncodable)
        #expect(fault?.pointer.text == "/a/1/b~1")
    }

    @Test func `a member whose value failed may be left out`() throws {
        struct Careful: Encodable {
            enum Key: CodingKey {
                case a, b, c
            }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(1, forKey: .a)
                try? container.encode(Double.nan, forKey: .b)
                try? container.encode([["x": Double.nan]], forKey: .b)
                try container.encode(2, forKey: .c)
                var list = container.nestedUnkeyedContainer(forKey: .b)
                try? list.encode(Double.nan)
                try? list.encode([Double.nan])
                try list.encode(3)
            }
        }
        #expect(try text(Careful()) == #"{"a":1,"b":[3],"c":2}"#)
    }

    @Test func `broken rules are faults, not broken text`() {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(1)
                try container.encode(2)
            }
        }
        struct Mixed: Encodable {
            func encode(to encoder: any Encoder) throws {
                _ = encoder.container(keyedBy: EncodingTests.Key.self)
                _ = encoder.unkeyedContainer()
            }
        }
        struct Refusing: Encodable {
            struct Trouble: Error {}
            func encode(to encoder: any Encoder) throws { throw Trouble() }
        }
        for (value, kind) in [
            ([Twice()] as any Encodable, JSONFault.Kind.notEncodable), ([Mixed()], .notEncodable), ([Refusing()], .invalidValue),
        ] {
            let fault = #expect(throws: JSONFault.self) { try JSONEncoding.encode(value) }
            #expect(fault?.kind == kind)
            #expect(fault?.pointer.text == "/0")
        }
    }

    private enum Key: CodingKey {
        case a
    }

    @Test func `values nested without end are refused`() {
        final class Loop: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(self)
            }
        }
        let fault = #expect(throws: JSONFault.self) { try JSONEncoding.encode(Loop()) }
        #expect(fault?.kind == .tooDeep)
    }

    @Test(arguments: [51, 52, 53] as [UInt64])
    func `encoding agrees with the writer on generated values`(seed: UInt64) throws {
        /// Encodes a value by way of the standard containers, members in no order.
        struct Plain: Encodable {
            let value: JSONValue
            func encode(to encoder: any Encoder) throws {
                switch value {
                case .array(let elements): try elements.map(Plain.init).encode(to: encoder)
                case .object(let object):
                    var members: [String: Plain] = [:]
                    for member in object.members { members[member.name] = Plain(value: member.value) }
                    try members.encode(to: encoder)
                default: try value.encode(to: encoder)
                }
            }
        }
        var generator = ValueGenerator(seed: seed)
        for round in 0..<100 {
            let value = generator.value()
            // `Dictionary` takes two spellings of a letter for one name, so such an object cannot pass through it.
            guard Self.hasDistinctNames(value) else { continue }
            #expect(try JSONEncoding.encode(Plain(value: value)) == value.canonicalBytes, "seed \(seed), round \(round)")
        }
    }

    private static func hasDistinctNames(_ value: JSONValue) -> Bool {
        switch value {
        case .array(let elements): elements.allSatisfy(hasDistinctNames)
        case .object(let object):
            Set(object.members.map(\.name)).count == object.count && object.members.allSatisfy { hasDistinctNames($0.value) }
        default: true
        }
    }
}
