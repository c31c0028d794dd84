/// An email address as a sign-in name: in its comparable form, so that nobody has two.
///
/// White space around it is dropped and letters are made lower case. Only ASCII is taken (RFC 5321, 4.1.2; a domain in another
/// script has its `xn--` form): what looks alike to a person must not be two users.
public struct EmailAddress: Hashable, Sendable {
    /// RFC 5321, 4.5.3.1.3, without the angle brackets.
    public static let bytesMax = 254
    /// RFC 5321, 4.5.3.1.1.
    public static let localBytesMax = 64

    /// The comparable form.
    public let text: String

    /// Nil for what cannot be an address: it wants a local part, one `@`, and a domain, without spaces.
    public init?(_ text: String) {
        let trimmed = text.utf8.drop { Self.isSpace($0) }.reversed().drop { Self.isSpace($0) }.reversed()
        let bytes = trimmed.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        guard bytes.count <= Self.bytesMax, bytes.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, (1...Self.localBytesMax).contains(parts[0].count), Self.isDomain(parts[1]) else { return nil }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    private static func isDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.allSatisfy { label in
            !label.isEmpty && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
                && label.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
                    default: false
                    }
                }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
