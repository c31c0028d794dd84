internal import Persistence

/// How much log lies behind an account's newest snapshot: what a load would have to fold.
struct LogTail {
    var actions: Int
    var bytes: Int

    /// A state is written back when its tail passes either bound.
    static let actionsMax = 128
    static let bytesMax = 64 * 1024

    mutating func append(_ entry: LogEntry) {
        actions += 1
        bytes += entry.payload.count + (entry.facts?.count ?? 0) + 96
    }

    var isLong: Bool { actions >= Self.actionsMax || bytes >= Self.bytesMax }

    static let empty = LogTail(actions: 0, bytes: 0)
}
