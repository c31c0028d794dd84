public import Persistence
public import Redux

/// Checks one account's history: every log entry against the chain (Persistence does that), and stored states against the fold.
///
/// A value driven by a walk: it is told each step and says what it finds wrong. Pure, so that it runs against a live database.
public struct Verification<Model: AccountModel> {
    /// What is asked.
    public enum Question: Hashable, Sendable {
        /// Is all as it was stored? States of other versions are not compared: this build may have good reasons to differ.
        case isWhole
        /// Would this build come to the states that were stored, whichever build stored them?
        case agreesWithThisBuild
    }

    private let history: History<Model>
    private let account: AccountID
    private let question: Question
    private var point: History<Model>.Point?
    /// What keeps this build from folding on; it counts only where no later base makes the fold unnecessary.
    private var obstacle: Inspector.Finding?
    /// Entries folded so far.
    public private(set) var folded = 0
    /// Stored states compared so far.
    public private(set) var compared = 0
    /// Whether the newest stored state is of another version of the model: a migration comes with the account's next action.
    public private(set) var isOfOtherVersion = false

    /// Waits for the first step of the account's walk; asks by default whether all is as it was stored.
    public init(of account: AccountID, with history: History<Model>, asking question: Question = .isWhole) {
        self.account = account
        self.history = history
        self.question = question
    }

    /// Takes a step of the walk; returns what is wrong with it.
    public mutating func take(_ step: WalkStep) -> Inspector.Finding? {
        switch step {
        case .start(let snapshot):
            start(from: snapshot)
        case .entries(let entries):
            for entry in entries { fold(entry) }
        case .snapshot(let snapshot):
            isOfOtherVersion = !history.states.isOfThisVersion(snapshot)
            if snapshot.isBase {
                start(from: snapshot)
            } else {
                return compare(snapshot)
            }
        }
        return nil
    }

    /// What is left at the end of the walk.
    public func finish() -> Inspector.Finding? { obstacle }

    private mutating func start(from snapshot: SnapshotRecord?) {
        obstacle = nil
        do throws(HistoryFault) { point = try history.start(of: account, from: snapshot) } catch { stop(at: error) }
    }

    private mutating func fold(_ entry: LogEntry) {
        guard var next = point else { return }
        point = nil
        do throws(HistoryFault) {
            try history.apply(entry, to: &next)
            folded += 1
            point = next
        } catch {
            stop(at: error)
        }
    }

    private mutating func stop(at fault: HistoryFault) {
        point = nil
        obstacle = Inspector.Finding(account: account, revision: fault.revision, reason: fault.reason)
    }

    private mutating func compare(_ snapshot: SnapshotRecord) -> Inspector.Finding? {
        guard let point, point.revision == snapshot.revision else { return nil }
        guard history.states.isOfThisVersion(snapshot) else {
            guard question == .agreesWithThisBuild, obstacle == nil else { return nil }
            compared += 1
            // Compared in today's form.
            guard let stored = try? history.states.state(of: snapshot) else {
                stop(at: .undecodable("snapshot", at: snapshot.revision, detail: "no migration leads from its schema to today's"))
                return nil
            }
            if stored != point.state { obstacle = differs(snapshot) }
            return nil
        }
        compared += 1
        guard let bytes = try? history.states.encode(point.state), bytes == snapshot.state else { return differs(snapshot) }
        return nil
    }

    private func differs(_ snapshot: SnapshotRecord) -> Inspector.Finding {
        Inspector.Finding(
            account: account, revision: snapshot.revision, reason: "the stored state is not the fold of the log")
    }
}

extension HistoryFault {
    /// Where the history stops being understood.
    public var revision: Revision? {
        switch self {
        case .unknownAction(_, let revision), .newerAction(_, let revision), .undecodable(_, let revision, _),
            .refused(_, let revision, _), .differs(let revision):
            revision
        case .unknownSchema: nil
        }
    }

    /// One sentence for a person.
    public var reason: String {
        switch self {
        case .unknownAction(let name, _): "the action \(name) is not known to this build"
        case .newerAction(let name, _): "the action \(name) was written by a newer build"
        case .undecodable(let what, _, let detail): "the \(what) cannot be read: \(detail)"
        case .refused(let name, _, let detail): "the reducer refuses \(name), which it had accepted: \(detail)"
        case .unknownSchema(let slice, let version):
            "the slice \(slice) has schema version \(version), which this build does not know"
        case .differs: "the fold's state is not the stored one"
        }
    }
}
