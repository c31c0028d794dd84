internal import JSON
internal import Redux

/// What a `Decodable` type asks of its decoder, as a JSON Schema: found by letting it read an example, and noting every question.
///
/// So a payload's schema is made from the code that reads it, not written beside it. Bounds that a type checks for itself are not
/// seen; what it reads only for other values than the example's is not either.
final class SchemaNode {
    /// JSON Schema's type; nil where nothing is known.
    private(set) var type: String?
    private var format: String?
    private var values: [String] = []
    private var isNullable = false
    private var members: [String: SchemaNode] = [:]
    private var required: Set<String> = []
    /// Asked for in a way that takes no for an answer.
    private var optional: Set<String> = []
    private var items: SchemaNode?

    /// The schema of what `decode` reads; `example` must be understood by it.
    static func probe(_ example: JSONValue, _ decode: (any Decoder) throws -> Void) -> JSONValue {
        let node = SchemaNode()
        do {
            // At first as if every member were there, so that a type which looks before it asks does ask.
            try decode(ProbeDecoder(example, node, pretends: true))
        } catch {
            node.forget()
            try? decode(ProbeDecoder(example, node, pretends: false))
        }
        return node.schema
    }

    var schema: JSONValue {
        var schema = JSONObject()
        if let type { schema["type"] = isNullable ? .array([.string(type), .string("null")]) : .string(type) }
        if let format { schema["format"] = .string(format) }
        if !values.isEmpty { schema["enum"] = .array(values.map(JSONValue.string) + (isNullable ? [.null] : [])) }
        if type == "object" {
            var properties = JSONObject()
            for (name, node) in members { properties[name] = node.schema }
            schema["properties"] = .object(properties)
            schema["additionalProperties"] = false
            let required = self.required.subtracting(optional).sorted()
            if !required.isEmpty { schema["required"] = .array(required.map(JSONValue.string)) }
        }
        if type == "array" { schema["items"] = items?.schema ?? .object(JSONObject()) }
        return .object(schema)
    }

    private func forget() {
        members = [:]
        required = []
        optional = []
        type = nil
    }

    fileprivate func isObject() { type = "object" }
    fileprivate func maybeNull() { isNullable = true }

    fileprivate func element() -> SchemaNode {
        type = "array"
        let node = items ?? SchemaNode()
        items = node
        return node
    }

    fileprivate func member(_ name: String, required isRequired: Bool) -> SchemaNode {
        let node = members[name] ?? SchemaNode()
        members[name] = node
        if isRequired { required.insert(name) } else { optional.insert(name) }
        return node
    }

    /// Notes the type of a scalar; false where it is none.
    fileprivate func note(_ wanted: Any.Type) -> Bool {
        if wanted == Bool.self {
            type = "boolean"
        } else if wanted == String.self {
            type = "string"
        } else if wanted == Double.self || wanted == Float.self {
            type = "number"
        } else if wanted is any FixedWidthInteger.Type {
            type = "integer"
            format = wanted == Int32.self ? "int32" : "int64"
        } else if let cases = wanted as? any CaseIterable.Type, let texts = Self.texts(of: cases) {
            type = "string"
            values = texts
            return false
        } else {
            return false
        }
        return true
    }

    private static func texts<Cases: CaseIterable>(of cases: Cases.Type) -> [String]? {
        let texts = cases.allCases.map { ($0 as? any RawRepresentable)?.rawValue as? String }
        return texts.contains { $0 == nil } ? nil : texts.compactMap { $0 }
    }
}

/// Hands out the example, and notes what was asked for.
private struct ProbeDecoder: Decoder {
    let value: JSONValue
    let node: SchemaNode
    /// Whether members are said to be there that are not.
    let pretends: Bool
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ value: JSONValue, _ node: SchemaNode, pretends: Bool) {
        self.value = value
        self.node = node
        self.pretends = pretends
    }

    func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
        node.isObject()
        return KeyedDecodingContainer(ProbedMembers<Key>(decoder: self, object: value.object ?? JSONObject()))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        ProbedElements(decoder: self, elements: value.array ?? [], node: node.element())
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { ProbedValue(decoder: self) }

    func read<Value: Decodable>(_: Value.Type) throws -> Value {
        guard node.note(Value.self) else { return try Value(from: self) }
        let found: Any? =
            switch Value.self {
            case is Bool.Type: value.bool
            case is String.Type: value.string
            case is Double.Type: value.double
            case is Float.Type: value.double.map { Float($0) }
            case let integer as any FixedWidthInteger.Type: value.integer.flatMap { integer.init(exactly: $0) }
            default: nil
            }
        guard let found = found as? Value else {
            throw DecodingError.valueNotFound(Value.self, .init(codingPath: [], debugDescription: ""))
        }
        return found
    }
}

private struct ProbedMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ProbeDecoder
    let object: JSONObject
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.name) } }

    private func inner(_ key: Key, required: Bool) -> ProbeDecoder {
        let node = decoder.node.member(key.stringValue, required: required)
        return ProbeDecoder(object[key.stringValue] ?? .null, node, pretends: decoder.pretends)
    }

    func contains(_ key: Key) -> Bool {
        _ = decoder.node.member(key.stringValue, required: false)
        return decoder.pretends || object[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        inner(key, required: false).node.maybeNull()
        return object[key.stringValue].map(\.isNull) ?? true
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try inner(key, required: true).read(type)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        let inner = inner(key, required: false)
        inner.node.maybeNull()
        guard let value = object[key.stringValue], !value.isNull else {
            _ = inner.node.note(type)
            return nil
        }
        return try inner.read(type)
    }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try inner(key, required: true).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try inner(key, required: true).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { inner(key, required: true) }
}

private struct ProbedElements: UnkeyedDecodingContainer {
    let decoder: ProbeDecoder
    let elements: [JSONValue]
    let node: SchemaNode
    private(set) var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(decoder: ProbeDecoder, elements: [JSONValue], node: SchemaNode) {
        self.decoder = decoder
        self.elements = elements
        self.node = node
    }

    private mutating func next() throws -> ProbeDecoder {
        guard !isAtEnd else { throw DecodingError.valueNotFound(Any.self, .init(codingPath: [], debugDescription: "")) }
        defer { currentIndex += 1 }
        return ProbeDecoder(elements[currentIndex], node, pretends: decoder.pretends)
    }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, elements[currentIndex].isNull else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().read(type) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct ProbedValue: SingleValueDecodingContainer {
    let decoder: ProbeDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool {
        decoder.node.maybeNull()
        return decoder.value.isNull
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.read(type) }
}
