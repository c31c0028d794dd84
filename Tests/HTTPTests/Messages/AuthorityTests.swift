import Testing

@testable import HTTP

@Suite struct `A host and its port` {
    private func isValid(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return Authority.isValid(bytes.span, 0..<bytes.count)
    }

    @Test(arguments: [
        "a", "a.b", "localhost:", "localhost:0", "localhost:65535", "localhost:00080", "127.0.0.1", "999.1.1.1:1", "a%2Db",
        "[::]", "[::1]", "[1::]", "[1:2:3:4:5:6:7:8]", "[::2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7::]", "[1::8]:8080", "[a:B:c::]",
        "[::1.2.3.4]", "[::ffff:255.255.255.255]", "[1:2:3:4:5:6:1.2.3.4]", "[1::1.2.3.4]", "[vF.a:b]", "[v1.-]",
    ]) func `valid`(_ text: String) {
        #expect(isValid(text))
    }

    @Test(arguments: [
        "", ":", ":80", "a:b", "a:65536", "a:-1", "a:1:2", "a@b", "a/b", "a?b", "a#b", "a b", "a%", "a%2", "a%2g", "[", "[]",
        "[]:1",
        "[:]", "[:1]", "[1:]", "[1]", "[:::]", "[1::2::3]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[1:2:3:4:5:6:7:8::]",
        "[::1:2:3:4:5:6:7:8]", "[12345::]", "[g::]", "[::1", "::1", "[::1]a", "[::1]:a", "[::1.2.3]", "[::1.2.3.4.5]",
        "[::1.2.3.256]",
        "[::01.2.3.4]", "[::1.2.3.4:5]", "[1:2:3:4:5:6:7:1.2.3.4]", "[1.2.3.4]", "[::1.2.3.]", "[v.a]", "[vg.a]", "[v1.]", "[v1]",
        "[v1.[]", "[::%25a]", "é", "a\\b", "a\"b", "[:1::]",
    ]) func `invalid`(_ text: String) {
        #expect(!isValid(text))
    }
}
