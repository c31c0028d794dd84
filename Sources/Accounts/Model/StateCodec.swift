public import JSON
public import Persistence
public import Redux

/// Between typed states and their canonical JSON, across schema versions.
public struct StateCodec<Model: AccountModel>: Sendable {
    /// The schema versions of today's slices, as they are stored beside a snapshot: canonical JSON `{"slice": version}`.
    public let schema: [UInt8]

    /// Writes down today's schema versions; traps where two slices have the same name.
    public init() {
        let versions = Dictionary(uniqueKeysWithValues: Model.slices.map { ($0.name, $0.version) })
        guard let schema = try? JSONEncoding.encode(versions) else { preconditionFailure("slice names are plain strings") }
        self.schema = schema
    }

    /// Schema and reducer versions in one, for `Database.Options.modelVersion`.
    public var version: [UInt8] { schema + Array("/\(Model.reducerVersion)".utf8) }

    /// Whether a stored state was stored by this version of the model.
    public func isOfThisVersion(_ snapshot: SnapshotRecord) -> Bool {
        snapshot.schema == schema && snapshot.reducerVersion == Model.reducerVersion
    }

    /// The state's canonical JSON.
    public func encode(_ state: Model.State) throws(JSONFault) -> [UInt8] { try JSONEncoding.encode(state) }

    /// A snapshot of the state at a revision, to be stored.
    public func snapshot(_ state: Model.State, of account: AccountID, at revision: Revision, isBase: Bool = false)
        throws(JSONFault) -> SnapshotRecord
    {
        SnapshotRecord(
            account: account, revision: revision, schema: schema, reducerVersion: Model.reducerVersion, state: try encode(state),
            isBase: isBase)
    }

    /// The state of a snapshot, each slice migrated step by step to today's version. Pure: the stored bytes stay as they are.
    public func state(of snapshot: SnapshotRecord) throws(HistoryFault) -> Model.State {
        do {
            var value = try JSONReader.read(snapshot.state, limits: .stored)
            if snapshot.schema != schema {
                value = try migrate(
                    value,
                    from: JSONDecoding.decode([String: Int].self, from: JSONReader.read(snapshot.schema), unknownMembers: .ignore)
                )
            }
            return try JSONDecoding.decode(Model.State.self, from: value, unknownMembers: .ignore)
        } catch let fault as HistoryFault {
            throw fault
        } catch {
            throw .undecodable("snapshot", at: snapshot.revision, detail: "\(error)")
        }
    }

    private func migrate(_ state: JSONValue, from versions: [String: Int]) throws -> JSONValue {
        guard case .object(var members) = state else { return state }
        for slice in Model.slices {
            // A slice that was not there takes its defaults when the state is decoded.
            guard let stored = versions[slice.name], var value = members[slice.name] else { continue }
            guard stored <= slice.version else { throw HistoryFault.unknownSchema(slice: slice.name, version: stored) }
            for version in stored..<slice.version {
                guard let step = slice.migrations[version] else {
                    throw HistoryFault.unknownSchema(slice: slice.name, version: stored)
                }
                value = try JSONEncoding.encodeValue(JSONDecoding.withDecoder(value, unknownMembers: .ignore, step))
            }
            members[slice.name] = value
        }
        return .object(members)
    }
}
