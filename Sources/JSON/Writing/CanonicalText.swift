/// The pieces of canonical JSON text, appended to a buffer.
///
/// The canonical form: no white space; members sorted by the UTF-8 bytes of their names; strings with the shortest escapes; integers
/// as their digits, other numbers in ECMAScript's form. That is RFC 8785 except in three points: RFC 8785 sorts names by UTF-16
/// code units (which differs only where a character beyond U+FFFF meets one from U+E000 to U+FFFF); it writes integers beyond 2^53
/// as the nearest `Double`, where here every digit of an integer or fraction counts; and it makes no statement on duplicates, refused here.
public enum CanonicalText {
    /// Appends a string in quotation marks.
    public static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        // The pointer is used within the closure only.
        text.withUTF8 { utf8 in
            bytes.reserveSpace(utf8.count + 2)
            bytes.append(UInt8(ascii: "\""))
            var run = 0
            var index = 0
            while index < utf8.count {
                let byte = unsafe utf8[index]
                if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                    unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[run..<index]))
                    appendEscape(of: byte, to: &bytes)
                    run = index + 1
                }
                index += 1
            }
            if run == 0 {
                unsafe bytes.append(contentsOf: utf8)
            } else {
                unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[run...]))
            }
            bytes.append(UInt8(ascii: "\""))
        }
    }

    /// Appends an integer in decimal.
    public static func append(_ integer: Int64, to bytes: inout [UInt8]) {
        if integer >= 0, integer < 10 {
            bytes.append(UInt8(ascii: "0") + UInt8(integer))
            return
        }
        // From the last digit to the first, into room for the longest.
        var digits = InlineArray<20, UInt8>(repeating: 0)
        var start = 20
        var rest = integer.magnitude
        while rest > 0 {
            let quotient = rest / 10
            start -= 1
            digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest - quotient * 10)
            rest = quotient
        }
        if integer < 0 {
            start -= 1
            digits[start] = UInt8(ascii: "-")
        }
        // Copied within the closure.
        unsafe digits.span.withUnsafeBufferPointer {
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[start...]))
        }
    }

    /// Appends `true` or `false`.
    public static func append(_ flag: Bool, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: flag ? "true".utf8 : "false".utf8)
    }

    /// Appends `null`.
    public static func appendNull(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "null".utf8)
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            bytes.append(byte & 15 < 10 ? UInt8(ascii: "0") + byte & 15 : UInt8(ascii: "a") + byte & 15 - 10)
        }
    }
}

extension JSONValue {
    /// Appends the canonical text. Reading it back gives an equal value.
    public func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: CanonicalText.appendNull(to: &bytes)
        case .bool(let flag): CanonicalText.append(flag, to: &bytes)
        case .integer(let integer): CanonicalText.append(integer, to: &bytes)
        case .number(let number): bytes.append(contentsOf: number.text.utf8)
        case .string(let text): CanonicalText.append(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                CanonicalText.append(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// The canonical text in UTF-8.
    public var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    /// The canonical text.
    public var canonicalText: String { String(decoding: canonicalBytes, as: UTF8.self) }
}

extension [UInt8] {
    /// Makes room for some more bytes, growing by doubling (`reserveCapacity` alone would grow to exactly the sum).
    mutating func reserveSpace(_ more: Int) {
        let needed = count + more
        if needed > capacity { reserveCapacity(Swift.max(needed, capacity * 2)) }
    }
}
