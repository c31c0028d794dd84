internal import CSodium

/// The C library, made ready once.
enum Library {
    /// Touched by each entry of this module before its first call into C; `sodium_init` chooses implementations and opens the source of
    /// randomness, and may be called from several threads.
    static let ready: Void = {
        // 0 is ready, 1 was ready before; less means that there is no randomness to be had, and nothing can be safe then.
        precondition(sodium_init() >= 0, "libsodium could not be initialised")
    }()
}

/// Runs a closure with a pointer to a span's bytes, which must not leave the closure.
@inline(__always)
func withBytes<Result>(_ bytes: Span<UInt8>, _ body: (UnsafePointer<UInt8>?, Int) -> Result) -> Result {
    unsafe bytes.withUnsafeBufferPointer { buffer in unsafe body(buffer.baseAddress, buffer.count) }
}
