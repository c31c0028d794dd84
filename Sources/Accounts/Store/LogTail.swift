internal import Persistence

/// How much log lies behind an account's newest snapshot: what a load would have to fold.
struct LogTail {
    private(set) var actions: Int
    private(set) var bytes: Int
    /// What a load has read of it.
    private var read: Int

    /// A state is written back when its tail passes either bound.
    static let actionsMax = 128
    static let bytesMax = 64 * 1024
    /// Likewise, with the next action, when as many entries had to be read to bring the account into memory: each lies on a page of its own,
    /// since the log is in the order of time, and an account that comes and goes would be read at a higher price each time.
    static let readMax = 8

    private init(actions: Int, bytes: Int, read: Int) {
        self.actions = actions
        self.bytes = bytes
        self.read = read
    }

    /// The tail that a load has read.
    init(read actions: Int, bytes: Int) { self.init(actions: actions, bytes: bytes, read: actions) }

    mutating func append(_ entry: LogEntry) {
        actions += 1
        bytes += entry.payload.count + (entry.facts?.count ?? 0) + 96
    }

    var isLong: Bool { actions >= Self.actionsMax || bytes >= Self.bytesMax || read >= Self.readMax }

    static let empty = LogTail(actions: 0, bytes: 0, read: 0)
}
