internal import Redux

/// The hash chain of an account's log: each value covers its entry and the value before, so that one value vouches for all that led to it.
///
/// SQLite notices neither a changed byte in a row nor a row that is gone; this does.
struct Chain: Sendable {
    var form = HashedForm()

    /// The value before an account's first entry.
    mutating func seed(of account: AccountID) -> Digest {
        form.start()
        form.put("storehouse log 1")
        form.put(account.rawValue)
        return Digest(of: form.bytes)
    }

    /// The value after an entry.
    mutating func value(after previous: Digest, _ entry: LogEntry) -> Digest {
        form.start()
        form.put(previous)
        form.put(entry.account.rawValue)
        form.put(entry.revision)
        form.put(entry.at)
        form.put(Int64(bitPattern: entry.id.high))
        form.put(Int64(bitPattern: entry.id.low))
        form.put(entry.name)
        form.put(Int64(entry.version))
        form.put(entry.cause ?? 0)
        form.put(Int64(entry.flags.rawValue))
        form.put(entry.payload)
        form.put(entry.facts)
        form.put(entry.trace)
        return Digest(of: form.bytes)
    }

    /// The hash stored beside a snapshot: over all its members and the chain value at its revision.
    mutating func hash(of snapshot: SnapshotRecord, chain: Digest) -> Digest {
        form.start()
        form.put("storehouse snapshot 1")
        form.put(snapshot.account.rawValue)
        form.put(snapshot.revision)
        form.put(snapshot.schema)
        form.put(Int64(snapshot.reducerVersion))
        form.put(snapshot.isBase ? 1 : 0)
        form.put(chain)
        form.put(snapshot.state)
        return Digest(of: form.bytes)
    }
}

/// Where an account's log stands.
struct Head: Hashable, Sendable {
    var revision: Revision
    var chain: Digest
}

/// The heads of the accounts that wrote lately; others are read from their last row. Bounded by forgetting what was not used for longest, roughly.
struct HeadCache: Sendable {
    /// Heads kept at most: some 60 bytes each.
    static let headsMax = 262_144

    // Two generations: when the young one is half of all, the old one is forgotten and the young one grows old.
    private var young: [AccountID: Head] = [:]
    private var old: [AccountID: Head] = [:]
    private let limit: Int

    init(headsMax: Int = HeadCache.headsMax) { limit = max(2, headsMax) }

    var count: Int { young.count + old.count }

    mutating func head(of account: AccountID) -> Head? {
        if let head = young[account] { return head }
        guard let head = old.removeValue(forKey: account) else { return nil }
        store(head, of: account)
        return head
    }

    mutating func store(_ head: Head, of account: AccountID) {
        young[account] = head
        guard young.count > limit / 2 else { return }
        old = young
        young = [:]
    }

    /// What is known of the account may be wrong: it is to be read again.
    mutating func forget(_ account: AccountID) {
        young[account] = nil
        old[account] = nil
    }

    mutating func forgetAll() {
        young = [:]
        old = [:]
    }
}
