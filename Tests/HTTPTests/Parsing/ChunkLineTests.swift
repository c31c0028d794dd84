import Testing

@testable import HTTP

@Suite struct `The line before a chunk` {
    private func read(_ text: String) throws(ParseFault) -> ChunkLine {
        let bytes = Array(text.utf8)
        return try ChunkLine(bytes.span, 0..<bytes.count)
    }

    @Test(arguments: [
        ("0", 0), ("000", 0), ("1", 1), ("a", 10), ("A", 10), ("00fF", 255), ("7FFFFFFFFFFFFFFF", Int.max),
        ("0000000000000000010", 16),
    ]) func `a size is hexadecimal`(_ text: String, _ size: Int) throws {
        let line = try read(text)
        #expect(line.size == size && line.extensionBytes == 0)
    }

    /// Each would wrap to a small or negative number if it were let through.
    @Test(arguments: [
        "8000000000000000", "8000000000000002", "FFFFFFFFFFFFFFFF", "10000000000000000", "10000000000000002", "18000000000000000",
        "100000000000000000000000000000002",
    ]) func `a size beyond 63 bits is refused`(_ text: String) {
        #expect(throws: ParseFault.chunkSize) { try read(text) }
        // Nor does it get through where what follows would fit a size of zero or below.
        #expect(Replay(chunked("\(text)\r\n\r\n0\r\n\r\n")).fault == 400)
        #expect(Replay(chunked("\(text)\r\n0\r\n\r\n")).fault == 400)
    }

    @Test(arguments: ["", " 1", "g", "-1", "+1", "0x1", "1x", "1:", "1,", "1_0", "\u{E9}"])
    func `a size is nothing else`(_ text: String) {
        #expect(throws: ParseFault.chunkSize) { try read(text) }
    }

    @Test(arguments: [
        ";a", ";a=b", ";a=\"\"", ";a=\"b;c\"", ";a=\"\\\"\"", ";a;b", ";a=b;c=\"d\"", " ;a", "\t; a\t=\tb ; c", ";a=\"\u{E9}\"",
    ]) func `extensions are counted and ignored`(_ text: String) throws {
        let line = try read("1f\(text)")
        #expect(line.size == 31 && line.extensionBytes == text.utf8.count)
    }

    @Test(arguments: [
        " ", ";", "; ", ";;a", ";a;", ";=b", ";a=", ";a= ", ";a b", ";a=b c", ";a=\"b", ";a=\"b\\", ";a=\"b\\\"", ";a=\"b\"c",
        ";(a)",
        ";a=(b)", ";a =", " a", ";a ",
    ]) func `malformed extensions are refused`(_ text: String) {
        #expect(throws: ParseFault.chunkExtension) { try read("1f\(text)") }
    }
}
