/// The grammar of Host and of an absolute target's authority: `uri-host [ ":" port ]` (RFC 9110 section 7.2).
///
/// User information is not part of it (RFC 9110 section 4.2.4). A port is at most 65535 where it is not empty.
enum Authority {
    /// Whether the bytes in `range`, which is not empty, are a host with an optional port.
    static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return false }
        let first = bytes[range.lowerBound]
        let hostEnd: Int
        if first == ByteName.openBracket {
            guard let close = bytes.firstOffset(of: ByteName.closeBracket, in: range) else { return false }
            let literal = (range.lowerBound + 1)..<close
            guard isIPv6(bytes, literal) || isFutureIP(bytes, literal) else { return false }
            hostEnd = close + 1
        } else {
            guard let end = registeredNameEnd(bytes, range), end > range.lowerBound else { return false }
            hostEnd = end
        }
        return hostEnd == range.upperBound
            || bytes[hostEnd] == ByteName.colon && isPort(bytes, (hostEnd + 1)..<range.upperBound)
    }

    /// The offset behind a registered name or IPv4 address: the end of the range or a colon; nil for a stray byte.
    private static func registeredNameEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        // Checked once; all offsets below stay inside the range.
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        var i = range.lowerBound
        while i < range.upperBound {
            let byte = unsafe bytes[unchecked: i]
            if ByteSet.registeredName.contains(byte) {
                i &+= 1
            } else if byte == ByteName.colon {
                return i
            } else if byte == ByteName.percent, i + 2 < range.upperBound, hexValue(bytes[i + 1]) != nil,
                hexValue(bytes[i + 2]) != nil
            {
                i += 3
            } else {
                return nil
            }
        }
        return i
    }

    private static func isPort(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var value = 0
        for i in range {
            guard bytes[i] >= ByteName.zero, bytes[i] <= ByteName.nine else { return false }
            value = value * 10 + Int(bytes[i] &- ByteName.zero)
            if value > 65_535 { return false }
        }
        return true
    }

    /// `IPv6address` (RFC 3986 section 3.2.2): eight groups, or fewer with one "::"; the last two may be an IPv4 address.
    private static func isIPv6(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var groups = 0
        var compressed = false
        var i = range.lowerBound
        let end = range.upperBound
        if end - i >= 2, bytes[i] == ByteName.colon {
            guard bytes[i + 1] == ByteName.colon else { return false }
            compressed = true
            i += 2
        }
        // True where a group has to follow: at the start, and behind a single colon.
        var needsGroup = !compressed
        while i < end {
            let start = i
            while i < end, hexValue(bytes[i]) != nil { i += 1 }
            if i < end, bytes[i] == 0x2E {
                guard isIPv4(bytes, start..<end) else { return false }
                groups += 2
                needsGroup = false
                break
            }
            guard i > start, i - start <= 4 else { return false }
            groups += 1
            needsGroup = false
            if i == end { break }
            guard bytes[i] == ByteName.colon else { return false }
            i += 1
            needsGroup = true
            if i < end, bytes[i] == ByteName.colon {
                if compressed { return false }
                compressed = true
                needsGroup = false
                i += 1
            }
        }
        if needsGroup { return false }
        return compressed ? groups <= 7 : groups == 8
    }

    private static func isIPv4(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var octets = 0
        var i = range.lowerBound
        while true {
            let start = i
            var value = 0
            while i < range.upperBound, i - start < 3, bytes[i] >= ByteName.zero, bytes[i] <= ByteName.nine {
                value = value * 10 + Int(bytes[i] &- ByteName.zero)
                i += 1
            }
            guard i > start, value <= 255, i - start == 1 || bytes[start] != ByteName.zero else { return false }
            octets += 1
            if i == range.upperBound { return octets == 4 }
            guard octets < 4, bytes[i] == 0x2E else { return false }
            i += 1
        }
    }

    /// `IPvFuture`: "v", hexadecimal digits, a dot, and at least one byte of a name or a colon.
    private static func isFutureIP(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= 4, bytes[range.lowerBound] | 0x20 == 0x76 else { return false }
        var i = range.lowerBound + 1
        while i < range.upperBound, hexValue(bytes[i]) != nil { i += 1 }
        guard i > range.lowerBound + 1, i < range.upperBound - 1, bytes[i] == 0x2E else { return false }
        for j in (i + 1)..<range.upperBound
        where !ByteSet.registeredName.contains(bytes[j]) && bytes[j] != ByteName.colon { return false }
        return true
    }
}
