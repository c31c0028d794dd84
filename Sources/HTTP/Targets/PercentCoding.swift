/// Percent escapes (RFC 3986 section 2.1), decoded once and for all; the target's check has found them well formed.
enum PercentCoding {
    /// Text of a range with its escapes decoded.
    ///
    /// The range must have passed `TargetReader`: a malformed escape would be kept as it is, malformed UTF-8 repaired.
    static func decode(_ bytes: [UInt8], _ range: Range<Int>, plusIsSpace: Bool) -> String {
        String(decoding: decodedBytes(bytes.span, range, plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    /// The bytes of a range with its escapes decoded.
    static func decodedBytes(_ bytes: Span<UInt8>, _ range: Range<Int>, plusIsSpace: Bool) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        var i = range.lowerBound
        while i < range.upperBound {
            let byte = bytes[i]
            if byte == ByteName.percent, i + 2 < range.upperBound, let high = hexValue(bytes[i + 1]),
                let low = hexValue(bytes[i + 2])
            {
                decoded.append(high << 4 | low)
                i += 3
            } else {
                decoded.append(plusIsSpace && byte == ByteName.plus ? ByteName.space : byte)
                i += 1
            }
        }
        return decoded
    }
}
