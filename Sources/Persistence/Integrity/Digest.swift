internal import SQLite
internal import Sodium

/// A BLAKE2b-128 value, kept without an array: one per account that writes stays in memory.
struct Digest: Hashable, Sendable {
    static let bytesCount = 16

    let high: UInt64
    let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Nil unless there are exactly 16 bytes.
    init?(stored bytes: [UInt8]) {
        guard bytes.count == Self.bytesCount else { return nil }
        func word(at start: Int) -> UInt64 {
            var word: UInt64 = 0
            for index in start..<start + 8 { word = word << 8 | UInt64(bytes[index]) }
            return word
        }
        self.init(high: word(at: 0), low: word(at: 8))
    }

    /// The hash of some bytes.
    init(of bytes: [UInt8]) {
        let hash = Hash.blake2b128(bytes.span)
        self.init(high: hash.high, low: hash.low)
    }

    /// The 16 bytes, the highest first.
    var bytes: [UInt8] {
        var form = HashedForm()
        form.put(self)
        return form.bytes
    }

    /// Lends the 16 bytes.
    func withBytes<Result, Fault: Error>(_ body: (Span<UInt8>) throws(Fault) -> Result) throws(Fault) -> Result {
        let bytes: InlineArray<16, UInt8> = .init {
            UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> (56 - 8 * UInt64($0 % 8)))
        }
        return try body(bytes.span)
    }
}

extension Statement {
    /// Binds a digest's 16 bytes.
    func bind(_ position: Int32, _ digest: Digest) throws(SQLiteError) {
        try digest.withBytes { bytes throws(SQLiteError) in try bind(position, bytes) }
    }
}

/// The bytes that are hashed: fixed-size integers, and fields with their length before them, so that no two records give the same bytes.
struct HashedForm: Sendable {
    private(set) var bytes: [UInt8] = []

    mutating func start() { bytes.removeAll(keepingCapacity: true) }

    /// Eight bytes, most significant first.
    mutating func put(_ value: Int64) {
        // The bytes of a value on the stack, during the call.
        unsafe withUnsafeBytes(of: value.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    mutating func put(_ digest: Digest) {
        put(Int64(bitPattern: digest.high))
        put(Int64(bitPattern: digest.low))
    }

    /// A length and the bytes; -1 stands for none at all.
    mutating func put(_ field: [UInt8]?) {
        guard let field else { return put(-1) }
        put(Int64(field.count))
        bytes.append(contentsOf: field)
    }

    mutating func put(_ text: String) {
        put(Int64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }
}
