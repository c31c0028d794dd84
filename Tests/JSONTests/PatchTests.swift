import JSON
import Testing

@Suite struct PatchTests {
    private static func apply(_ patch: String, to document: String) throws -> String {
        try JSONPatch(JSONReader.read(patch)).apply(to: JSONReader.read(document)).canonicalText
    }

    private static func fault(_ patch: String, on document: String) -> JSONFault? {
        #expect(throws: JSONFault.self) { try apply(patch, to: document) }
    }

    /// RFC 6902, appendix A: document, patch, result.
    @Test(
        arguments: [
            (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#, #"{"baz":"qux","foo":"bar"}"#),
            (#"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#, #"{"foo":["bar","qux","baz"]}"#),
            (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#, #"{"foo":"bar"}"#),
            (#"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#, #"{"foo":["bar","baz"]}"#),
            (#"{"baz":"qux","foo":"bar"}"#, #"[{"op":"replace","path":"/baz","value":"boo"}]"#, #"{"baz":"boo","foo":"bar"}"#),
            (
                #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
                #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
                #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#
            ),
            (
                #"{"foo":["all","grass","cows","eat"]}"#, #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
                #"{"foo":["all","cows","eat","grass"]}"#
            ),
            (
                #"{"baz":"qux","foo":["a",2,"c"]}"#,
                #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
                #"{"baz":"qux","foo":["a",2,"c"]}"#
            ),
            (
                #"{"foo":"bar"}"#, #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
                #"{"child":{"grandchild":{}},"foo":"bar"}"#
            ),
            (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#, #"{"baz":"qux","foo":"bar"}"#),
            (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#, #"{"/":9,"~1":10}"#),
            (#"{"foo":["bar"]}"#, #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#, #"{"foo":["bar",["abc","def"]]}"#),
            // Beyond the appendix.
            (#"{"a":1}"#, #"[{"op":"add","path":"","value":[]}]"#, "[]"),
            (#"{"a":1}"#, #"[{"op":"replace","path":"","value":null}]"#, "null"),
            (#"{"a":1}"#, #"[{"op":"add","path":"/a","value":2}]"#, #"{"a":2}"#),
            (#"{"a":[1]}"#, #"[{"op":"copy","from":"/a","path":"/b"}]"#, #"{"a":[1],"b":[1]}"#),
            (#"{"a":1}"#, #"[{"op":"copy","from":"","path":"/b"}]"#, #"{"a":1,"b":{"a":1}}"#),
            (#"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#, #"{"a":1}"#),
            (#"[1,2]"#, #"[{"op":"add","path":"/2","value":3}]"#, "[1,2,3]"),
            (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":""}]"#, "1"),
            (#"{"a":1}"#, "[]", #"{"a":1}"#), (#"{"a":1.0}"#, #"[{"op":"test","path":"/a","value":1}]"#, #"{"a":1}"#),
        ])
    func `the examples of RFC 6902`(document: String, patch: String, result: String) throws {
        #expect(try Self.apply(patch, to: document) == result)
    }

    @Test(
        arguments: [
            (#"{"baz":"qux"}"#, #"[{"op":"test","path":"/baz","value":"bar"}]"#, .testFailed, "/0"),
            (#"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz/bat","value":"qux"}]"#, .noSuchPlace, "/0"),
            (#"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":"10"}]"#, .testFailed, "/0"),
            ("{}", #"[{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"}]"#, .noSuchPlace, "/1"),
            ("{}", #"[{"op":"replace","path":"/a","value":1}]"#, .noSuchPlace, "/0"),
            ("[1]", #"[{"op":"add","path":"/2","value":1}]"#, .noSuchPlace, "/0"),
            ("[1]", #"[{"op":"remove","path":"/-"}]"#, .noSuchPlace, "/0"),
            ("[1]", #"[{"op":"add","path":"/01","value":1}]"#, .noSuchPlace, "/0"),
            ("[1]", #"[{"op":"replace","path":"/1","value":1}]"#, .noSuchPlace, "/0"),
            ("{}", #"[{"op":"copy","from":"/a","path":"/b"}]"#, .noSuchPlace, "/0"),
            (#"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a","path":"/a/b"}]"#, .invalidPatch, "/0"),
            (#"{"a":1}"#, #"[{"op":"move","from":"","path":"/a"}]"#, .invalidPatch, "/0"),
            ("1", #"[{"op":"remove","path":""}]"#, .invalidPatch, "/0"),
            ("1", "{}", .invalidPatch, ""), ("1", "[1]", .invalidPatch, "/0"), ("1", #"[{"path":"/a"}]"#, .invalidPatch, "/0/op"),
            ("1", #"[{"op":"merge","path":"/a"}]"#, .invalidPatch, "/0/op"),
            ("1", #"[{"op":"add","path":"/a"}]"#, .invalidPatch, "/0/value"),
            ("1", #"[{"op":"copy","path":"/a"}]"#, .invalidPatch, "/0/from"),
            ("1", #"[{"op":"remove","path":"a"}]"#, .invalidPointer, "/0/path"),
        ] as [(String, String, JSONFault.Kind, String)])
    func `a patch that cannot be applied is refused with its operation`(
        document: String, patch: String, kind: JSONFault.Kind, pointer: String
    ) {
        let fault = Self.fault(patch, on: document)
        #expect(fault?.kind == kind)
        #expect(fault?.pointer.text == pointer)
    }

    @Test func `copies of copies are bounded`() {
        let doubling = JSONPatch((0..<40).map { .copy(from: .root, to: JSONPointer(["\($0)"])) })
        #expect(throws: JSONFault.self) { try doubling.apply(to: [:]) }
        let widening = JSONPatch(Array(repeating: .copy(from: JSONPointer(["a"]), to: JSONPointer(["a", "-"])), count: 40))
        let fault = #expect(throws: JSONFault.self) { try widening.apply(to: ["a": [1, 2]]) }
        #expect(fault?.kind == .tooManyMembers)
    }

    @Test func `depth is bounded`() {
        var place = JSONPointer.root
        var operations: [JSONPatch.Operation] = []
        for _ in 0..<600 {
            place.tokens.append("a")
            operations.append(.add(place, [:]))
        }
        let fault = #expect(throws: JSONFault.self) { try JSONPatch(operations).apply(to: [:]) }
        #expect(fault?.kind == .tooDeep)
    }

    @Test(
        arguments: [
            (#"{"a":1}"#, #"{"a":1}"#, "[]"), (#"{"a":1,"b":2}"#, #"{"b":3,"c":4}"#, "[-/a /b=3 +/c=4]"),
            ("[1,2,3,4]", "[1,3,4]", "[-/1]"), ("[1,2,3]", "[1,2,9,3]", "[+/2=9]"), ("[1,2,3,4,5]", "[1,3,5]", "[-/1 -/2]"),
            (#"[{"id":1,"n":1},{"id":2,"n":1}]"#, #"[{"id":1,"n":1},{"id":2,"n":5}]"#, "[/1/n=5]"), ("1", "[]", "[=[]]"),
            (#"{"a":{"b":[0]}}"#, #"{"a":{"b":[]}}"#, "[-/a/b/0]"), (#"{"a/b":{"~":1}}"#, #"{"a/b":{"~":2}}"#, "[/a~1b/~0=2]"),
            ("[]", "[1,2]", "[+/0=1 +/1=2]"),
        ])
    func `a difference says what changed and no more`(old: String, new: String, wanted: String) throws {
        let patch = JSONPatch.difference(from: try JSONReader.read(old), to: try JSONReader.read(new))
        let shown = patch.operations.map { operation in
            switch operation {
            case .add(let place, let value): "+\(place)=\(value)"
            case .remove(let place): "-\(place)"
            case .replace(let place, let value): "\(place)=\(value)"
            default: "unexpected"
            }
        }
        #expect("[\(shown.joined(separator: " "))]" == wanted)
    }

    @Test(arguments: [41, 42, 43, 44] as [UInt64])
    func `applying a difference gives the new value`(seed: UInt64) throws {
        var generator = ValueGenerator(seed: seed)
        for round in 0..<150 {
            let old = generator.value()
            let new = Bool.random(using: &generator.numbers) ? generator.variation(of: old) : generator.value()
            let patch = JSONPatch.difference(from: old, to: new)
            #expect(try patch.apply(to: old) == new, "seed \(seed), round \(round)")
            #expect(patch.operations.isEmpty == (old == new), "seed \(seed), round \(round)")
            #expect(try JSONPatch(JSONReader.read(patch.document.canonicalBytes)) == patch, "seed \(seed), round \(round)")
        }
    }

    @Test func `long arrays that share nothing are compared element by element`() throws {
        let old = JSONValue.array((0..<600).map { .integer($0) })
        let new = JSONValue.array((1000..<1500).map { .integer($0) })
        let patch = JSONPatch.difference(from: old, to: new)
        #expect(patch.operations.count == 600)
        #expect(try patch.apply(to: old) == new)
    }
}
