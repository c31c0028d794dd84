import Identity
import Sodium
import Testing

@Suite struct TokenTests {
    private let mint = TokenMint(secret: [UInt8](repeating: 7, count: 32))

    @Test(arguments: [1, 255, 256, 1 << 40, Int64.max])
    func `a token is recognised and names its account`(account: Int64) throws {
        let token = mint.mint(account: account)
        #expect(token.text.utf8.count == TokenMint.textBytes)
        let parsed = try #require(mint.parse(token.text))
        #expect(parsed.account == account)
        #expect(parsed.hash == token.hash)
        #expect(token.hash.bytes.count == 32)
        #expect(TokenHash(bytes: token.hash.bytes) == token.hash)
    }

    @Test func `two tokens of one account differ`() {
        let tokens = (0..<100).map { _ in mint.mint(account: 1) }
        #expect(Set(tokens.map(\.text)).count == 100)
        #expect(Set(tokens.map(\.hash)).count == 100)
    }

    @Test func `a token with any bit changed is junk`() throws {
        let token = mint.mint(account: 5)
        let bytes = try #require(Base64URL.decode(token.text))
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(mint.parse(Base64URL.text(changed)) == nil, "bit \(bit)")
        }
    }

    @Test func `text of another form is junk`() {
        let text = mint.mint(account: 5).text
        for junk in [
            "", "a", String(text.dropLast()), text + "A", text + "==", " " + text, String(text.dropLast()) + "=",
            String(repeating: "é", count: 38),
        ] {
            #expect(mint.parse(junk) == nil)
        }
    }

    @Test func `another secret's token is junk, the same secret's is not`() {
        let token = mint.mint(account: 5).text
        #expect(TokenMint(secret: [UInt8](repeating: 8, count: 32)).parse(token) == nil)
        #expect(TokenMint(secret: [UInt8](repeating: 7, count: 32)).parse(token)?.account == 5)
        #expect(TokenMint.newSecret().count == TokenMint.secretBytes)
    }

    @Test func `a ticket is no session`() {
        let ticket = mint.mint(account: 5, kind: .ticket).text
        #expect(mint.parse(ticket) == nil)
        #expect(mint.parse(ticket, kind: .ticket)?.account == 5)
        #expect(mint.parse(mint.mint(account: 5).text, kind: .ticket) == nil)
    }

    @Test func `a stored hash has 32 bytes`() {
        #expect(TokenHash(bytes: []) == nil)
        #expect(TokenHash(bytes: [UInt8](repeating: 0, count: 33)) == nil)
        var bytes = [UInt8](repeating: 0, count: 32)
        let zero = TokenHash(bytes: bytes)
        for index in bytes.indices {
            bytes[index] = 1
            #expect(TokenHash(bytes: bytes) != zero)
            bytes[index] = 0
        }
    }

    @Test(
        arguments: [
            ("Bearer abc", .token(7..<10)), ("bearer abc", .token(7..<10)), ("BEARER   abc", .token(9..<12)),
            ("Bearer a-._~+/9==", .token(7..<17)),
            (" \tBearer abc\t ", .token(9..<12)), ("Basic dXNlcjpwYXNz", .none), ("Digest username=\"a\", realm=\"b\"", .none),
            ("Bearerx abc", .none),
            ("Negotiate", .none), ("", .malformed), ("  ", .malformed), ("Bearer", .malformed), ("Bearer ", .malformed),
            ("Bearer a b", .malformed),
            ("Bearer a, Bearer b", .malformed), ("Bearer a,b", .malformed), ("Bearer =", .malformed), ("Bearer a=b", .malformed),
            ("Bearer\tabc", .malformed),
            ("Bearer \"abc\"", .malformed), ("Bearer é", .malformed), ("Bearer,abc", .malformed), ("Bearer:abc", .malformed),
            ("@ abc", .malformed),
            ("Bearer realm=\"x\"", .malformed), ("Bearer abc\0", .malformed),
        ] as [(String, BearerCredentials)])
    func `credentials are read by their grammar`(value: String, wanted: BearerCredentials) {
        let bytes = Array(value.utf8)
        #expect(BearerCredentials.parse(bytes) == wanted)
        let fromMemory = unsafe bytes.withUnsafeBytes { unsafe BearerCredentials.parse($0) }
        #expect(fromMemory == wanted)
    }

    @Test func `a token passes through its header field`() {
        let token = mint.mint(account: 9)
        let value = Array("Bearer \(token.text)".utf8)
        guard case .token(let range) = BearerCredentials.parse(value) else {
            Issue.record("no token was found")
            return
        }
        #expect(mint.parse(value.span.extracting(range))?.hash == token.hash)
        let fromMemory = unsafe value.withUnsafeBytes { unsafe mint.parse(UnsafeRawBufferPointer(rebasing: $0[range])) }
        #expect(fromMemory?.account == 9)
    }
}
