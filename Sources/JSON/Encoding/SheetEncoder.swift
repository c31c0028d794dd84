// The faces of `EncodingSheet` that `Codable` asks for. Each is a reference and an id, so that it fits an existential's own words.

/// The encoder of one value.
struct SheetEncoder: Encoder {
    let sheet: EncodingSheet
    let frame: Int

    var codingPath: [any CodingKey] { sheet.path.map(PathKey.init(stringValue:)) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
        sheet.open(.object, in: frame)
        return KeyedEncodingContainer(SheetObject<Key>(sheet: sheet, frame: frame))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        sheet.open(.array, in: frame)
        return SheetArray(sheet: sheet, frame: frame)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SheetScalar(sheet: sheet, frame: frame)
    }
}

/// The members of an object.
struct SheetObject<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let sheet: EncodingSheet
    let frame: Int

    var codingPath: [any CodingKey] { sheet.path.map(PathKey.init(stringValue:)) }

    /// Writes a member whose value may have no JSON form; where it has none, nothing of it stays.
    private func member(_ key: Key, _ write: (EncodingSheet) throws -> Void) throws {
        try sheet.step({ try $0.startMember(key.stringValue, in: frame) }, write)
    }

    private func integer(_ integer: Int64, _ key: Key) throws {
        try sheet.page.member(key.stringValue, in: frame, integer)
    }

    func encodeNil(forKey key: Key) throws { try sheet.page.nullMember(key.stringValue, in: frame) }
    func encode(_ value: Bool, forKey key: Key) throws { try sheet.page.member(key.stringValue, in: frame, value) }
    func encode(_ value: String, forKey key: Key) throws { try sheet.page.member(key.stringValue, in: frame, value) }
    func encode(_ value: Double, forKey key: Key) throws { try member(key) { try $0.write(value) } }
    func encode(_ value: Float, forKey key: Key) throws { try member(key) { try $0.write(value) } }
    func encode(_ value: Int, forKey key: Key) throws { try integer(Int64(value), key) }
    func encode(_ value: Int8, forKey key: Key) throws { try integer(Int64(value), key) }
    func encode(_ value: Int16, forKey key: Key) throws { try integer(Int64(value), key) }
    func encode(_ value: Int32, forKey key: Key) throws { try integer(Int64(value), key) }
    func encode(_ value: Int64, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try member(key) { $0.write(value) } }
    func encode(_ value: UInt, forKey key: Key) throws { try member(key) { $0.write(value) } }
    func encode(_ value: UInt8, forKey key: Key) throws { try integer(Int64(value), key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try integer(Int64(value), key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try integer(Int64(value), key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try member(key) { $0.write(value) } }
    func encode(_ value: UInt128, forKey key: Key) throws { try member(key) { $0.write(value) } }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try sheet.member(key.stringValue, in: frame, value)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        let later = sheet.laterMember(key.stringValue, in: frame)
        later.open(.object, in: EncodingSheet.rootID)
        return KeyedEncodingContainer(SheetObject<Nested>(sheet: later, frame: EncodingSheet.rootID))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        let later = sheet.laterMember(key.stringValue, in: frame)
        later.open(.array, in: EncodingSheet.rootID)
        return SheetArray(sheet: later, frame: EncodingSheet.rootID)
    }

    func superEncoder() -> any Encoder { superEncoder(named: "super") }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder(named: key.stringValue) }

    private func superEncoder(named name: String) -> any Encoder {
        let later = sheet.laterMember(name, in: frame)
        return SheetEncoder(sheet: later, frame: EncodingSheet.rootID)
    }
}

/// The elements of an array.
struct SheetArray: UnkeyedEncodingContainer {
    let sheet: EncodingSheet
    let frame: Int

    var codingPath: [any CodingKey] { sheet.path.map(PathKey.init(stringValue:)) }
    var count: Int { sheet.count(in: frame) }

    private func element(_ write: (EncodingSheet) throws -> Void) throws {
        try sheet.step({ try $0.startElement(in: frame) }, write)
    }

    private func integer(_ integer: Int64) throws {
        try element { CanonicalText.append(integer, to: &$0.page.bytes) }
    }

    func encodeNil() throws { try element { CanonicalText.appendNull(to: &$0.page.bytes) } }
    func encode(_ value: Bool) throws { try element { CanonicalText.append(value, to: &$0.page.bytes) } }
    func encode(_ value: String) throws { try element { CanonicalText.append(value, to: &$0.page.bytes) } }
    func encode(_ value: Double) throws { try element { try $0.write(value) } }
    func encode(_ value: Float) throws { try element { try $0.write(value) } }
    func encode(_ value: Int) throws { try integer(Int64(value)) }
    func encode(_ value: Int8) throws { try integer(Int64(value)) }
    func encode(_ value: Int16) throws { try integer(Int64(value)) }
    func encode(_ value: Int32) throws { try integer(Int64(value)) }
    func encode(_ value: Int64) throws { try integer(value) }
    func encode(_ value: Int128) throws { try element { $0.write(value) } }
    func encode(_ value: UInt) throws { try element { $0.write(value) } }
    func encode(_ value: UInt8) throws { try integer(Int64(value)) }
    func encode(_ value: UInt16) throws { try integer(Int64(value)) }
    func encode(_ value: UInt32) throws { try integer(Int64(value)) }
    func encode(_ value: UInt64) throws { try element { $0.write(value) } }
    func encode(_ value: UInt128) throws { try element { $0.write(value) } }

    func encode<Value: Encodable>(_ value: Value) throws {
        try sheet.element(in: frame, value)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type) -> KeyedEncodingContainer<Nested> {
        let later = sheet.laterElement(in: frame)
        later.open(.object, in: EncodingSheet.rootID)
        return KeyedEncodingContainer(SheetObject<Nested>(sheet: later, frame: EncodingSheet.rootID))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let later = sheet.laterElement(in: frame)
        later.open(.array, in: EncodingSheet.rootID)
        return SheetArray(sheet: later, frame: EncodingSheet.rootID)
    }

    func superEncoder() -> any Encoder {
        let later = sheet.laterElement(in: frame)
        return SheetEncoder(sheet: later, frame: EncodingSheet.rootID)
    }
}

/// A value that is no container.
struct SheetScalar: SingleValueEncodingContainer {
    let sheet: EncodingSheet
    let frame: Int

    var codingPath: [any CodingKey] { sheet.path.map(PathKey.init(stringValue:)) }

    private func scalar(_ write: (EncodingSheet) throws -> Void) throws {
        try sheet.page.startScalar(in: frame)
        try write(sheet)
    }

    func encodeNil() throws { try scalar { CanonicalText.appendNull(to: &$0.page.bytes) } }
    func encode(_ value: Bool) throws { try scalar { CanonicalText.append(value, to: &$0.page.bytes) } }
    func encode(_ value: String) throws { try scalar { CanonicalText.append(value, to: &$0.page.bytes) } }
    func encode(_ value: Double) throws { try scalar { try $0.write(value) } }
    func encode(_ value: Float) throws { try scalar { try $0.write(value) } }
    func encode(_ value: Int) throws { try scalar { $0.write(value) } }
    func encode(_ value: Int8) throws { try scalar { $0.write(value) } }
    func encode(_ value: Int16) throws { try scalar { $0.write(value) } }
    func encode(_ value: Int32) throws { try scalar { $0.write(value) } }
    func encode(_ value: Int64) throws { try scalar { $0.write(value) } }
    func encode(_ value: Int128) throws { try scalar { $0.write(value) } }
    func encode(_ value: UInt) throws { try scalar { $0.write(value) } }
    func encode(_ value: UInt8) throws { try scalar { $0.write(value) } }
    func encode(_ value: UInt16) throws { try scalar { $0.write(value) } }
    func encode(_ value: UInt32) throws { try scalar { $0.write(value) } }
    func encode(_ value: UInt64) throws { try scalar { $0.write(value) } }
    func encode(_ value: UInt128) throws { try scalar { $0.write(value) } }
    func encode<Value: Encodable>(_ value: Value) throws { try sheet.single(value, in: frame) }
}

extension EncodingSheet {
    /// How many elements the array in a frame has; 0 once it is complete.
    func count(in id: Int) -> Int { page.top.id == id ? page.top.count : page.outer.last { $0.id == id }?.count ?? 0 }

    /// Writes an integer of any width.
    func write(_ integer: some FixedWidthInteger) {
        if let small = Int64(exactly: integer) {
            CanonicalText.append(small, to: &page.bytes)
        } else {
            JSONValue(integer).write(to: &page.bytes)
        }
    }

    /// Writes a floating-point number with the fewest digits that read back as it.
    func write(_ double: Double) throws {
        guard let value = JSONValue(double) else { throw EncodingPage.Misuse(detail: "JSON has no number for \(double).") }
        value.write(to: &page.bytes)
    }

    /// Writes a floating-point number with the fewest digits that read back as it in single precision.
    func write(_ float: Float) throws {
        guard let value = JSONValue(float) else { throw EncodingPage.Misuse(detail: "JSON has no number for \(float).") }
        value.write(to: &page.bytes)
    }
}

extension JSONValue {
    /// Like the value of a `Double`, with the digits that single precision needs.
    init?(_ float: Float) {
        guard float.isFinite else { return nil }
        if let integer = Int64(exactly: float) {
            self = .integer(integer)
        } else {
            self = Decimal(asciiText: float.description).value
        }
    }
}

extension JSONValue: Encodable {
    /// Writes the canonical text into this module's encoder; for any other, a `number` becomes the nearest `Double`.
    public func encode(to encoder: any Encoder) throws {
        if let own = encoder as? SheetEncoder {
            try own.sheet.page.startScalar(in: own.frame)
            return write(to: &own.sheet.page.bytes)
        }
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let flag): try flag.encode(to: encoder)
        case .integer(let integer): try integer.encode(to: encoder)
        case .number(let number): try number.double.encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .array(let elements): try elements.encode(to: encoder)
        case .object(let object):
            var container = encoder.container(keyedBy: PathKey.self)
            for member in object.members { try container.encode(member.value, forKey: PathKey(stringValue: member.name)) }
        }
    }
}
