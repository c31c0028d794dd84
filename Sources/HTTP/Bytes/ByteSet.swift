/// A set of ASCII bytes, kept as two words so that a membership test is a shift and a mask; no byte above 0x7F is a member.
struct ByteSet {
    let low: UInt64
    let high: UInt64

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let word = byte < 64 ? low : high
        return byte < 128 && (word &>> UInt64(byte)) & 1 != 0
    }

    /// `tchar` (RFC 9110 section 5.6.2): the bytes of methods, field names and list tokens.
    static var token: ByteSet { ByteSet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }

    /// `pchar` and the slash (RFC 3986 section 3.3), the percent sign left out: an escape is more than one byte.
    static var path: ByteSet { ByteSet(low: 0x2FFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF) }

    /// `pchar`, the slash and the question mark (RFC 3986 section 3.4), the percent sign left out.
    static var query: ByteSet { ByteSet(low: 0xAFFF_FFD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF) }

    /// `unreserved` and `sub-delims` (RFC 3986 section 3.2.2): the bytes of a registered name, the percent sign left out.
    static var registeredName: ByteSet { ByteSet(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE) }
}
