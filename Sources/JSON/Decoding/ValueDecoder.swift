// The faces of a JSON value that `Codable` asks for.

/// The decoder of one value.
struct ValueDecoder: Decoder {
    let value: JSONValue
    let place: Place
    /// Nil where unknown members are ignored.
    let ledger: Ledger?

    init(_ value: JSONValue, at place: Place, ledger: Ledger?) {
        self.value = value
        self.place = place
        self.ledger = ledger
    }

    var codingPath: [any CodingKey] { place.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let object) = value else { throw wrongType("an object") }
        return KeyedDecodingContainer(ObjectReader<Key>(object: object, decoder: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = value else { throw wrongType("an array") }
        return ArrayReader(elements: elements, decoder: self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        ScalarReader(decoder: self)
    }

    /// Decodes the whole value and refuses what the type did not ask for.
    func complete<Value: Decodable>(_: Value.Type) throws -> Value {
        let result = try Value(from: self)
        try refuseUnknownMembers()
        return result
    }

    func refuseUnknownMembers() throws {
        try ledger?.refuseUnknownMembers(of: value, at: place)
    }

    /// A decoder of a value inside this one.
    func inner(_ value: JSONValue, at place: Place) -> ValueDecoder {
        ValueDecoder(value, at: place, ledger: ledger == nil ? nil : Ledger())
    }

    /// The same, whose unknown members are looked for when this value is complete.
    func later(_ value: JSONValue, at place: Place) -> ValueDecoder {
        let decoder = inner(value, at: place)
        ledger?.add(decoder)
        return decoder
    }

    func wrongType(_ wanted: String) -> DecodingError { Scalar.wrongType(wanted, value, at: place) }
}

/// The members of an object.
struct ObjectReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: JSONObject
    let decoder: ValueDecoder
    private let link: Place.Link

    init(object: JSONObject, decoder: ValueDecoder) {
        self.object = object
        self.decoder = decoder
        link = Place.Link(decoder.place)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var allKeys: [Key] {
        object.members.enumerated().compactMap { index, member in
            guard let key = Key(stringValue: member.name) else { return nil }
            decoder.ledger?.ask(member.name, index, of: object.count)
            return key
        }
    }

    func contains(_ key: Key) -> Bool {
        optional(key.stringValue) != nil
    }

    private func optional(_ name: String) -> JSONValue? {
        let index = object.index(of: name)
        decoder.ledger?.ask(name, index, of: object.count)
        return index.map { object.members[$0].value }
    }

    private func required(_ name: String) throws -> JSONValue {
        guard let value = optional(name) else {
            throw place(name).error(.missingMember, "The member \"\(name)\" is missing.")
        }
        return value
    }

    private func place(_ name: String) -> Place { .member(name, of: link) }

    func decodeNil(forKey key: Key) throws -> Bool { try required(key.stringValue).isNull }

    func decode(_: Bool.Type, forKey key: Key) throws -> Bool {
        let name = key.stringValue
        return try Scalar.bool(try required(name), at: place(name))
    }

    func decode(_: String.Type, forKey key: Key) throws -> String {
        let name = key.stringValue
        return try Scalar.string(try required(name), at: place(name))
    }

    func decode(_: Double.Type, forKey key: Key) throws -> Double {
        let name = key.stringValue
        return try Scalar.double(try required(name), at: place(name))
    }

    func decode(_: Float.Type, forKey key: Key) throws -> Float {
        let name = key.stringValue
        return try Scalar.float(try required(name), at: place(name))
    }

    private func integer<Integer: FixedWidthInteger>(_ key: Key) throws -> Integer {
        let name = key.stringValue
        return try Scalar.integer(try required(name), at: place(name))
    }

    func decode(_: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
    func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
    func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
    func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
    func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
    func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }
    func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
    func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
    func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
    func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
    func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
    func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }

    func decode<Value: Decodable>(_: Value.Type, forKey key: Key) throws -> Value {
        let name = key.stringValue
        return try decoder.inner(try required(name), at: place(name)).complete(Value.self)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try later(required(key.stringValue), key.stringValue).container(keyedBy: Nested.self)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try later(required(key.stringValue), key.stringValue).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { later(optional("super") ?? .null, "super") }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        later(optional(key.stringValue) ?? .null, key.stringValue)
    }

    private func later(_ value: JSONValue, _ name: String) -> ValueDecoder { decoder.later(value, at: place(name)) }
}

/// The elements of an array, one after the other.
struct ArrayReader: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let decoder: ValueDecoder
    private let link: Place.Link
    private(set) var currentIndex = 0

    init(elements: [JSONValue], decoder: ValueDecoder) {
        self.elements = elements
        self.decoder = decoder
        link = Place.Link(decoder.place)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    private var place: Place { .element(currentIndex, of: link) }

    /// The next element, passed over only once it has been decoded.
    private mutating func next<Value>(_ read: (JSONValue, Place) throws -> Value) throws -> Value {
        guard !isAtEnd else { throw place.error(.missingMember, "The array ends after \(elements.count) elements.") }
        let result = try read(elements[currentIndex], place)
        currentIndex += 1
        return result
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd else { throw place.error(.missingMember, "The array ends after \(elements.count) elements.") }
        guard elements[currentIndex].isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode(_: Bool.Type) throws -> Bool { try next(Scalar.bool) }
    mutating func decode(_: String.Type) throws -> String { try next(Scalar.string) }
    mutating func decode(_: Double.Type) throws -> Double { try next(Scalar.double) }
    mutating func decode(_: Float.Type) throws -> Float { try next(Scalar.float) }
    mutating func decode(_: Int.Type) throws -> Int { try next(Scalar.integer) }
    mutating func decode(_: Int8.Type) throws -> Int8 { try next(Scalar.integer) }
    mutating func decode(_: Int16.Type) throws -> Int16 { try next(Scalar.integer) }
    mutating func decode(_: Int32.Type) throws -> Int32 { try next(Scalar.integer) }
    mutating func decode(_: Int64.Type) throws -> Int64 { try next(Scalar.integer) }
    mutating func decode(_: Int128.Type) throws -> Int128 { try next(Scalar.integer) }
    mutating func decode(_: UInt.Type) throws -> UInt { try next(Scalar.integer) }
    mutating func decode(_: UInt8.Type) throws -> UInt8 { try next(Scalar.integer) }
    mutating func decode(_: UInt16.Type) throws -> UInt16 { try next(Scalar.integer) }
    mutating func decode(_: UInt32.Type) throws -> UInt32 { try next(Scalar.integer) }
    mutating func decode(_: UInt64.Type) throws -> UInt64 { try next(Scalar.integer) }
    mutating func decode(_: UInt128.Type) throws -> UInt128 { try next(Scalar.integer) }

    mutating func decode<Value: Decodable>(_: Value.Type) throws -> Value {
        let decoder = decoder
        return try next { try decoder.inner($0, at: $1).complete(Value.self) }
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        let decoder = decoder
        return try next { try decoder.later($0, at: $1).container(keyedBy: Nested.self) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let decoder = decoder
        return try next { try decoder.later($0, at: $1).unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = decoder
        return try next { decoder.later($0, at: $1) }
    }
}

/// A value that is read as one.
struct ScalarReader: SingleValueDecodingContainer {
    let decoder: ValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.value.isNull }
    func decode(_: Bool.Type) throws -> Bool { try Scalar.bool(decoder.value, at: decoder.place) }
    func decode(_: String.Type) throws -> String { try Scalar.string(decoder.value, at: decoder.place) }
    func decode(_: Double.Type) throws -> Double { try Scalar.double(decoder.value, at: decoder.place) }
    func decode(_: Float.Type) throws -> Float { try Scalar.float(decoder.value, at: decoder.place) }
    func decode(_: Int.Type) throws -> Int { try Scalar.integer(decoder.value, at: decoder.place) }
    func decode(_: Int8.Type) throws -> Int8 { try Scalar.integer(decoder.value, at: decoder.place) }
    func decode(_: Int16.Type) throws -> Int16 { try Scalar.integer(decoder.value, at: decoder.place) }
    func decode(_: Int32.Type) throws -> Int32 { try Scalar.integer(decoder.value, at: decoder.place) }
    func decode(_: Int64.Type) throws -> Int64 { try Scalar.integer(decoder.value, at: decoder.place) }
    func decode(_: Int128.Type) throws -> Int128 { try Scalar.integer(decoder.value, at: decoder.place) }
    func decode(_: UInt.Type) throws -> UInt { try Scalar.integer(decoder.value, at: decoder.place) }
    func decode(_: UInt8.Type) throws -> UInt8 { try Scalar.integer(decoder.value, at: decoder.place) }
    func decode(_: UInt16.Type) throws -> UInt16 { try Scalar.integer(decoder.value, at: decoder.place) }
    func decode(_: UInt32.Type) throws -> UInt32 { try Scalar.integer(decoder.value, at: decoder.place) }
    func decode(_: UInt64.Type) throws -> UInt64 { try Scalar.integer(decoder.value, at: decoder.place) }
    func decode(_: UInt128.Type) throws -> UInt128 { try Scalar.integer(decoder.value, at: decoder.place) }

    /// The same value with the same ledger: whoever made the decoder refuses what neither asked for.
    func decode<Value: Decodable>(_: Value.Type) throws -> Value { try Value(from: decoder) }
}

extension JSONValue: Decodable {
    /// Takes the value as it stands, with all its members; throws `dataCorrupted` for a decoder of another format.
    public init(from decoder: any Decoder) throws {
        guard let own = decoder as? ValueDecoder else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "Only JSON can be read as JSON."))
        }
        own.ledger?.takeWhole()
        self = own.value
    }
}
