import Redux

extension ActionID {
    /// The id in the textual form of a UUID (RFC 9562, 4): 8-4-4-4-12 lower-case hexadecimal digits.
    var uuidText: String {
        func hex(_ value: UInt64, _ digits: Int) -> String {
            let text = String(value, radix: 16)
            return String(repeating: "0", count: digits - text.utf8.count) + text
        }
        let first = hex(high >> 32, 8) + "-" + hex(high >> 16 & 0xffff, 4) + "-" + hex(high & 0xffff, 4)
        return first + "-" + hex(low >> 48, 4) + "-" + hex(low & 0xffff_ffff_ffff, 12)
    }
}
