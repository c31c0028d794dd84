/// A JSON text as a value (RFC 8259).
///
/// Two values are equal when their canonical texts are: strings are compared by their UTF-8 bytes (not by canonical equivalence as
/// `String` does, for which two spellings of an accented letter are one), numbers by their exact decimal value, objects without
/// regard to the order of their members.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// Any number that is mathematically an integer between `Int64.min` and `Int64.max`, however it was spelled (`1.0`, `1e2`, `-0`).
    case integer(Int64)
    /// Any other number, exact.
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The value of a floating-point number; nil for infinities and not-a-number, which JSON has not.
    ///
    /// An integral one within the bounds of `Int64` becomes that integer, exactly; any other has the fewest digits that read back as it.
    public init?(_ double: Double) {
        guard double.isFinite else { return nil }
        if let integer = Int64(exactly: double) {
            self = .integer(integer)
        } else {
            self = Decimal(asciiText: double.description).value
        }
    }

    /// The value of an integer of any width, exact.
    public init(_ integer: some FixedWidthInteger) {
        if let small = Int64(exactly: integer) {
            self = .integer(small)
        } else {
            self = Decimal(asciiText: String(integer)).value
        }
    }
}

// MARK: - Looking inside

extension JSONValue {
    /// The member of that name; nil where there is none or this is no object.
    public subscript(name: String) -> JSONValue? {
        if case .object(let object) = self { object[name] } else { nil }
    }

    /// The element at that index; nil where there is none or this is no array.
    public subscript(index: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The text, if this is a string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The number, if this is an integer within `Int64`.
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The nearest floating-point number, if this is a number.
    public var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number.double
        default: nil
        }
    }

    /// The truth value, if this is one.
    public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

    /// The elements, if this is an array.
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The members, if this is an object.
    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

    /// Is this `null`?
    public var isNull: Bool { if case .null = self { true } else { false } }

    /// What this is, for a person: "a string", "an object".
    public var kindText: String {
        switch self {
        case .null: "null"
        case .bool: "a truth value"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

// MARK: - Equality

extension JSONValue: Hashable {
    /// Strings by their UTF-8 bytes, numbers by their exact value: no `number` is an integer within `Int64`.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): sameBytes(left, right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// In agreement with `==`. The kind of value is not mixed in.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let flag): hasher.combine(flag)
        case .integer(let integer): hasher.combine(integer)
        case .number(let number): hasher.combine(number)
        case .string(let text): hashBytes(of: text, into: &hasher)
        case .array(let elements): hasher.combine(elements)
        case .object(let object): hasher.combine(object)
        }
    }
}

// MARK: - Literals

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// `nil` stands for `null`.
    public init(nilLiteral: ()) { self = .null }
    /// `true` or `false`, as in JSON.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A literal without a fraction, within `Int64`.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A string with this content; it is not read as JSON.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An array of the literal's elements, in their order.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object, its members in canonical order; traps where the literal names one twice.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements {
            precondition(object.updateValue(value, for: name) == nil, "the literal names \(name) twice")
        }
        self = .object(object)
    }
}

extension JSONValue: CustomStringConvertible {
    /// The canonical text.
    public var description: String { canonicalText }
}
