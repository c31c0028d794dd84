// Numbers (RFC 8259, section 6): exact, whatever their size.

extension JSONScanner {
    /// The number at the offset, which stands at a digit or a minus sign.
    mutating func number(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONValue {
        let start = offset
        let isNegative = bytes[offset] == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        let firstDigit = offset
        var magnitude: UInt64 = 0
        while let digit = digit(bytes) {
            // Wraps for more than 19 digits, which are read again below.
            magnitude = magnitude &* 10 &+ UInt64(digit)
            offset += 1
        }
        let digits = offset - firstDigit
        guard digits > 0 else { throw notADigit(bytes, "a digit") }
        if digits > 1, bytes[firstDigit] == UInt8(ascii: "0") {
            throw JSONFault(.invalidNumber, at: firstDigit, "A number has a superfluous leading zero.")
        }
        let isPlain = try !fractionAndExponent(bytes)
        guard offset - start <= limits.numberBytesMax else {
            throw JSONFault(.numberTooLong, at: start, "A number is longer than \(limits.numberBytesMax) bytes.")
        }
        if isPlain, digits <= 18 {
            let integer = Int64(magnitude)
            return .integer(isNegative ? -integer : integer)
        }
        let decimal = Decimal(bytes, start..<offset)
        guard decimal.fitsDouble else {
            throw JSONFault(.numberDoesNotFit, at: start, "A number is too large or too close to zero for 64-bit floating point.")
        }
        return decimal.value
    }

    /// Steps over a fraction and an exponent; false where there is neither.
    private mutating func fractionAndExponent(_ bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        let start = offset
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            try digits(bytes, "a digit after the decimal point")
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") { offset += 1 }
            try digits(bytes, "a digit of the exponent")
        }
        return offset > start
    }

    private mutating func digits(_ bytes: Span<UInt8>, _ wanted: String) throws(JSONFault) {
        guard digit(bytes) != nil else { throw notADigit(bytes, wanted) }
        while digit(bytes) != nil { offset += 1 }
    }

    /// The digit at the offset.
    @inline(__always)
    private func digit(_ bytes: Span<UInt8>) -> UInt8? {
        guard offset < bytes.count else { return nil }
        let value = bytes[offset] &- UInt8(ascii: "0")
        return value < 10 ? value : nil
    }

    private func notADigit(_ bytes: Span<UInt8>, _ wanted: String) -> JSONFault {
        guard offset < bytes.count else { return end(wanted) }
        return JSONFault(.invalidNumber, at: offset, "Expected \(wanted), found \(Self.name(of: bytes[offset])).")
    }
}
