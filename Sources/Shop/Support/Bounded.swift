/// Bounds on what a payload may hold, checked where it is decoded: a payload beyond one is not understood (422), never cut.
///
/// A logged payload is decoded by the same code, so lowering a bound takes a new version of the action with an upcaster.
public enum PayloadLimits {
    /// The longest search text, in bytes of UTF-8.
    public static let queryBytesMax = 200
    /// The longest name of a person, in bytes of UTF-8.
    public static let nameBytesMax = 200
    /// The longest text of a toast, in bytes of UTF-8.
    public static let messageBytesMax = 500
    /// The longest a toast may stay, in milliseconds.
    public static let toastMillisecondsMax: Int64 = 60_000
    /// The longest name of a category, in bytes of UTF-8.
    public static let categoryBytesMax = 100
    /// The longest product id, in bytes of UTF-8.
    public static let productIDBytesMax = 64
    /// The highest rating; the lowest is 0.
    public static let ratingMax = 5.0
}

extension KeyedDecodingContainer {
    /// Decodes a text of at most `bytesMax` bytes of UTF-8.
    func decodeText(forKey key: Key, bytesMax: Int) throws -> String {
        let text = try decode(String.self, forKey: key)
        guard text.utf8.count <= bytesMax else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "longer than the \(bytesMax) bytes that are allowed")
        }
        return text
    }

    /// Throws where a decoded value breaks a rule.
    func require(_ holds: Bool, forKey key: Key, _ rule: @autoclosure () -> String) throws {
        if !holds { throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: rule()) }
    }
}

extension StringProtocol {
    /// Whether nothing but white space is in the text.
    var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
