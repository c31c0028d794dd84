internal import CSodium

/// Unpredictable bytes from the kernel, by way of libsodium. Any thread may ask.
public enum RandomBytes {
    /// That many bytes.
    public static func make(_ count: Int) -> [UInt8] {
        _ = Library.ready
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { out, initialized in
            initialized = count
            if count > 0 { unsafe randombytes_buf(out.baseAddress!, count) }  // fills exactly `count` bytes
        }
    }

    /// 64 unpredictable bits.
    public static func bits64() -> UInt64 {
        make(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
