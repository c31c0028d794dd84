import Testing

@testable import HTTP

@Suite struct `Sets of bytes` {
    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let digits = "0123456789"
    private static let unreserved = letters + digits + "-._~"
    private static let subDelimiters = "!$&'()*+,;="

    private func members(_ set: ByteSet) -> [UInt8] { (0...255).filter(set.contains) }

    @Test func `token bytes are those of RFC 9110`() {
        #expect(members(.token) == Array(("!#$%&'*+-.^_`|~" + Self.letters + Self.digits).utf8).sorted())
    }

    @Test func `path, query and name bytes are those of RFC 3986`() {
        let pchar = Self.unreserved + Self.subDelimiters + ":@"
        #expect(members(.path) == Array((pchar + "/").utf8).sorted())
        #expect(members(.query) == Array((pchar + "/?").utf8).sorted())
        #expect(members(.registeredName) == Array((Self.unreserved + Self.subDelimiters).utf8).sorted())
    }

    @Test func `a hexadecimal digit has its value and nothing else has one`() {
        for byte in UInt8.min...UInt8.max {
            let character = Character(Unicode.Scalar(byte))
            #expect(hexValue(byte).map(Int.init) == (byte < 0x80 ? character.hexDigitValue : nil))
        }
    }
}
