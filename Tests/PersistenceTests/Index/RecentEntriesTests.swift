import Redux
import Testing

@testable import Persistence

/// The value that holds what the log's index lacks.
@Suite struct RecentEntriesTests {
    let one = Sample.account(1)
    let two = Sample.account(2)

    /// Adds an entry, under the number after the last, and commits it.
    private func commit(_ entries: inout RecentEntries, _ account: AccountID, _ revision: Revision, _ sequence: Int64) {
        entries.add(LogPlace(revision: revision, sequence: sequence), of: account)
        if let turn = entries.didCommit(through: sequence) { entries.begin(indexing: turn.accounts.sorted(by: >)) }
    }

    @Test func `entries are found by revision, and cut off at what a reader can see`() {
        var entries = RecentEntries(indexedThrough: 10, generationMax: 100)
        for revision in Revision(5)...9 {
            commit(&entries, one, revision, 2 * revision + 1)
            commit(&entries, two, revision, 2 * revision + 2)
        }
        #expect(entries.places(of: one, after: 6, through: 17).map(\.revision) == [7, 8])
        #expect(entries.places(of: one, after: 0, through: .max).map(\.sequence) == [11, 13, 15, 17, 19])
        #expect(entries.places(of: one, after: 9, through: .max).isEmpty)
        #expect(entries.places(of: Sample.account(3), after: 0, through: .max).isEmpty)
        #expect(entries.sequence(of: two, at: 7) == 16)
        #expect(entries.sequence(of: two, at: 4) == nil && entries.sequence(of: two, at: 10) == nil)
        #expect(entries.last(of: two) == LogPlace(revision: 9, sequence: 20))
        #expect(entries.count == 10)
    }

    @Test func `what is rolled back leaves no trace, whole or in part`() {
        var entries = RecentEntries(indexedThrough: 0, generationMax: 100)
        commit(&entries, one, 1, 1)
        entries.add(LogPlace(revision: 2, sequence: 2), of: one)
        let mark = entries.uncommittedCount
        entries.add(LogPlace(revision: 1, sequence: 3), of: two)
        entries.add(LogPlace(revision: 3, sequence: 4), of: one)
        entries.removeUncommitted(downTo: mark)
        #expect(entries.last(of: one)?.revision == 2 && entries.last(of: two) == nil)
        entries.removeUncommitted()
        #expect(entries.last(of: one)?.revision == 1 && entries.count == 1)
        commit(&entries, one, 2, 2)
        #expect(entries.places(of: one, after: 0, through: .max).map(\.sequence) == [1, 2])
    }

    @Test func `a generation goes into the index by account, and leaves when the next is complete`() {
        var entries = RecentEntries(indexedThrough: 0, generationMax: 4)
        #expect(entries.next(entries: 10).parts.isEmpty)
        for sequence in Int64(1)...4 { commit(&entries, sequence % 2 == 1 ? two : one, (sequence + 1) / 2, sequence) }
        var slice = entries.next(entries: 1)
        #expect(slice.parts.map(\.account) == [one] && slice.parts[0].places.map(\.sequence) == [2, 4])
        #expect(slice.completesThrough == nil)
        // Rolled back: the same again.
        entries.removeUncommitted()
        slice = entries.next(entries: 1)
        #expect(slice.parts.map(\.account) == [one])
        commit(&entries, one, 3, 5)
        slice = entries.next(entries: 1)
        #expect(slice.parts.map(\.account) == [two] && slice.completesThrough == 4)
        commit(&entries, two, 3, 6)
        #expect(entries.next(entries: 100).parts.isEmpty && entries.leftThrough == 0)
        // In the index, and still here for whoever sees the file as it was before.
        #expect(entries.places(of: one, after: 0, through: .max).map(\.revision) == [1, 2, 3])
        commit(&entries, one, 4, 7)
        #expect(entries.places(of: two, after: 0, through: .max).map(\.revision) == [1, 2, 3])
        commit(&entries, two, 4, 8)
        #expect(entries.leftThrough == 4 && entries.places(of: one, after: 0, through: .max).map(\.revision) == [3, 4])
    }

    @Test func `no generation leaves before all of it is in the index`() {
        var entries = RecentEntries(indexedThrough: 0, generationMax: 2)
        for sequence in Int64(1)...9 { commit(&entries, one, sequence, sequence) }
        #expect(entries.count == 9 && entries.leftThrough == 0)
        #expect(entries.next(entries: 1).completesThrough == 2)
        commit(&entries, one, 10, 10)
        #expect(entries.leftThrough == 2 && entries.count == 8)
    }
}
