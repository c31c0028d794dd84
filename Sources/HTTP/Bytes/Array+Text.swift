extension [UInt8] {
    /// Appends a literal's bytes.
    @inline(__always)
    public mutating func append(_ text: StaticString) {
        // A literal's storage is immortal and has `utf8CodeUnitCount` bytes.
        unsafe append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number that is not negative in decimal, without a String.
    public mutating func appendDecimal(_ value: Int) {
        var divisor = 1
        while value / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(ByteName.zero &+ UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }

    /// Appends a number that is not negative in hexadecimal, without leading zeros.
    mutating func appendHexadecimal(_ value: Int) {
        var shift = 0
        while value >> shift > 0xF { shift += 4 }
        while shift >= 0 {
            append(Array.hexDigit(UInt8(truncatingIfNeeded: value >> shift) & 0xF))
            shift -= 4
        }
    }

    /// Appends a byte as two hexadecimal digits.
    mutating func appendHexadecimal(_ byte: UInt8) {
        append(Array.hexDigit(byte >> 4))
        append(Array.hexDigit(byte & 0xF))
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? ByteName.zero &+ value : 0x41 &+ value &- 10
    }
}
