public import Redux

/// A stored state: a cache of the fold of the log, or (a base) the start of that fold.
///
/// Persistence adds the chain value at `revision` and a BLAKE2b-128 hash over all members, and checks both when it reads one.
public struct SnapshotRecord: Hashable, Sendable {
    /// Whose state it is.
    public var account: AccountID
    /// The last revision that the state has in it.
    public var revision: Revision
    /// Canonical JSON: slice name to schema version.
    public var schema: [UInt8]
    /// `AccountModel.reducerVersion` of the model that made the state.
    public var reducerVersion: Int
    /// The canonical JSON of the whole state.
    public var state: [UInt8]
    /// The log before `revision` is not needed, or not valid, for folding what follows. Bases are kept for good.
    public var isBase: Bool

    /// A cache, unless it is said to be a base.
    public init(
        account: AccountID, revision: Revision, schema: [UInt8], reducerVersion: Int, state: [UInt8], isBase: Bool = false
    ) {
        self.account = account
        self.revision = revision
        self.schema = schema
        self.reducerVersion = reducerVersion
        self.state = state
        self.isBase = isBase
    }
}
