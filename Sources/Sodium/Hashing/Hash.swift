internal import CSodium

/// BLAKE2b (RFC 7693), of 16 to 64 bytes, with or without a key.
public enum Hash {
    /// The lengths of a hash in bytes.
    public static let lengths = 16...64
    /// The most bytes a key may have.
    public static let keyBytesMax = 64

    /// The hash of some bytes.
    ///
    /// - Parameters:
    ///   - length: in bytes, one of `lengths`; another one is the caller's mistake and traps.
    ///   - key: up to `keyBytesMax` bytes; none for a plain hash. Keys shorter than 16 bytes are no secrets.
    public static func blake2b(_ bytes: [UInt8], length: Int = 32, key: [UInt8] = []) -> [UInt8] {
        blake2b(bytes.span, length: length, key: key)
    }

    /// The hash of some bytes.
    public static func blake2b(_ bytes: Span<UInt8>, length: Int = 32, key: [UInt8] = []) -> [UInt8] {
        check(length: length, key: key)
        _ = Library.ready
        return unsafe [UInt8](unsafeUninitializedCapacity: length) { out, count in
            count = length
            unsafe withBytes(bytes) { input, inputCount in
                // Each pointer is valid for its count during the call; an empty key may be nil.
                let status = unsafe crypto_generichash(
                    out.baseAddress!, length, input, UInt64(inputCount), key.isEmpty ? nil : key, key.count)
                precondition(status == 0, "BLAKE2b refused its parameters")
            }
        }
    }

    /// The hash of 16 bytes as two numbers, the first bytes highest: without a key, and without an array.
    public static func blake2b128(_ bytes: Span<UInt8>) -> (high: UInt64, low: UInt64) {
        _ = Library.ready
        var words: (UInt64, UInt64) = (0, 0)
        unsafe withUnsafeMutableBytes(of: &words) { out in
            unsafe withBytes(bytes) { input, inputCount in
                // Each pointer is valid for its count during the call.
                let status = unsafe crypto_generichash(out.baseAddress!, out.count, input, UInt64(inputCount), nil, 0)
                precondition(status == 0, "BLAKE2b refused its parameters")
            }
        }
        return (UInt64(bigEndian: words.0), UInt64(bigEndian: words.1))
    }

    /// The hash of bytes that somebody else owns; nothing of them is kept.
    public static func blake2b(_ bytes: UnsafeRawBufferPointer, length: Int = 32, key: [UInt8] = []) -> [UInt8] {
        // The caller answers for the buffer during the call.
        unsafe blake2b(Span<UInt8>(_unsafeBytes: bytes), length: length, key: key)
    }

    static func check(length: Int, key: [UInt8]) {
        precondition(lengths.contains(length), "a BLAKE2b hash has 16 to 64 bytes")
        precondition(key.count <= keyBytesMax, "a BLAKE2b key has at most 64 bytes")
    }
}

/// BLAKE2b over pieces: the hash of what was given to `update`, in order, as one. Safe, for it alone holds its memory.
@safe public struct HashStream: ~Copyable {
    private let length: Int
    /// `crypto_generichash_state`, owned; it must be aligned to 64 bytes, more than Swift gives its own values.
    private let state: UnsafeMutableRawPointer

    /// Starts a hash of `length` bytes (one of `Hash.lengths`).
    public init(length: Int = 32, key: [UInt8] = []) {
        Hash.check(length: length, key: key)
        _ = Library.ready
        self.length = length
        unsafe state = .allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
        // The state is large enough, by the library's own word.
        let status = unsafe crypto_generichash_init(OpaquePointer(state), key.isEmpty ? nil : key, key.count, length)
        precondition(status == 0, "BLAKE2b refused its parameters")
    }

    /// Adds bytes.
    public mutating func update(_ bytes: [UInt8]) {
        update(bytes.span)
    }

    /// Adds bytes.
    public mutating func update(_ bytes: Span<UInt8>) {
        let state = unsafe OpaquePointer(state)
        unsafe withBytes(bytes) { input, count in
            guard count > 0 else { return }
            _ = unsafe crypto_generichash_update(state, input, UInt64(count))  // cannot fail
        }
    }

    /// The hash of all that was added.
    public consuming func finish() -> [UInt8] {
        let length = length
        let state = unsafe OpaquePointer(state)
        return unsafe [UInt8](unsafeUninitializedCapacity: length) { out, count in
            count = length
            _ = unsafe crypto_generichash_final(state, out.baseAddress!, length)  // cannot fail
        }
    }

    deinit {
        unsafe sodium_memzero(state, crypto_generichash_statebytes())
        unsafe state.deallocate()
    }
}
