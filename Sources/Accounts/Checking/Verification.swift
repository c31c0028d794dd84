package import Persistence
package import Redux

/// Checks one account's history: every log entry against the chain (Persistence does that), and every stored state against the fold.
///
/// A value driven by a walk: it is told each step and says what it finds wrong. Pure, so that it runs against a live database.
package struct Verification<Model: AccountModel> {
    private let history: History<Model>
    private let account: AccountID
    private var point: History<Model>.Point?
    /// Entries folded so far.
    package private(set) var folded = 0
    /// Stored states compared so far.
    package private(set) var compared = 0

    package init(of account: AccountID, with history: History<Model>) {
        self.account = account
        self.history = history
    }

    /// Takes a step of the walk; returns what is wrong with it.
    package mutating func take(_ step: WalkStep) -> Inspector.Finding? {
        do throws(HistoryFault) {
            switch step {
            case .start(let snapshot): point = try history.start(of: account, from: snapshot)
            case .entries(let entries):
                for entry in entries {
                    try fold(entry)
                }
            case .snapshot(let snapshot): return try compare(snapshot)
            }
            return nil
        } catch {
            // What follows cannot be folded on a state that is not known.
            point = nil
            return Inspector.Finding(account: account, revision: error.revision, reason: error.reason)
        }
    }

    private mutating func fold(_ entry: LogEntry) throws(HistoryFault) {
        guard var next = point else { return }
        point = nil
        try history.apply(entry, to: &next)
        folded += 1
        point = next
    }

    private mutating func compare(_ snapshot: SnapshotRecord) throws(HistoryFault) -> Inspector.Finding? {
        guard !snapshot.isBase else {
            point = try history.start(of: account, from: snapshot)
            return nil
        }
        guard let point, point.revision == snapshot.revision else { return nil }
        compared += 1
        // A snapshot of an older schema is compared in today's form.
        let stored = try history.states.state(of: snapshot)
        guard stored != point.state else { return nil }
        return Inspector.Finding(account: account, revision: snapshot.revision, reason: "the stored state is not the fold of the log")
    }
}

extension HistoryFault {
    /// Where the history stops being understood.
    package var revision: Revision? {
        switch self {
        case .unknownAction(_, let revision), .newerAction(_, let revision), .undecodable(_, let revision, _),
            .refused(_, let revision, _), .differs(let revision):
            revision
        case .unknownSchema: nil
        }
    }

    /// One sentence for a person.
    package var reason: String {
        switch self {
        case .unknownAction(let name, _): "the action \(name) is not known to this build"
        case .newerAction(let name, _): "the action \(name) was written by a newer build"
        case .undecodable(let what, _, let detail): "the \(what) cannot be read: \(detail)"
        case .refused(let name, _, let detail): "the reducer refuses \(name), which it had accepted: \(detail)"
        case .unknownSchema(let slice, let version): "the slice \(slice) has schema version \(version), which this build does not know"
        case .differs: "the fold's state is not the stored one"
        }
    }
}
