public import JSON
public import Persistence
public import Redux
internal import Sodium

/// Folds an account's history, one entry after the other, and names each state by its hash.
public struct HashedFold<Model: AccountModel> {
    private let history: History<Model>
    private let account: AccountID
    /// Where the fold stands; nil before it starts, and from where this build cannot go on.
    public private(set) var point: History<Model>.Point?
    /// Why it cannot go on.
    public private(set) var obstacle: HistoryFault?

    /// Stands nowhere until `start`.
    public init(_ account: AccountID, with history: History<Model>) {
        self.account = account
        self.history = history
    }

    /// Starts, or starts afresh, from a base; nil is the initial state.
    public mutating func start(from base: SnapshotRecord?) {
        obstacle = nil
        point = nil
        do throws(HistoryFault) { point = try history.start(of: account, from: base) } catch { obstacle = error }
    }

    /// Goes on by the entry after the point.
    public mutating func apply(_ entry: LogEntry) {
        guard var next = point else { return }
        point = nil
        do throws(HistoryFault) {
            try history.apply(entry, to: &next)
            point = next
        } catch {
            obstacle = error
        }
    }

    /// The hash of the state the fold is at; nil where it cannot be told.
    public var hash: String? {
        guard let point, let bytes = try? history.states.encode(point.state) else { return nil }
        return StateHash.text(bytes)
    }

    /// The state as JSON; nil where the fold could not come here.
    public var state: JSONValue? { point.flatMap { try? JSONEncoding.encodeValue($0.state) } }
}

/// What a state is told by: 32 hexadecimal digits, BLAKE2b-128 of its canonical JSON.
public enum StateHash {
    /// In lower case. Equal states have equal names only where the JSON is canonical.
    public static func text(_ canonicalJSON: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let hash = Hash.blake2b(canonicalJSON, length: 16)
        return String(decoding: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
