internal import Redux

/// The newest part of the log, by account: what the index in the file may not have yet.
///
/// Entries are added in the order of commits and leave in generations. The young one grows; once it is large enough it becomes the older one,
/// which goes into the index account by account, a little with each commit. It stays here until the next takes its place, so that a reader
/// who looks at the file as it was a moment ago finds here what the index did not have then.
struct RecentEntries: Sendable {
    /// Entries that came one after the other.
    struct Generation {
        var places: [AccountID: [LogPlace]] = [:]
        /// Accounts whose entries may have been deleted since.
        var trimmed: Set<AccountID> = []
        var count = 0
        /// No entry of it, and none before it, has a higher number.
        var through: Int64
    }

    /// What goes into the index next.
    struct Slice {
        struct Part {
            var account: AccountID
            /// Ascending by revision.
            var places: [LogPlace]
            /// Some of them may not be in the log any more.
            var isTrimmed: Bool
        }

        /// Ascending by account.
        var parts: [Part] = []
        /// With it everything up to this number is in the index; nil where the generation has more.
        var completesThrough: Int64?
    }

    private let generationMax: Int
    private var young: Generation
    private var older: Generation?
    /// Accounts of the older generation that are not in the index yet, the next one last.
    private var waiting: [AccountID] = []
    /// How many of them the open transaction has put there.
    private var taken = 0
    /// Whose entries the open transaction has added, in order.
    private var uncommitted: [AccountID] = []
    /// Entries up to this number are not here any more: an index that does not have them is older than this.
    private(set) var leftThrough: Int64

    /// None yet; the index has everything up to a number.
    init(indexedThrough: Int64, generationMax: Int) {
        self.generationMax = max(1, generationMax)
        leftThrough = indexedThrough
        young = Generation(through: indexedThrough)
    }

    /// How many entries are here, those included that the index has by now.
    var count: Int { young.count + (older?.count ?? 0) }

    // MARK: What is added

    /// Adds the next entry of an account, before it is committed: whoever may see it in the file must find it here.
    mutating func add(_ place: LogPlace, of account: AccountID) {
        young.places[account, default: []].append(place)
        young.count += 1
        uncommitted.append(account)
    }

    /// Entries of an account are about to be deleted from the log. (They are still found here; where that is rolled back, nothing is lost.)
    mutating func willTrim(_ account: AccountID) {
        if young.places[account] != nil { young.trimmed.insert(account) }
        if older?.places[account] != nil { older?.trimmed.insert(account) }
    }

    /// How many entries the open transaction has added so far.
    var uncommittedCount: Int { uncommitted.count }

    /// Takes the newest entries of the open transaction away again, until so many of it are left.
    mutating func removeUncommitted(downTo count: Int = 0) {
        while uncommitted.count > count, let account = uncommitted.popLast() {
            young.count -= 1
            _ = young.places[account]?.popLast()
            if young.places[account]?.isEmpty == true { young.places[account] = nil }
        }
        if count == 0 { taken = 0 }
    }

    /// What a generation leaves to do when it becomes the older one.
    struct Turn {
        /// The accounts that have entries in it; sorted, `begin(indexing:)` is to be given them.
        let accounts: [AccountID]
        /// The one whose place it took. Letting go of it takes a while.
        let left: Generation?
    }

    /// The open transaction is committed, with entries up to a number. Says so where with it a generation became the older one.
    mutating func didCommit(through sequence: Int64) -> Turn? {
        uncommitted.removeAll(keepingCapacity: true)
        young.through = sequence
        waiting.removeLast(taken)
        taken = 0
        guard waiting.isEmpty, young.count >= generationMax else { return nil }
        leftThrough = older?.through ?? leftThrough
        let turn = Turn(accounts: Array(young.places.keys), left: older)
        older = young
        young = Generation(through: sequence)
        return turn
    }

    /// From now on the accounts of the older generation go into the index, in ascending order.
    ///
    /// - Parameter accounts: all of them, in descending order.
    mutating func begin(indexing accounts: [AccountID]) { waiting = accounts }

    // MARK: What goes into the index

    /// The next accounts whose entries are to go into the index with the open transaction: about so many entries. None where all are there.
    mutating func next(entries: Int) -> Slice {
        var slice = Slice()
        guard let older else { return slice }
        var count = 0
        while count < entries, taken < waiting.count {
            taken += 1
            let account = waiting[waiting.count - taken]
            let places = older.places[account] ?? []
            slice.parts.append(Slice.Part(account: account, places: places, isTrimmed: older.trimmed.contains(account)))
            count += places.count
        }
        if !slice.parts.isEmpty && taken == waiting.count { slice.completesThrough = older.through }
        return slice
    }

    // MARK: Looking

    /// An account's entries after a revision and up to a sequence number, ascending; the first so many of them.
    func places(of account: AccountID, after revision: Revision, through sequence: Int64, limit: Int = .max) -> [LogPlace] {
        var found: [LogPlace] = []
        for places in [older?.places[account], young.places[account]].compactMap(\.self) {
            found += part(places, after: revision, through: sequence).prefix(limit - found.count)
        }
        return found
    }

    /// The last of an account's entries up to a sequence number; nil where none of it is here.
    func last(of account: AccountID, through sequence: Int64 = .max) -> LogPlace? {
        for places in [young.places[account], older?.places[account]].compactMap(\.self) {
            let end = places.partitionPoint { $0.sequence > sequence }
            if end > 0 { return places[end - 1] }
        }
        return nil
    }

    private func part(_ places: [LogPlace], after revision: Revision, through sequence: Int64) -> ArraySlice<LogPlace> {
        let start = places.partitionPoint { $0.revision > revision }
        return places[start..<max(start, places.partitionPoint { $0.sequence > sequence })]
    }

    /// The sequence number of an account's entry; nil where it is not here.
    func sequence(of account: AccountID, at revision: Revision) -> Int64? {
        for places in [young.places[account], older?.places[account]].compactMap(\.self) {
            let index = places.partitionPoint { $0.revision >= revision }
            if index < places.count, places[index].revision == revision { return places[index].sequence }
        }
        return nil
    }

    /// Every entry, ascending by account and by revision within one.
    var all: [Slice.Part] {
        let accounts = Set(young.places.keys).union(older?.places.keys.map(\.self) ?? [])
        return accounts.sorted().map { account in
            Slice.Part(account: account, places: places(of: account, after: .min, through: .max), isTrimmed: true)
        }
    }
}

extension RandomAccessCollection {
    /// The first index from which a condition holds, where it holds for all elements behind the first for which it does.
    func partitionPoint<Failure>(where isBehind: (Element) throws(Failure) -> Bool) throws(Failure) -> Index {
        var low = startIndex
        var count = count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if try isBehind(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
