/// Base64 with the URL-safe alphabet and without padding (RFC 4648, section 5 and 3.2).
public enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each byte in the alphabet; 255 for the others.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
        return values
    }()

    /// The text of some bytes, as ASCII.
    public static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var index = 0
        while index < bytes.count {
            let rest = min(3, bytes.count - index)
            var group: UInt32 = 0
            for place in 0..<3 { group = group << 8 | (place < rest ? UInt32(bytes[index + place]) : 0) }
            for place in 0...rest { text.append(alphabet[Int(group >> (18 - 6 * UInt32(place)) & 63)]) }
            index += 3
        }
        return text
    }

    /// The text of some bytes.
    public static func text(_ bytes: [UInt8]) -> String {
        String(decoding: encode(bytes), as: UTF8.self)
    }

    /// The bytes of a text; nil unless it is exactly what `encode` gives: no padding, no other characters, no stray bits at the end.
    public static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count * 3 / 4)
        let values = values  // looked up once, not with each character
        var group: UInt32 = 0
        var bits = 0
        for index in 0..<text.count {
            let value = values[Int(text[index])]
            guard value < 64 else { return nil }
            group = group << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        return group & (1 << UInt32(bits) - 1) == 0 ? bytes : nil
    }

    /// The bytes of a text; nil unless it is exactly what `encode` gives.
    public static func decode(_ text: String) -> [UInt8]? {
        decode(Array(text.utf8).span)
    }
}
