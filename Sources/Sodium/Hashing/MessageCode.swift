internal import CSodium

/// HMAC-SHA256 (RFC 2104, FIPS 198-1), the signature of webhooks.
public enum MessageCode {
    /// Bytes of a code.
    public static let byteCount = 32

    /// The code of a message under a key of any length.
    public static func sha256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        _ = Library.ready
        let stateBytes = crypto_auth_hmacsha256_statebytes()
        return unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { out, count in
            count = byteCount
            unsafe withUnsafeTemporaryAllocation(byteCount: stateBytes, alignment: 64) { raw in
                // The state is as large as the library asks for and lives for these three calls, none of which can fail.
                let state = unsafe raw.baseAddress!.assumingMemoryBound(to: crypto_auth_hmacsha256_state.self)
                _ = unsafe crypto_auth_hmacsha256_init(state, key, key.count)
                _ = unsafe crypto_auth_hmacsha256_update(state, message, UInt64(message.count))
                _ = unsafe crypto_auth_hmacsha256_final(state, out.baseAddress!)
                unsafe sodium_memzero(raw.baseAddress!, stateBytes)
            }
        }
    }
}
