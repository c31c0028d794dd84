public import Persistence
public import Redux

/// Turns stored history into a state: a snapshot (or the initial state) and the fold of the log behind it.
public struct History<Model: AccountModel>: Sendable {
    /// Reads log entries as typed actions.
    public let actions: ActionCodec<Model>
    /// Reads snapshots as typed states.
    public let states: StateCodec<Model>

    /// Builds both codecs' tables, so one is made and shared.
    public init() {
        actions = ActionCodec()
        states = StateCodec()
    }

    /// A state and where it stands in its account's life.
    public struct Point: Sendable {
        /// In the form of this build, whatever version it was stored in.
        public var state: Model.State
        /// Of the last entry that has been folded; 0 for the initial state.
        public var revision: Revision
    }

    /// Where a fold starts: the snapshot, or the initial state at revision 0.
    public func start(of account: AccountID, from snapshot: SnapshotRecord?) throws(HistoryFault) -> Point {
        guard let snapshot else { return Point(state: Model.initialState(for: account), revision: 0) }
        return Point(state: try states.state(of: snapshot), revision: snapshot.revision)
    }

    /// Applies one log entry. Its reducer accepted it once; a refusal now means that the reducer has changed.
    public func apply(_ entry: LogEntry, to point: inout Point) throws(HistoryFault) {
        precondition(entry.revision == point.revision + 1, "a log is folded without gaps")
        let action = try actions.stamped(entry)
        do throws(Refusal) {
            try Model.reduce(into: &point.state, action: action)
        } catch {
            throw .refused(entry.name, at: entry.revision, detail: error.kind.slug)
        }
        point.revision = entry.revision
    }

    /// The state after the whole of `tail`.
    public func fold(_ account: AccountID, from snapshot: SnapshotRecord?, tail: [LogEntry]) throws(HistoryFault) -> Point {
        var point = try start(of: account, from: snapshot)
        for entry in tail { try apply(entry, to: &point) }
        return point
    }
}
