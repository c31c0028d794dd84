/// An enumeration with a case that stands in for cases a stored state may hold but this version no longer knows.
public protocol FallbackCase: RawRepresentable, Codable, Hashable, Sendable where RawValue == String {
    /// What an unknown stored case is read as.
    static var fallback: Self { get }
}

/// A member of a state whose unknown stored cases are read as the fallback.
///
/// Payloads use the enumeration bare, so that a client's unknown case is refused rather than guessed at.
@propertyWrapper
public struct FallsBack<Value: FallbackCase>: Codable, Hashable, Sendable {
    /// The case, always a known one.
    public var wrappedValue: Value

    /// Wraps a case.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Reads a case by its text; any other text is the fallback.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        wrappedValue = Value(rawValue: text) ?? Value.fallback
    }

    /// Writes the case's text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue.rawValue)
    }
}
