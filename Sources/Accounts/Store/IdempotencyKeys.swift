public import Persistence
public import Redux

/// The idempotency keys of one account: which requests have run, and which are running. A value; time is passed in.
///
/// Looked up before anything else of a request, so that a repeated done request gets its stored answer, not a conflict with itself.
public struct IdempotencyKeys {
    /// How long a stored answer is replayed: as long as it is kept.
    public static let lifetime = IdempotencyRecord.keptMilliseconds
    /// Keys an account may hold; never dropped early to make room.
    public static let countMax = 10_000

    /// What is known of a request's key.
    public enum Lookup {
        /// Not seen: go on.
        case new
        /// Seen and answered.
        case done(IdempotencyRecord)
        /// The same request is still running.
        case running
        /// Seen with another request.
        case mismatch
        /// No room for another key.
        case full
    }

    private enum Entry {
        case running(fingerprint: [UInt8])
        case done(IdempotencyRecord)
    }
    private var entries: [String: Entry] = [:]

    /// Holds the stored answers of an account; none by default.
    public init(records: [IdempotencyRecord] = []) {
        for record in records { entries[record.key] = .done(record) }
    }

    /// Keys held, running and answered, expired ones that nothing has made room for among them.
    public var count: Int { entries.count }

    /// What is known of a key at `now`. Holds nothing new (`begin` does); drops expired answers where there is no room.
    public mutating func look(up key: String, fingerprint: [UInt8], now: Milliseconds) -> Lookup {
        switch entries[key] {
        case .running(let running):
            return running == fingerprint ? .running : .mismatch
        case .done(let record) where now - record.at < Self.lifetime:
            return record.fingerprint == fingerprint ? .done(record) : .mismatch
        case .done, nil:
            if entries.count >= Self.countMax { forgetOlder(than: now - Self.lifetime) }
            return entries.count >= Self.countMax ? .full : .new
        }
    }

    /// The request has been accepted and waits for its commit.
    public mutating func begin(_ key: String, fingerprint: [UInt8]) { entries[key] = .running(fingerprint: fingerprint) }

    /// The commit that holds the record is done.
    public mutating func finish(_ record: IdempotencyRecord) { entries[record.key] = .done(record) }

    private mutating func forgetOlder(than time: Milliseconds) {
        entries = entries.filter { _, entry in
            if case .done(let record) = entry { record.at > time } else { true }
        }
    }
}
