internal import Redux
internal import SQLite
internal import Synchronization

/// The newest part of the log that writer and readers share: the index in the file lags behind the log, and this is what it lacks.
///
/// An index that every commit kept up to date would make each action write a page of its own, since the actions of a moment belong to many
/// accounts. So a commit appends to the log alone; what it appended is kept here, and goes into `log_index` later, in the order of
/// accounts, where neighbours share pages. After a start it is read from the end of the log.
///
/// A reader finds an account's entries in the index as its transaction sees it, and behind those here. That is exact whatever the writer
/// does meanwhile: an entry is added here before its commit and passed over by those who cannot see it yet, and leaves here long after the
/// commit that put it into the index. Whoever looks with a transaction older than that is told to begin again (`RecentEntries.leftThrough`).
final class RecentLog: Sendable {
    private let entries: Mutex<RecentEntries>

    /// Starts without any.
    init(indexedThrough: Int64, generationMax: Int) {
        entries = Mutex(RecentEntries(indexedThrough: indexedThrough, generationMax: generationMax))
    }

    /// Reads what the index of a database lacks. More than a generation goes into the index at once, so that no start has to read more than
    /// what one life of the process left.
    static func load(from connection: Connection, generationMax: Int) throws(SQLiteError) -> RecentLog {
        let instant = try LogInstant.statement(connection).first { row in LogInstant(row) } ?? LogInstant()
        let log = RecentLog(indexedThrough: instant.indexedThrough, generationMax: generationMax)
        // Nobody can tell whose acknowledged action is missing then.
        if let damaged = try log.scan(connection, after: instant.indexedThrough).unplaced.first {
            throw SQLiteError(extended: 11, message: damagedReason(damaged), operation: "reading the end of the log")
        }
        if log.count > generationMax, try log.indexAll(connection, through: instant.sequence) {
            return RecentLog(indexedThrough: instant.sequence, generationMax: generationMax)
        }
        log.didCommit(through: instant.sequence)
        return log
    }

    /// Puts everything into the index, in a transaction of its own; false where the disk has no room for it.
    private func indexAll(_ connection: Connection, through sequence: Int64) throws(SQLiteError) -> Bool {
        let parts = entries.withLock { $0.all }
        do throws(SQLiteError) {
            try connection.transaction { () throws(SQLiteError) in
                let insert = try Statement(connection, Self.insertIndex)
                for part in parts {
                    try insert.bind(1, part.account.rawValue)
                    for place in part.places {
                        try insert.bind(2, place.revision)
                        try insert.bind(3, place.sequence)
                        try insert.run()
                    }
                }
                let put = try Statement(connection, "UPDATE meta SET value = ? WHERE key IN (\(LogInstant.keys))")
                try put.bind(1, sequence)
                try put.run()
            }
            return true
        } catch {
            guard error.kind == .full else { throw error }
            return false
        }
    }

    /// Takes account, revision and sequence number. What is there already, from before a restart, stays as it is.
    static let insertIndex = "INSERT OR IGNORE INTO log_index (account, revision, seq) VALUES (?, ?, ?)"

    /// What is wrong with an entry of which nobody can tell whose it is.
    static func damagedReason(_ sequence: Int64) -> String {
        "entry \(sequence) of the log is not what was stored, and of an unknown account"
    }

    /// What is wrong with the rows at the log's end.
    struct Damage {
        /// Sequence numbers of those of which nobody can tell whose they are.
        var unplaced: [Int64] = []
        /// Those where one bit was wrong of what tells that.
        var corrected: [(account: AccountID, revision: Revision)] = []
    }

    /// Adds every entry of the log behind a sequence number, but for those of which nobody can tell whose they are.
    func scan(_ connection: Connection, after sequence: Int64) throws(SQLiteError) -> Damage {
        let statement = try Statement(connection, "SELECT seq, account, revision, place_sum FROM log WHERE seq > ? ORDER BY seq")
        try statement.bind(1, sequence)
        var damage = Damage()
        try statement.forEach { row in
            let sequence = row.integer(0)
            let stored = LogPlace.stored(
                sequence, account: row.integer(1), revision: row.integer(2), sum: row.optionalInteger(3))
            guard let stored else {
                damage.unplaced.append(sequence)
                return true
            }
            if !stored.isIntact { damage.corrected.append((stored.account, stored.place.revision)) }
            add(stored.place, of: stored.account)
            return true
        }
        return damage
    }

    /// Forgets everything: the index has all up to a number.
    func restart(indexedThrough: Int64) {
        entries.withLock { $0 = RecentEntries(indexedThrough: indexedThrough, generationMax: .max) }
    }

    // MARK: For the writer

    /// See `RecentEntries.add`.
    func add(_ place: LogPlace, of account: AccountID) { entries.withLock { $0.add(place, of: account) } }

    /// See `RecentEntries.willTrim`.
    func willTrim(_ account: AccountID) { entries.withLock { $0.willTrim(account) } }

    /// See `RecentEntries.uncommittedCount`.
    var uncommittedCount: Int { entries.withLock { $0.uncommittedCount } }

    /// See `RecentEntries.removeUncommitted`.
    func removeUncommitted(downTo count: Int = 0) { entries.withLock { $0.removeUncommitted(downTo: count) } }

    /// See `RecentEntries.didCommit`. What takes long at the end of a generation is done while readers go on.
    func didCommit(through sequence: Int64) {
        guard let turn = entries.withLock({ $0.didCommit(through: sequence) }) else { return }
        let accounts = turn.accounts.sorted(by: >)
        entries.withLock { $0.begin(indexing: accounts) }
    }

    /// See `RecentEntries.next`.
    func next(entries count: Int) -> RecentEntries.Slice { entries.withLock { $0.next(entries: count) } }

    /// See `RecentEntries.sequence`.
    func sequence(of account: AccountID, at revision: Revision) -> Int64? {
        entries.withLock { $0.sequence(of: account, at: revision) }
    }

    /// See `RecentEntries.last`.
    func last(of account: AccountID, through sequence: Int64 = .max) -> LogPlace? {
        entries.withLock { $0.last(of: account, through: sequence) }
    }

    // MARK: For readers

    /// How many entries are here.
    private var count: Int { entries.withLock { $0.count } }

    /// An account's entries after a revision and up to a sequence number, ascending; and the number up to which entries have left.
    func places(
        of account: AccountID, after revision: Revision, through sequence: Int64 = .max, limit: Int = .max
    ) -> (places: [LogPlace], leftThrough: Int64) {
        entries.withLock { ($0.places(of: account, after: revision, through: sequence, limit: limit), $0.leftThrough) }
    }
}

/// How far the log and its index are, as one transaction sees them.
struct LogInstant: Hashable, Sendable {
    /// The highest sequence number in the log; 0 for an empty one.
    var sequence: Int64 = 0
    /// Every entry up to this number is in the index.
    var indexedThrough: Int64 = 0
    /// What says so is what was stored.
    var isSound = true
}

extension LogInstant {
    /// Whose row `init` reads.
    static func statement(_ connection: Connection) throws(SQLiteError) -> Statement {
        try Statement(
            connection,
            "SELECT (SELECT MAX(seq) FROM log), MIN(value), MIN(value) = MAX(value) AND COUNT(*) = 2 FROM meta WHERE key IN (\(keys))"
        )
    }

    /// The rows of `meta` that both say how far the index is, as SQL. Where they differ, the lower one is right enough: what is in the index
    /// already is found there first.
    static let keys = "'\(Meta.Key.indexed)', '\(Meta.Key.indexedAgain)'"

    /// Reads the row of `statement`.
    init(_ row: borrowing Row) {
        self.init(sequence: row.integer(0), indexedThrough: max(0, row.integer(1)), isSound: row.integer(2) == 1)
    }
}
