public import Identity
internal import Sodium

/// What the fields of callers were read as lately, so that the same bytes need not be hashed again: reading a token is a pure function of them.
///
/// A place for each few callers that come again, no more: where two fall on one, the later stays. Whether a token is still alive is not
/// kept here. Fields that hold no token of ours are not kept at all, so junk displaces nothing.
public struct RecentTokens: Sendable {
    /// Places, a power of two; some 170 bytes each, once taken.
    static let placesMax = 8_192
    /// Fields longer than this are no token of ours with the usual scheme before it.
    static let bytesMax = 128

    /// A field's bytes and the token in them.
    public struct Reading: Sendable {
        /// The field's value.
        public let bytes: [UInt8]
        /// What it was read as.
        public let token: ParsedToken

        /// What these bytes were read as.
        public init(_ bytes: Span<UInt8>, _ token: ParsedToken) {
            // Of the span's own length, during the call.
            self.bytes = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
            self.token = token
        }
    }

    private var places: [Reading?] = []

    /// Nothing read yet; takes no memory before the first.
    public init() {}

    /// What these bytes were read as, if they were lately. Compares in constant time, since they are a secret.
    public func find(_ bytes: Span<UInt8>) -> Reading? {
        guard !places.isEmpty, let reading = places[Self.place(of: bytes)], constantTimeEquals(reading.bytes.span, bytes) else {
            return nil
        }
        return reading
    }

    /// Keeps what bytes were read as, in the place of what was there.
    public mutating func keep(_ reading: Reading) {
        guard reading.bytes.count <= Self.bytesMax else { return }
        if places.isEmpty { places = Array(repeating: nil, count: Self.placesMax) }
        places[Self.place(of: reading.bytes.span)] = reading
    }

    /// Where bytes are kept: a token ends with its checksum, which spreads as well as random bits.
    private static func place(of bytes: Span<UInt8>) -> Int {
        var hash: UInt64 = 0
        for index in max(0, bytes.count - 20)..<bytes.count { hash = hash &* 0x100_0000_01b3 ^ UInt64(bytes[index]) }
        return Int(truncatingIfNeeded: hash ^ hash >> 29) & (placesMax - 1)
    }
}
