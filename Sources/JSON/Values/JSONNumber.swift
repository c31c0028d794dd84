/// A number that is no integer within `Int64`: a fraction, or an integer beyond those bounds. Exact.
///
/// It is kept as its canonical decimal text and not as a `Double`, because a `Double` would silently drop digits of an integer
/// past 2^53 and would make the text of a fraction depend on how it was computed. Equal numbers have equal texts. Magnitudes a
/// `Double` cannot hold (1e400, and 1e-400 which it would make zero) are refused by the reader, so `double` always makes sense.
public struct JSONNumber: Hashable, Sendable {
    /// The canonical text: ECMAScript's form of a number (RFC 8785, 3.2.2.3), but with every digit given.
    public let text: String

    /// Takes over a text that already is canonical and stands for no integer within `Int64`.
    init(canonical text: String) {
        self.text = text
    }

    /// The nearest floating-point number, finite and not zero.
    public var double: Double { Double(text) ?? .nan }

    /// Is it an integer, and so one beyond the bounds of `Int64`?
    public var isIntegral: Bool {
        let decimal = Decimal(asciiText: text)
        return decimal.point >= decimal.digits.count
    }

    /// The same number as an integer of some type; nil where it has a fraction or does not fit.
    public func exactly<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
        // An integer of up to 21 digits has neither point nor exponent; longer ones only fit 128 bits and are spelled out here.
        if let integer = Integer(text) { return integer }
        return Decimal(asciiText: text).integer(Integer.self)
    }
}

extension JSONNumber: CustomStringConvertible {
    /// The canonical text, exact to the last digit.
    public var description: String { text }
}
