/// Who may dispatch an action: clients intend, the service reports.
public enum ActionOrigin: String, Sendable {
    /// Something a client asks for.
    case intention
    /// Something that happened, dispatched by the service only; from a client it is refused (403).
    case fact
}

/// One wire name (`domain/event`) and how its payload becomes a typed action.
public struct ActionKind<Action: Sendable>: Sendable {
    /// The name on the wire, `domain/event`.
    public let name: String
    /// Who may dispatch it.
    public let origin: ActionOrigin
    /// The version of the payload's form, logged with each action; raised together with an entry in `upcasters`.
    public let version: Int
    /// One line for documents, command help and the developer page.
    public let summary: String
    /// Reads the payload. An action without one is decoded from `{}`.
    public let decode: @Sendable (any Decoder) throws -> Action
    /// From a logged version to the next, by reading the old form and returning an encodable new one.
    public let upcasters: [Int: @Sendable (any Decoder) throws -> any Encodable & Sendable]
    /// A payload that is understood (not always accepted), for documents and templates; nil where there is none.
    public let example: (any Encodable & Sendable)?

    /// A kind whose payload `decode` reads.
    public init(
        _ name: String, _ origin: ActionOrigin, version: Int = 1, summary: String, example: (any Encodable & Sendable)? = nil,
        upcasters: [Int: @Sendable (any Decoder) throws -> any Encodable & Sendable] = [:],
        decode: @escaping @Sendable (any Decoder) throws -> Action
    ) {
        self.name = name
        self.origin = origin
        self.version = version
        self.summary = summary
        self.example = example
        self.upcasters = upcasters
        self.decode = decode
    }

    /// A kind whose payload is one Codable value.
    public static func kind<Payload: Codable & Sendable>(
        _ name: String, _ origin: ActionOrigin = .intention, version: Int = 1, summary: String, example: Payload,
        upcasters: [Int: @Sendable (any Decoder) throws -> any Encodable & Sendable] = [:],
        _ make: @escaping @Sendable (Payload) -> Action
    ) -> ActionKind {
        ActionKind(name, origin, version: version, summary: summary, example: example, upcasters: upcasters) { decoder in
            make(try Payload(from: decoder))
        }
    }

    /// A kind without a payload: `{}` and absence are the same, any member is refused.
    public static func kind(
        _ name: String, _ origin: ActionOrigin = .intention, summary: String, _ action: Action
    ) -> ActionKind {
        ActionKind(name, origin, summary: summary) { decoder in
            _ = try NoPayload(from: decoder)
            return action
        }
    }
}

/// The payload of an action that has none. Asks its decoder for an object without members.
public struct NoPayload: Codable, Hashable, Sendable {
    private enum CodingKeys: CodingKey {}

    /// The empty payload.
    public init() {}

    /// Reads an object; the decoder refuses members nobody asked for.
    public init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: CodingKeys.self)
    }

    /// Writes `{}`.
    public func encode(to encoder: any Encoder) throws {
        _ = encoder.container(keyedBy: CodingKeys.self)
    }
}

/// An action with a name on the wire.
public protocol WireAction: Sendable {
    /// Every kind, in the order of the documents. Names are unique.
    static var kinds: [ActionKind<Self>] { get }

    /// The name of this action's kind, one of `kinds`.
    var name: String { get }

    /// Writes the payload in its newest form; the payload of an action without one is `NoPayload`.
    func encodePayload(to encoder: any Encoder) throws
}
