import JSON
import Testing

private func fault<Value: Decodable>(
    _: Value.Type, _ text: String, _ unknown: JSONDecoding.UnknownMembers = .refuse, at place: JSONPointer = .root
) -> JSONFault? {
    #expect(throws: JSONFault.self) {
        _ = try JSONDecoding.decode(Value.self, from: JSONReader.read(text), unknownMembers: unknown, at: place)
    }
}

private func decoded<Value: Decodable>(_: Value.Type, _ text: String) throws -> Value {
    try JSONDecoding.decode(Value.self, from: JSONReader.read(text))
}

@Suite struct DecodingTests {
    struct Item: Codable, Equatable {
        var productID: String
        var quantity: Int8
        var note: String?
    }

    struct Cart: Codable, Equatable {
        var items: [Item]
        var tags: [String: Int]?
    }

    @Test func `what was encoded is decoded`() throws {
        let value = try JSONEncoding.encodeValue(EncodingTests.order)
        #expect(try JSONDecoding.decode(EncodingTests.Order.self, from: value) == EncodingTests.order)
        #expect(try JSONDecoding.decode(EncodingTests.Order.self, from: value.canonicalBytes) == EncodingTests.order)
    }

    @Test func `an integer is an integer however it is spelled`() throws {
        #expect(
            try decoded([Int].self, "[1.0,1e2,-0,0.5e1,9223372036854775807,-9223372036854775808]") == [1, 100, 0, 5, .max, .min])
        #expect(try decoded(Int.self, "9007199254740993") == 9_007_199_254_740_993)
        #expect(try decoded([UInt64].self, "[18446744073709551615,1.8446744073709551615e19]") == [.max, .max])
        #expect(try decoded(Int128.self, "-170141183460469231731687303715884105728") == .min)
        #expect(try decoded([UInt8].self, "[0,255]") == [0, 255])
    }

    @Test(
        arguments: [
            ("1.5", .wrongType), ("1e-1", .wrongType), ("128", .outOfRange), ("-129", .outOfRange), ("1e300", .outOfRange),
            ("\"1\"", .wrongType),
            ("true", .wrongType), ("null", .wrongType), ("[]", .wrongType), ("18446744073709551616", .outOfRange),
        ] as [(String, JSONFault.Kind)])
    func `what is no such integer is refused`(text: String, kind: JSONFault.Kind) {
        let fault = fault([String: [Int8]].self, "{\"a~\":[1,\(text)]}")
        #expect(fault?.kind == kind)
        #expect(fault?.pointer.text == "/a~0/1")
    }

    @Test func `floating point takes the nearest`() throws {
        #expect(
            try decoded([Double].self, "[0,0.1,1e300,9007199254740993,18446744073709551615]") == [
                0, 0.1, 1e300, 9_007_199_254_740_992, 18_446_744_073_709_551_616,
            ])
        #expect(try decoded(Float.self, "0.1") == 0.1)
        #expect(fault(Float.self, "1e39")?.kind == .outOfRange)
        #expect(fault(Double.self, "\"0\"")?.kind == .wrongType)
    }

    @Test(
        arguments: [
            (#"{"items":[{"quantity":1}]}"#, .missingMember, "/items/0/productID", "The member \"productID\" is missing."),
            (#"{}"#, .missingMember, "/items", "The member \"items\" is missing."),
            (#"{"items":{}}"#, .wrongType, "/items", "Expected an array, found an object."),
            (#"[]"#, .wrongType, "", "Expected an object, found an array."),
            (#"{"items":[7]}"#, .wrongType, "/items/0", "Expected an object, found an integer."),
            (
                #"{"items":[{"productID":"secret","quantity":"secret"}]}"#, .wrongType, "/items/0/quantity",
                "Expected an integer, found a string."
            ),
            (
                #"{"items":[{"productID":"a","quantity":300}]}"#, .outOfRange, "/items/0/quantity",
                "300 is out of range; the least is -128, the greatest 127."
            ),
            (#"{"items":[],"tags":{"a":null}}"#, .wrongType, "/tags/a", "Expected an integer, found null."),
            (#"{"items":[],"Items":[]}"#, .unknownMember, "/Items", "The member \"Items\" is unknown; did you mean \"items\"?"),
            (
                #"{"items":[{"productID":"a","quantity":1,"quantitty":1}]}"#, .unknownMember, "/items/0/quantitty",
                "The member \"quantitty\" is unknown; did you mean \"quantity\"?"
            ),
            (
                #"{"items":[{"productID":"a","quantity":1,"colour":1}]}"#, .unknownMember, "/items/0/colour",
                "The member \"colour\" is unknown; known are \"note\", \"productID\", \"quantity\"."
            ),
        ] as [(String, JSONFault.Kind, String, String)])
    func `a fault says where and how to mend it`(text: String, kind: JSONFault.Kind, pointer: String, detail: String) {
        let fault = fault(Cart.self, text)
        #expect(fault?.kind == kind)
        #expect(fault?.pointer.text == pointer)
        #expect(fault?.detail == detail)
        #expect(fault?.kind.isMalformedText == false)
    }

    @Test func `unknown members can be ignored`() throws {
        let value: JSONValue = ["items": [["productID": "a", "quantity": 1, "x": 1]], "y": [:]]
        #expect(try JSONDecoding.decode(Cart.self, from: value, unknownMembers: .ignore).items.count == 1)
    }

    @Test func `a fault's pointer starts at the place that was given`() {
        #expect(fault(Cart.self, #"{"items":[0]}"#, at: JSONPointer(["payload"]))?.pointer.text == "/payload/items/0")
        #expect(fault(Cart.self, #"{"items":[],"z":0}"#, at: JSONPointer(["payload"]))?.pointer.text == "/payload/z")
        #expect(fault(Int.self, "[]", at: JSONPointer(["payload"]))?.pointer.text == "/payload")
    }

    @Test func `a type without members refuses any`() throws {
        struct Nothing: Codable {
            private enum CodingKeys: CodingKey {}
            init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: CodingKeys.self) }
        }
        struct Indifferent: Decodable {
            init(from decoder: any Decoder) throws {}
        }
        _ = try decoded(Nothing.self, "{}")
        #expect(fault(Nothing.self, #"{"a":1}"#)?.kind == .unknownMember)
        #expect(fault(Nothing.self, "[]")?.kind == .wrongType)
        #expect(fault([Indifferent].self, #"[{"a":1}]"#)?.pointer.text == "/0/a")
    }

    @Test func `nested containers, superclasses and wrappers each know a part`() throws {
        class Base: Decodable {
            let base: Int
        }
        final class Derived: Base {
            enum Key: String, CodingKey {
                case own, nested, list, deep, inner
            }
            let sum: Int
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                var sum = try container.decode(Int.self, forKey: .own)
                let nested = try container.nestedContainer(keyedBy: Key.self, forKey: .nested)
                sum += try nested.decode(Int.self, forKey: .deep)
                var list = try container.nestedUnkeyedContainer(forKey: .list)
                while !list.isAtEnd {
                    let element = try list.nestedContainer(keyedBy: Key.self)
                    sum += try element.decodeIfPresent(Int.self, forKey: .inner) ?? 0
                }
                self.sum = sum
                try super.init(from: decoder)
            }
        }
        struct Wrapper: Decodable {
            let value: Derived
            init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Derived.self) }
        }
        let good = #"{"base":1,"own":2,"nested":{"deep":3},"list":[{"inner":4},{}]}"#
        #expect(try decoded(Wrapper.self, good).value.sum == 9)
        for (text, pointer) in [
            (#"{"base":1,"own":2,"nested":{"deep":3,"dep":1},"list":[]}"#, "/nested/dep"),
            (#"{"base":1,"own":2,"nested":{"deep":3},"list":[{},{"iner":1}]}"#, "/list/1/iner"),
            (#"{"base":1,"own":2,"nested":{"deep":3},"list":[],"bas":1}"#, "/bas"),
        ] {
            let fault = fault(Wrapper.self, text)
            #expect(fault?.kind == .unknownMember)
            #expect(fault?.pointer.text == pointer)
        }
    }

    @Test func `optionals, nulls and absent members`() throws {
        struct Sparse: Codable, Equatable {
            var a: Int?
            var b: [Int?]
            var c: [String: Item?]?
        }
        #expect(try decoded(Sparse.self, #"{"a":null,"b":[1,null]}"#) == Sparse(a: nil, b: [1, nil], c: nil))
        #expect(try decoded(Sparse.self, #"{"b":[],"c":{"x":null}}"#) == Sparse(a: nil, b: [], c: ["x": nil]))
        #expect(fault(Sparse.self, #"{"b":[],"c":{"x":{"productID":"a","quantity":1,"y":0}}}"#)?.pointer.text == "/c/x/y")
    }

    @Test func `dictionaries, sets and arrays of arrays`() throws {
        #expect(try decoded([String: [Int]].self, #"{"b":[1],"a":[]}"#) == ["a": [], "b": [1]])
        #expect(try decoded([Int: String].self, #"{"10":"x","9":"y"}"#) == [10: "x", 9: "y"])
        #expect(try decoded(Set<String>.self, #"["a","b","a"]"#) == ["a", "b"])
        #expect(try decoded([[Bool]].self, "[[true],[],[false]]") == [[true], [], [false]])
    }

    @Test func `an enumeration's unknown case is named by its place`() {
        let fault = fault([EncodingTests.Order.Status].self, #"["open","lost"]"#)
        #expect(fault?.kind == .invalidValue)
        #expect(fault?.pointer.text == "/1")
    }

    @Test func `a type may try one form and then another`() throws {
        enum Either: Decodable, Equatable {
            case number(Int)
            case text(String)
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                do {
                    self = .number(try container.decode(Int.self))
                } catch is DecodingError {
                    self = .text(try container.decode(String.self))
                }
            }
        }
        #expect(try decoded([Either].self, #"[1,"a"]"#) == [.number(1), .text("a")])
        #expect(fault([Either].self, "[1,null]")?.pointer.text == "/1")
    }

    @Test func `an array's element that failed can be tried again`() throws {
        struct Lenient: Decodable {
            var numbers: [Int] = []
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                while !container.isAtEnd {
                    if let number = try? container.decode(Int.self) {
                        numbers.append(number)
                    } else {
                        _ = try container.decode(JSONValue.self)
                    }
                }
            }
        }
        #expect(try decoded(Lenient.self, #"[1,"x",{"a":2},3]"#).numbers == [1, 3])
    }

    @Test func `a short array says so`() {
        struct Pair: Decodable {
            init(from decoder: any Decoder) throws {
                var container = try decoder.unkeyedContainer()
                for _ in 0..<2 { _ = try container.decode(Int.self) }
            }
        }
        let fault = fault(Pair.self, "[1]")
        #expect(fault?.kind == .missingMember)
        #expect(fault?.pointer.text == "/1")
    }

    @Test func `the closure form hands out a decoder and refuses what is left over`() throws {
        let value: JSONValue = ["productID": "a", "quantity": 2]
        let item = try JSONDecoding.withDecoder(value) { decoder in try Item(from: decoder) }
        #expect(item.quantity == 2)
        let fault = #expect(throws: JSONFault.self) {
            try JSONDecoding.withDecoder(["x": 1], at: JSONPointer(["payload"])) { decoder in
                _ = try decoder.container(keyedBy: Never?.Key.self)
            }
        }
        #expect(fault?.pointer.text == "/payload/x")
    }

    @Test func `an error of the type's own is a fault of its place`() {
        struct Trouble: Error {}
        let fault = #expect(throws: JSONFault.self) {
            try JSONDecoding.withDecoder(1, at: JSONPointer(["payload"])) { _ in throw Trouble() }
        }
        #expect(fault?.kind == .invalidValue)
        #expect(fault?.pointer.text == "/payload")
    }

    @Test(arguments: [
        ("quantiy", "quantity"), ("QUANTITY", "quantity"), ("qunatity", "quantity"), ("prot", "port"), ("zzz", nil), ("", nil),
    ])
    func `the nearest name is found`(word: String, name: String?) {
        #expect(Nearest.name(to: word, among: ["host", "port", "quantity", "database"]) == name)
    }
}

extension Never? {
    fileprivate enum Key: CodingKey {}
}
