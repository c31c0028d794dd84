import Sodium
import Testing

private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

@Suite struct SodiumTests {
    @Test func `BLAKE2b gives the known hashes`() {
        // RFC 7693, appendix A.
        #expect(
            hex(Hash.blake2b(Array("abc".utf8), length: 64))
                == "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
        )
        #expect(hex(Hash.blake2b([], length: 32)) == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8")
        // The reference implementation's keyed vectors: key 00…3f, empty and one byte of input.
        let key = (0..<64).map { UInt8($0) }
        #expect(
            hex(Hash.blake2b([], length: 64, key: key))
                == "10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df7aefcbc13fc51568"
        )
        #expect(
            hex(Hash.blake2b([0], length: 64, key: key))
                == "961f6dd1e4dd30f63901690c512e78e4b45e4742ed197c3c5e45c549fd25f2e4187b0bc9fe30492b16b0d0bc4ef9b0f34c7003fac09a5ef1532e69430234cebd"
        )
    }

    @Test(arguments: [0, 1, 63, 127, 128, 129, 1000])
    func `a stream hashes like the whole, however it is cut`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
        for key in [[], Array("0123456789abcdef".utf8)] {
            for piece in [1, 13, 128, 5000] {
                var stream = HashStream(length: 16, key: key)
                var index = 0
                while index < count {
                    stream.update(Array(bytes[index..<min(count, index + piece)]))
                    index += piece
                }
                #expect(stream.finish() == Hash.blake2b(bytes, length: 16, key: key))
            }
        }
    }

    @Test func `memory that somebody else owns is hashed`() {
        let bytes: [UInt8] = [1, 2, 3]
        let hash = unsafe bytes.withUnsafeBytes { unsafe Hash.blake2b($0, length: 16) }
        #expect(hash == Hash.blake2b(bytes, length: 16))
    }

    @Test func `HMAC-SHA256 gives the codes of RFC 4231`() {
        #expect(
            hex(MessageCode.sha256(Array("Hi There".utf8), key: [UInt8](repeating: 0x0B, count: 20)))
                == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        #expect(
            hex(MessageCode.sha256(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(
            hex(
                MessageCode.sha256(
                    Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                    key: [UInt8](repeating: 0xAA, count: 131)))
                == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test(
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy"),
            ("\u{FB}\u{FF}", "w7vDvw"), ("??>", "Pz8-"), ("???", "Pz8_"),
        ])
    func `base64url is written and read back`(text: String, encoded: String) {
        #expect(Base64URL.text(Array(text.utf8)) == encoded)
        #expect(Base64URL.decode(encoded) == Array(text.utf8))
    }

    @Test(arguments: ["Zg==", "Z", "Zm9vY", "Zh", "Zm9", "Zm9v\n", " Zm9v", "Zm+v", "Zm/v", "Zm9v=", "é", "Zm9\0"])
    func `base64url has one spelling`(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `every byte passes through base64url`() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
            #expect(Base64URL.decode(Base64URL.text(bytes)) == bytes)
        }
    }

    @Test func `constant-time comparison compares`() {
        #expect(constantTimeEquals([], []))
        #expect(constantTimeEquals([1, 2, 3], [1, 2, 3]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2, 4]))
        #expect(!constantTimeEquals([1, 2, 3], [0, 2, 3]))
        #expect(!constantTimeEquals([1, 2, 3], [1, 2]))
    }

    @Test func `random bytes have the asked length and differ`() {
        #expect(RandomBytes.make(0).isEmpty)
        #expect(RandomBytes.make(32).count == 32)
        #expect(RandomBytes.make(32) != RandomBytes.make(32))
        #expect(RandomBytes.bits64() != RandomBytes.bits64())
    }

    @Test func `a password matches its hash alone`() throws {
        let hash = try PasswordHash(of: "password\0123é", cost: .least)
        #expect(hash.text.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
        #expect(PasswordHash(text: hash.text).matches("password\0123é"))
        #expect(!hash.matches("password\0124é"))
        #expect(!hash.matches("password"))
        #expect(!hash.matches(""))
        #expect(try PasswordHash(of: "password\0123é", cost: .least) != hash)
        #expect(!hash.differs(from: .least))
        #expect(hash.differs(from: PasswordCost(passes: 2, memoryBytes: 8192)))
    }

    @Test(arguments: ["", "nonsense", "$argon2id$v=19$m=8,t=1,p=1$", String(repeating: "$", count: 500)])
    func `what is no hash matches nothing`(text: String) {
        #expect(!PasswordHash(text: text).matches(""))
    }

    @Test func `more memory than there is is a failure, not a crash`() {
        #expect(throws: PasswordHashFailure.self) {
            try PasswordHash(of: "x", cost: PasswordCost(passes: 1, memoryBytes: 1 << 45))
        }
    }
}
