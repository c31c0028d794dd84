internal import Sodium

/// A BLAKE2b-128 value, kept without an array: one per account that writes stays in memory.
struct Digest: Hashable, Sendable {
    static let bytesCount = 16

    let high: UInt64
    let low: UInt64

    /// Nil unless there are exactly 16 bytes.
    init?(stored bytes: [UInt8]) {
        guard bytes.count == Self.bytesCount else { return nil }
        high = bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The hash of some bytes.
    init(of bytes: [UInt8]) {
        guard let digest = Digest(stored: Hash.blake2b(bytes, length: Self.bytesCount)) else {
            preconditionFailure("a hash of the length asked for")
        }
        self = digest
    }

    var bytes: [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(Self.bytesCount)
        for shift in stride(from: 56, through: 0, by: -8) { out.append(UInt8(truncatingIfNeeded: high >> shift)) }
        for shift in stride(from: 56, through: 0, by: -8) { out.append(UInt8(truncatingIfNeeded: low >> shift)) }
        return out
    }
}

/// The bytes that are hashed: fixed-size integers, and fields with their length before them, so that no two records give the same bytes.
struct HashedForm: Sendable {
    private(set) var bytes: [UInt8] = []

    mutating func start() { bytes.removeAll(keepingCapacity: true) }

    /// Eight bytes, most significant first.
    mutating func put(_ value: Int64) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
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
