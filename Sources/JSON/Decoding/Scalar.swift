/// Values that are no containers, checked against the Swift type that is wanted.
enum Scalar {
    static func bool(_ value: JSONValue, at place: Place) throws -> Bool {
        guard case .bool(let flag) = value else { throw wrongType("a truth value", value, at: place) }
        return flag
    }

    static func string(_ value: JSONValue, at place: Place) throws -> String {
        guard case .string(let text) = value else { throw wrongType("a string", value, at: place) }
        return text
    }

    /// The nearest `Double`: where binary fractions are wanted, rounding is part of the bargain.
    static func double(_ value: JSONValue, at place: Place) throws -> Double {
        guard let double = value.double else { throw wrongType("a number", value, at: place) }
        return double
    }

    /// The nearest `Float`, rounded once from the decimal text.
    static func float(_ value: JSONValue, at place: Place) throws -> Float {
        switch value {
        case .integer(let integer): return Float(integer)
        case .number(let number):
            let float = Float(number.text) ?? .infinity
            guard float.isFinite else { throw outOfRange(number.text, "-3.4e38", "3.4e38", at: place) }
            return float
        default: throw wrongType("a number", value, at: place)
        }
    }

    /// Exactly the integer, however it was spelled.
    static func integer<Integer: FixedWidthInteger>(_ value: JSONValue, at place: Place) throws -> Integer {
        switch value {
        case .integer(let integer):
            guard let result = Integer(exactly: integer) else {
                throw outOfRange(String(integer), "\(Integer.min)", "\(Integer.max)", at: place)
            }
            return result
        case .number(let number):
            if let result = number.exactly(Integer.self) { return result }
            guard !number.isIntegral else { throw outOfRange(number.text, "\(Integer.min)", "\(Integer.max)", at: place) }
            throw place.error(.wrongType, "Expected an integer, found a number with a fraction.")
        default:
            throw wrongType("an integer", value, at: place)
        }
    }

    /// Says what was found by its kind alone: what a string holds might be a secret.
    static func wrongType(_ wanted: String, _ value: JSONValue, at place: Place) -> DecodingError {
        place.error(.wrongType, "Expected \(wanted), found \(value.kindText).")
    }

    private static func outOfRange(_ found: String, _ low: String, _ high: String, at place: Place) -> DecodingError {
        let shown = found.utf8.count > 40 ? "\(found.prefix(40))…" : found
        return place.error(.outOfRange, "\(shown) is out of range; the least is \(low), the greatest \(high).")
    }
}
