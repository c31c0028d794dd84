import Testing

@testable import HTTP

@Suite struct `The target` {
    private func target(_ text: String) -> Target? { request(get(text))?.head.target }

    @Test(arguments: [
        ("/", [""]), ("/state", ["state"]), ("/state/", ["state", ""]), ("/state/diff", ["state", "diff"]),
        ("//state", ["", "state"]), ("/a%2Fb/c", ["a/b", "c"]), ("/caf%C3%A9", ["café"]), ("/%73tate", ["state"]),
        ("/a+b", ["a+b"]), ("/a%20b?c", ["a b"]), ("/..", [".."]), ("/%2e%2e/x", ["..", "x"]), ("http://a", [""]),
        ("http://a/b/c?d", ["b", "c"]), ("/a?b/c", ["a"]), ("/%25zz", ["%zz"]),
    ]) func `the path is split first and decoded then`(_ text: String, _ segments: [String]) {
        #expect(target(text)?.segments == segments)
    }

    @Test func `a query is parted into decoded pairs`() throws {
        let parted = try #require(target("/s?a=1&b&&c=x%26y=z&a=+%2B&=v&%C3%A9=%0A"))
        let items = parted.queryItems
        let pairs = items.map { "\($0.name)|\($0.value)" }
        #expect(pairs == ["a|1", "b|", "c|x&y=z", "a| +", "|v", "é|\n"])
        #expect(target("/s?a=1&a=2")?.queryValue("a") == "1")
        #expect(target("/s?ab=1")?.queryValue("a") == nil)
        #expect(target("/s?")?.queryItems.isEmpty == true)
        #expect(target("/s?")?.hasQuery == true && target("/s")?.hasQuery == false)
        #expect(target("/s")?.queryItems.isEmpty == true)
        #expect(target("/s?pointer=/cart/items")?.queryValue("pointer") == "/cart/items")
    }

    @Test func `the raw parts stay as they were sent`() throws {
        let raw = try #require(target("/a%2Fb?c=%20"))
        #expect(raw.raw == "/a%2Fb?c=%20" && raw.path == "/a%2Fb" && raw.rawQuery == "c=%20")
        #expect(raw.form == .origin)
        #expect(raw.pathEquals("/a%2Fb") && !raw.pathEquals("/a/b") && !raw.pathEquals("/a%2F"))
    }

    @Test func `an absolute form is read as its path, and its authority outranks Host`() throws {
        let head = try #require(request(get("http://other.example:81/state?x=1"))).head
        #expect(head.target.form == .absolute && head.target.path == "/state" && head.target.rawQuery == "x=1")
        #expect(head.authority == "other.example:81")
        #expect(head.target.pathEquals("/state"))
        #expect(try #require(request(get("https://a"))).head.target.path == "/")
        #expect(try #require(request(get("https://a?b"))).head.target.rawQuery == "b")
        #expect(request(get())?.head.authority == "localhost")
        #expect(request(get(fields: "", version: "HTTP/1.0"))?.head.authority == .some(nil))
    }

    @Test func `the asterisk is for OPTIONS only`() throws {
        let head = try #require(request("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")).head
        #expect(head.target.form == .asterisk && head.target.path == "*" && head.target.segments.isEmpty)
        #expect(request("OPTIONS http://a HTTP/1.1\r\nHost: a\r\n\r\n")?.head.target.form == .asterisk)
        #expect(request("OPTIONS http://a/ HTTP/1.1\r\nHost: a\r\n\r\n")?.head.target.form == .absolute)
        #expect(target("*") == nil)
    }

    @Test func `only bytes of the URI grammar pass, in the path and in the query`() {
        for byte in UInt8(0x21)...0x7E where byte != 0x25 {
            let text = Array("GET /".utf8) + [byte] + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            #expect((Replay(text).fault == nil) == (ByteSet.path.contains(byte) || byte == 0x3F), "byte \(byte) in the path")
            let query = Array("GET /?".utf8) + [byte] + Array(" HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            #expect((Replay(query).fault == nil) == ByteSet.query.contains(byte), "byte \(byte) in the query")
        }
    }

    @Test(arguments: [
        "/%", "/%4", "/%4g", "/%g4", "/%%", "/%00", "/%0a", "/%0D", "/%1F", "/%7f", "/%C3", "/%C3/%A9", "/%ff", "/%C0%AE",
        "/%ED%A0%80", "/%F4%90%80%80", "/?%00", "/?%", "/?%C3", "/?a=%C3&b=%A9", "/?%C0%80",
    ]) func `escapes that decode to nothing sensible are refused`(_ text: String) {
        #expect(Replay(get(text)).fault == 400)
    }
}
