internal import Sodium

/// What a token is good for: its first byte, so that one is never taken for another.
public enum TokenKind: UInt8, Hashable, Sendable {
    /// An account's bearer token.
    case session = 1
    /// Opens an event stream from a place that cannot send header fields.
    case ticket = 2
    /// Shows that an address is its owner's: sent there, and brought back.
    case verification = 3
}

/// A token's fingerprint, which is all that is stored of it: BLAKE2b-256 of its 57 bytes. Equality takes constant time.
///
/// The token has 256 random bits, so a plain fast hash is safe: there is nothing to guess.
public struct TokenHash: Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// A stored hash; nil unless there are 32 bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        func word(_ index: Int) -> UInt64 { bytes[index * 8..<index * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        words = (word(0), word(1), word(2), word(3))
    }

    /// 32 bytes, for storage.
    public var bytes: [UInt8] {
        [words.0, words.1, words.2, words.3].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) }
        }
    }
}

extension TokenHash: Hashable {
    /// In constant time: how much of two hashes agrees does not show.
    public static func == (left: TokenHash, right: TokenHash) -> Bool {
        (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1) | (left.words.2 ^ right.words.2)
            | (left.words.3 ^ right.words.3) == 0
    }

    /// Half of the hash: 128 bits of it spread as well as all.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}

/// A token just minted. Its text is shown once, to its owner, and never stored or logged.
public struct Token: Sendable {
    /// 76 characters of the base64url alphabet.
    public let text: String
    /// Whose it is; written into the token.
    public let account: Int64
    /// What is stored of it.
    public let hash: TokenHash
}

/// What a token's text says, once its checksum has shown that this service minted it. Whether it is still alive, storage knows.
public struct ParsedToken: Hashable, Sendable {
    /// Whose it is, as the token says.
    public let account: Int64
    /// What storage finds it by.
    public let hash: TokenHash
}

/// Mints tokens and recognises its own, without touching storage.
///
/// A token is 57 bytes, 76 characters in base64url without padding (57 is a multiple of 3, so each token has one spelling):
///
///     0       kind (`TokenKind`)
///     1..8    account, big-endian, positive
///     9..40   random
///     41..56  BLAKE2b-128 of bytes 0 to 40, keyed from the secret
///
/// The checksum lets junk be refused for the price of a hash; the random bytes are what cannot be guessed.
public struct TokenMint: Sendable {
    /// Characters of a token.
    public static let textBytes = 76
    /// Bytes of a secret.
    public static let secretBytes = 32

    private static let checkedBytes = 41
    private static let checksumBytes = 16
    private let key: [UInt8]

    /// - Parameter secret: at least 16 unpredictable bytes that outlive every token: with another secret all tokens are junk.
    public init(secret: [UInt8]) {
        precondition(secret.count >= 16, "a token secret has at least 16 bytes")
        // A key of its own, so that the secret can serve other purposes too.
        key = Hash.blake2b(Array("storehouse token checksum".utf8), length: 32, key: Hash.blake2b(secret, length: 64))
    }

    /// A fresh secret, to be stored with the database.
    public static func newSecret() -> [UInt8] { RandomBytes.make(secretBytes) }

    /// Mints a token for an account, with 32 bytes of randomness.
    public func mint(account: Int64, kind: TokenKind = .session) -> Token {
        mint(account: account, kind: kind, random: RandomBytes.make(32))
    }

    func mint(account: Int64, kind: TokenKind, random: [UInt8]) -> Token {
        precondition(account > 0 && random.count == 32)
        var bytes = [kind.rawValue]
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: account >> Int64(shift))) }
        bytes += random
        bytes += Hash.blake2b(bytes, length: Self.checksumBytes, key: key)
        return Token(text: Base64URL.text(bytes), account: account, hash: Self.hash(of: bytes))
    }

    /// Reads a token as it stands in a header field; nil for anything this mint did not make. The checksum is compared in constant time.
    public func parse(_ text: Span<UInt8>, kind: TokenKind = .session) -> ParsedToken? {
        guard text.count == Self.textBytes, let bytes = Base64URL.decode(text), bytes[0] == kind.rawValue else { return nil }
        let expected = Hash.blake2b(bytes.span.extracting(0..<Self.checkedBytes), length: Self.checksumBytes, key: key)
        guard constantTimeEquals(expected.span, bytes.span.extracting(Self.checkedBytes..<bytes.count)) else { return nil }
        let account = bytes[1...8].reduce(0) { $0 << 8 | Int64($1) }
        guard account > 0 else { return nil }
        return ParsedToken(account: account, hash: Self.hash(of: bytes))
    }

    /// Reads a token in memory that somebody else owns.
    public func parse(_ text: UnsafeRawBufferPointer, kind: TokenKind = .session) -> ParsedToken? {
        // The caller answers for the buffer during the call.
        unsafe parse(Span<UInt8>(_unsafeBytes: text), kind: kind)
    }

    /// Reads a token.
    public func parse(_ text: String, kind: TokenKind = .session) -> ParsedToken? {
        parse(Array(text.utf8).span, kind: kind)
    }

    private static func hash(of bytes: [UInt8]) -> TokenHash {
        TokenHash(bytes: Hash.blake2b(bytes, length: 32))!  // 32 bytes were asked for
    }
}
