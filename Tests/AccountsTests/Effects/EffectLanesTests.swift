import Persistence
import Redux
import Testing

@testable import Accounts

@Suite struct `The lanes of effects` {
    private func entry(_ account: Int64, _ revision: Int64, kind: String = "k", key: String? = nil) -> OutboxEntry {
        OutboxEntry(
            account: AccountID(rawValue: account)!, revision: revision, ordinal: 0, kind: kind, key: key, due: revision,
            payload: [])
    }

    private func lanes(_ change: (inout EffectLimits) -> Void = { _ in }) -> Lanes {
        var limits = EffectLimits()
        change(&limits)
        return Lanes(EffectLanes(limits))
    }

    @Test func `let in as many as may run, and the next when one has left`() {
        let lanes = lanes { $0.runningMax = 2 }
        #expect(lanes.enter(entry(1, 1), isOrdered: false))
        #expect(lanes.enter(entry(2, 1), isOrdered: false))
        #expect(!lanes.enter(entry(3, 1), isOrdered: false))
        #expect(!lanes.enter(entry(4, 1), isOrdered: false))
        #expect(lanes.leave(entry(1, 1).id).map(\.account.rawValue) == [3])
        #expect(lanes.leave(entry(3, 1).id).map(\.account.rawValue) == [4])
        #expect(lanes.runningCount == 2)
    }

    @Test func `a kind that is full does not hold up another`() {
        let lanes = lanes { $0.runningPerKindMax = 1 }
        #expect(lanes.enter(entry(1, 1, kind: "slow"), isOrdered: false))
        #expect(!lanes.enter(entry(2, 1, kind: "slow"), isOrdered: false))
        #expect(lanes.enter(entry(2, 2, kind: "quick"), isOrdered: false))
    }

    @Test func `an account that is full does not hold up another`() {
        let lanes = lanes {
            $0.runningPerAccountMax = 1
            $0.runningPerKindMax = 3
        }
        for revision in 1...10 { #expect(lanes.enter(entry(1, Int64(revision)), isOrdered: false) == (revision == 1)) }
        // Those that wait for their account hold no place of the kind.
        #expect(lanes.enter(entry(2, 1), isOrdered: false))
        #expect(lanes.enter(entry(3, 1), isOrdered: false))
    }

    @Test func `a kind with an order runs one after the other within an account`() {
        let lanes = lanes()
        #expect(lanes.enter(entry(1, 1), isOrdered: true))
        #expect(!lanes.enter(entry(1, 2), isOrdered: true))
        #expect(!lanes.enter(entry(1, 3), isOrdered: true))
        #expect(lanes.enter(entry(2, 1), isOrdered: true))
        #expect(lanes.leave(entry(1, 1).id).map(\.revision) == [2])
        #expect(lanes.leave(entry(1, 2).id).map(\.revision) == [3])
        #expect(lanes.leave(entry(1, 3).id).isEmpty)
    }

    @Test func `a newer entry with a key waits until the older call is over`() {
        let lanes = lanes()
        #expect(lanes.enter(entry(1, 1, key: "favorite.dune"), isOrdered: false))
        #expect(!lanes.enter(entry(1, 2, key: "favorite.dune"), isOrdered: false))
        #expect(lanes.enter(entry(1, 3, key: "favorite.tea"), isOrdered: false))
        #expect(lanes.enter(entry(2, 1, key: "favorite.dune"), isOrdered: false), "keys are an account's own")
        #expect(lanes.leave(entry(1, 1).id).map(\.revision) == [2])
    }

    @Test func `what is cancelled while it waits is passed over, and what it held is free`() {
        let lanes = lanes { $0.runningMax = 1 }
        #expect(lanes.enter(entry(1, 1), isOrdered: true))
        #expect(!lanes.enter(entry(2, 1), isOrdered: true))
        #expect(!lanes.enter(entry(2, 2), isOrdered: true))
        lanes.forget(entry(2, 1).id)
        #expect(lanes.leave(entry(1, 1).id).map(\.revision) == [2])
        #expect(lanes.leave(entry(2, 2).id).isEmpty)
        #expect(lanes.enter(entry(2, 3), isOrdered: true))
    }

    @Test func `waits double up to their bound, spread over half of themselves`() {
        var limits = EffectLimits()
        limits.jitter = { 0 }
        #expect((1...10).map { limits.wait(afterAttempts: $0) } == [100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 30000])
        limits.jitter = { 0.5 }
        #expect(limits.wait(afterAttempts: 1) == 150)
        #expect(limits.wait(afterAttempts: OutboxEntry.droppedAttempt) == 45_000)
        #expect(limits.wait(afterAttempts: 1, advice: 7_000) == 7_000)
        #expect(limits.wait(afterAttempts: 1, advice: 1) == 150)
        #expect(limits.wait(afterAttempts: 1, advice: .max) == limits.adviceMillisecondsMax)
    }
}

/// The lanes as an object, since an expectation cannot change a value.
private final class Lanes {
    private var value: EffectLanes

    init(_ value: EffectLanes) {
        self.value = value
    }

    var runningCount: Int { value.runningCount }
    func enter(_ entry: OutboxEntry, isOrdered: Bool) -> Bool { value.enter(entry, isOrdered: isOrdered) }
    func leave(_ id: OutboxID) -> [OutboxEntry] { value.leave(id) }
    func forget(_ id: OutboxID) { value.forget(id) }
}
