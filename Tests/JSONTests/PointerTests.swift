import JSON
import Testing

@Suite struct PointerTests {
    /// The document of RFC 6901, section 5.
    static let document: JSONValue = [
        "foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
    ]

    @Test(
        arguments: [
            ("/foo", "#/foo", ["bar", "baz"]), ("/foo/0", "#/foo/0", "bar"), ("/", "#/", 0), ("/a~1b", "#/a~1b", 1),
            ("/c%d", "#/c%25d", 2),
            ("/e^f", "#/e%5Ef", 3), ("/g|h", "#/g%7Ch", 4), ("/i\\j", "#/i%5Cj", 5), ("/k\"l", "#/k%22l", 6), ("/ ", "#/%20", 7),
            ("/m~0n", "#/m~0n", 8),
        ] as [(String, String, JSONValue)])
    func `the examples of RFC 6901`(text: String, fragment: String, value: JSONValue) throws {
        let pointer = try JSONPointer(parsing: text)
        #expect(pointer.value(in: Self.document) == value)
        #expect(pointer.text == text)
        #expect(pointer.fragment == fragment)
        #expect(try JSONPointer(parsingFragment: fragment) == pointer)
        #expect(try JSONPointer(parsingFragment: String(fragment.dropFirst())) == pointer)
    }

    @Test func `the empty pointer is the whole value`() throws {
        #expect(try JSONPointer(parsing: "").value(in: Self.document) == Self.document)
        #expect(try JSONPointer(parsingFragment: "#") == .root)
        #expect(JSONPointer.root.fragment == "#")
    }

    @Test(arguments: [
        "/foo/2", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/-1", "/foo/ 1", "/foo/1e0", "/foo/", "/foo/bar", "/nope", "//",
        "/ /0", "/foo/0/x", "/foo/99999999999999999999", "/foo/\u{661}",
    ])
    func `where there is nothing there is no value`(text: String) throws {
        #expect(try JSONPointer(parsing: text).value(in: Self.document) == nil)
    }

    @Test(arguments: [("foo", 0), ("#/foo", 0), ("/a~", 2), ("/~2", 1), ("/a~a/b", 2), ("/ok/~", 4)])
    func `a malformed pointer is refused where it goes wrong`(text: String, offset: Int) {
        let fault = #expect(throws: JSONFault.self) { try JSONPointer(parsing: text) }
        #expect(fault?.kind == .invalidPointer)
        #expect(fault?.offset == offset)
    }

    @Test(arguments: ["#/%", "#/%4", "#/%zz", "#/%ff", "#a", "#/~5", "/%C3"])
    func `a malformed fragment is refused`(text: String) {
        #expect(throws: JSONFault.self) { try JSONPointer(parsingFragment: text) }
    }

    @Test func `escapes are undone once`() throws {
        #expect(try JSONPointer(parsing: "/~01").tokens == ["~1"])
        #expect(JSONPointer(["~1", "a/b~"]).text == "/~01/a~1b~0")
        #expect(JSONPointer(["é ü"]).fragment == "#/%C3%A9%20%C3%BC")
        #expect(try JSONPointer(parsing: "/é") != JSONPointer(parsing: "/e\u{301}"))
    }

    @Test(arguments: [31, 32] as [UInt64])
    func `every pointer reads back from both forms`(seed: UInt64) throws {
        var generator = ValueGenerator(seed: seed)
        for round in 0..<100 {
            let pointer = JSONPointer((0..<(round % 5)).map { _ in generator.text() })
            #expect(try JSONPointer(parsing: pointer.text) == pointer, "seed \(seed), round \(round)")
            #expect(try JSONPointer(parsingFragment: pointer.fragment) == pointer, "seed \(seed), round \(round)")
        }
    }
}
