/// JSON values to Swift values, through `Codable`.
///
/// Stricter than Foundation's decoder: integers are exact and in range (`1.0` and `1e2` are integers, 1.5 is none), and members that
/// the type never asked for can be refused. A type asks for a member by `contains`, `decode`, `decodeIfPresent`, `nestedContainer` or
/// by finding it in `allKeys`; members of an object that a type does not look into at all are unknown, too.
/// Every fault carries the JSON Pointer of its place and a sentence to mend it by. Types see them as the `DecodingError`s that
/// `Codable` prescribes.
public enum JSONDecoding {
    /// What happens to members that the type did not ask for.
    public enum UnknownMembers: Sendable {
        case refuse, ignore
    }

    /// Decodes a value.
    ///
    /// - Parameter place: where the value stands in the document a fault's pointer is to be read in.
    public static func decode<Value: Decodable>(
        _: Value.Type, from value: JSONValue, unknownMembers: UnknownMembers = .refuse, at place: JSONPointer = .root
    ) throws(JSONFault) -> Value {
        try withDecoder(value, unknownMembers: unknownMembers, at: place) { decoder in
            try decoder.singleValueContainer().decode(Value.self)
        }
    }

    /// Reads a text and decodes its value.
    public static func decode<Value: Decodable>(
        _: Value.Type, from bytes: [UInt8], limits: JSONLimits = .request, unknownMembers: UnknownMembers = .refuse
    ) throws(JSONFault) -> Value {
        try decode(Value.self, from: JSONReader.read(bytes, limits: limits), unknownMembers: unknownMembers)
    }

    /// Runs a closure with a decoder of a value. Members it did not ask for are refused after it has returned.
    public static func withDecoder<Result>(
        _ value: JSONValue, unknownMembers: UnknownMembers = .refuse, at place: JSONPointer = .root,
        _ body: (any Decoder) throws -> Result
    ) throws(JSONFault) -> Result {
        let decoder = ValueDecoder(value, at: Place(place), ledger: unknownMembers == .refuse ? Ledger() : nil)
        do {
            let result = try body(decoder)
            try decoder.refuseUnknownMembers()
            return result
        } catch {
            throw JSONFault(caught: error, at: place)
        }
    }
}

/// A place in the value being decoded, as a chain from the inside out, turned into a pointer only on a fault.
///
/// A place is made for each member and element, so it must cost nothing: memory is taken for a container's own place only (`Link`).
struct Place {
    /// The place of a container, shared by those of its contents.
    final class Link: Sendable {
        let place: Place

        init(_ place: Place) {
            self.place = place
        }
    }

    private enum Step {
        case root([String])
        case member(String)
        case element(Int)
    }

    private let outer: Link?
    private let step: Step

    private init(_ outer: Link?, _ step: Step) {
        self.outer = outer
        self.step = step
    }

    init(_ pointer: JSONPointer) {
        self.init(nil, .root(pointer.tokens))
    }

    static func member(_ name: String, of outer: Link) -> Place { Place(outer, .member(name)) }
    static func element(_ index: Int, of outer: Link) -> Place { Place(outer, .element(index)) }

    var tokens: [String] { codingPath.map(\.stringValue) }

    /// The path as `Codable` wants it.
    var codingPath: [any CodingKey] {
        let before = outer?.place.codingPath ?? []
        return switch step {
        case .root(let tokens): tokens.map(PathKey.init(stringValue:))
        case .member(let name): before + [PathKey(stringValue: name)]
        case .element(let index): before + [PathKey(intValue: index)]
        }
    }

    /// A fault here, in the clothes `Codable` prescribes.
    func error(_ kind: JSONFault.Kind, _ detail: String) -> DecodingError {
        let fault = JSONFault(kind, pointer: JSONPointer(tokens), detail)
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: detail, underlyingError: fault)
        switch kind {
        case .missingMember: return .keyNotFound(codingPath.last ?? PathKey(stringValue: ""), context)
        case .wrongType: return .typeMismatch(Any.self, context)
        default: return .dataCorrupted(context)
        }
    }
}
