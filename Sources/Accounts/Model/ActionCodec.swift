public import JSON
public import Persistence
public import Redux

/// Between typed actions and their wire and log forms.
///
/// The names are looked up in the model's own table; nothing here knows an action by name.
public struct ActionCodec<Model: AccountModel>: Sendable {
    private let kinds: [String: ActionKind<Model.Action>]

    /// Builds the table of the model's kinds; traps where two have the same name.
    public init() {
        var kinds: [String: ActionKind<Model.Action>] = [:]
        for kind in Model.Action.kinds {
            precondition(kinds.updateValue(kind, forKey: kind.name) == nil, "two action kinds are named \(kind.name)")
        }
        self.kinds = kinds
    }

    /// Why an action from a client could not be understood.
    public enum Fault: Error, Equatable, Sendable {
        /// No kind has this name; `nearest` are the known ones that look most alike.
        case unknown(name: String, nearest: [String])
        /// Only the service dispatches this one.
        case factFromClient(name: String)
        /// The payload does not have the form of its kind.
        case payload(detail: String, pointer: JSONPointer)
    }

    /// The typed action a client sent; `place` is where the payload stands in the request's body.
    public func decode(name: String, payload: JSONValue?, at place: JSONPointer) throws(Fault) -> Model.Action {
        guard let kind = kinds[name] else {
            throw .unknown(name: name, nearest: nearestNames(to: name, among: Model.Action.kinds.map(\.name)))
        }
        guard kind.origin == .intention else { throw .factFromClient(name: name) }
        do throws(JSONFault) {
            return try JSONDecoding.withDecoder(
                payload ?? .object(JSONObject()), unknownMembers: .refuse, at: place, kind.decode)
        } catch {
            throw .payload(detail: error.detail, pointer: error.pointer)
        }
    }

    /// The log's form of an accepted action.
    public func entry(_ stamped: Model.StampedAction, changed: Bool) throws(JSONFault) -> LogEntry {
        let name = stamped.action.name
        guard let kind = kinds[name] else { preconditionFailure("the action \(name) is not in its model's table") }
        var flags: LogEntry.Flags = []
        if changed { flags.insert(.changed) }
        if stamped.stamp.skewed { flags.insert(.skewed) }
        if stamped.stamp.batched { flags.insert(.batched) }
        let payload = try JSONEncoding.encode(stamped.action.encodePayload(to:))
        let facts: [UInt8]? = if let facts = stamped.facts { try JSONEncoding.encode(facts) } else { nil }
        return LogEntry(
            account: stamped.stamp.account, revision: stamped.stamp.revision, at: stamped.stamp.at, id: stamped.stamp.id,
            name: name,
            version: kind.version, payload: payload, facts: facts, cause: stamped.stamp.cause, flags: flags, trace: nil)
    }

    /// The typed action of a log entry, lifted to the newest form of its payload.
    ///
    /// Throws where the entry cannot be understood: an unknown name or version stops its account, it is never skipped.
    public func stamped(_ entry: LogEntry) throws(HistoryFault) -> Model.StampedAction {
        let stamp = Stamp(
            revision: entry.revision, at: entry.at, id: entry.id, account: entry.account, cause: entry.cause,
            skewed: entry.flags.contains(.skewed), batched: entry.flags.contains(.batched))
        do {
            guard let kind = kinds[entry.name] else { throw HistoryFault.unknownAction(entry.name, at: entry.revision) }
            var payload = try JSONReader.read(entry.payload, limits: .stored)
            guard entry.version <= kind.version else { throw HistoryFault.newerAction(entry.name, at: entry.revision) }
            for version in entry.version..<kind.version {
                guard let lift = kind.upcasters[version] else { throw HistoryFault.unknownAction(entry.name, at: entry.revision) }
                payload = try JSONEncoding.encodeValue(JSONDecoding.withDecoder(payload, unknownMembers: .ignore, lift))
            }
            let action = try JSONDecoding.withDecoder(payload, unknownMembers: .ignore, kind.decode)
            let facts: Model.Facts? =
                if let bytes = entry.facts {
                    try JSONDecoding.decode(
                        Model.Facts.self, from: JSONReader.read(bytes, limits: .stored), unknownMembers: .ignore)
                } else { nil }
            return Stamped(action, facts: facts, stamp: stamp)
        } catch let fault as HistoryFault {
            throw fault
        } catch {
            throw .undecodable("action \(entry.name)", at: entry.revision, detail: "\(error)")
        }
    }
}

/// Why an account's stored history cannot be turned into a state. Such an account is set aside, with its log intact.
public enum HistoryFault: Error, Equatable, Sendable {
    case unknownAction(String, at: Revision)
    case newerAction(String, at: Revision)
    case undecodable(String, at: Revision, detail: String)
    /// The reducer refused an action it had accepted.
    case refused(String, at: Revision, detail: String)
    /// A slice was stored under a schema version that this build does not know.
    case unknownSchema(slice: String, version: Int)
    /// The fold reached a state whose hash is not the stored one.
    case differs(at: Revision)
}
