internal import CSodium

/// How much work a password hash is: what makes guessing dear, and each log-in too.
public struct PasswordCost: Hashable, Sendable {
    /// Passes over the memory, from 1.
    public let passes: Int
    /// Bytes of memory, from 8 KiB.
    public let memoryBytes: Int

    /// At least 1 pass over 8 KiB (a precondition); libsodium always uses one lane.
    public init(passes: Int, memoryBytes: Int) {
        precondition(passes >= 1 && memoryBytes >= 8192, "Argon2id takes at least 1 pass over 8 KiB")
        self.passes = passes
        self.memoryBytes = memoryBytes
    }

    /// libsodium's for log-ins that people wait for: 2 passes over 64 MiB, some 0.1 s.
    public static let interactive = PasswordCost(passes: 2, memoryBytes: 64 << 20)
    /// The least there is, for tests.
    public static let least = PasswordCost(passes: 1, memoryBytes: 8192)
}

/// A password that could not be hashed: there was not enough memory.
public struct PasswordHashFailure: Error, Hashable, Sendable {}

/// Argon2id (RFC 9106) in its textual form, which holds version, cost and salt: `$argon2id$v=19$m=…`.
public struct PasswordHash: Hashable, Sendable {
    /// ASCII, up to 127 bytes.
    public let text: String

    /// A stored hash.
    public init(text: String) {
        self.text = text
    }

    /// Hashes a password with a fresh salt. Takes as long and as much memory as `cost` says: never on an event loop.
    public init(of password: String, cost: PasswordCost) throws(PasswordHashFailure) {
        _ = Library.ready
        let utf8 = Array(password.utf8CString.dropLast())
        var out = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
        // `out` has the size the library asks for; the password's length is given, so that it may hold zeros.
        let status = unsafe crypto_pwhash_str(&out, utf8, UInt64(utf8.count), UInt64(cost.passes), cost.memoryBytes)
        guard status == 0 else { throw PasswordHashFailure() }
        text = String(decoding: out.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Is this the hash of that password? As slow as hashing. False, too, for a text that is no hash.
    public func matches(_ password: String) -> Bool {
        _ = Library.ready
        let utf8 = Array(password.utf8CString.dropLast())
        let stored = padded
        return unsafe crypto_pwhash_str_verify(stored, utf8, UInt64(utf8.count)) == 0
    }

    /// Was it made with another cost than this one?
    public func differs(from cost: PasswordCost) -> Bool {
        _ = Library.ready
        let stored = padded
        return unsafe crypto_pwhash_str_needs_rehash(stored, UInt64(cost.passes), cost.memoryBytes) != 0
    }

    /// The text as a C string in the full size: the library reads that many bytes.
    private var padded: [CChar] {
        var bytes = text.utf8.prefix(crypto_pwhash_strbytes() - 1).map { CChar(bitPattern: $0) }
        bytes += repeatElement(0, count: crypto_pwhash_strbytes() - bytes.count)
        return bytes
    }
}
