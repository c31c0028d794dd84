import Counter
import Persistence
import Redux
import Runtime
import Testing

@testable import Accounts

@Suite struct `A delayed effect` {
    @Test func `comes back as a fact when it is due, not before`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        #expect(await bench.dispatch(.asyncIncrease, to: handle.id) == "1 false counter/asyncIncrease@1")
        bench.time.advance(byMilliseconds: 999)
        for _ in 0..<50 { _ = await bench.dispatch(.decrease, to: handle.id) }
        #expect(try bench.value(of: handle) == "-50")
        bench.time.advance(byMilliseconds: 1)
        await bench.until { handle.published.revision == 52 }
        #expect(try bench.value(of: handle) == "-49")
        await bench.end()
    }

    @Test func `survives a restart and fires once, late rather than never`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(.asyncDecrease, to: handle.id)
        _ = await bench.dispatch(.asyncIncrease, to: handle.id)
        await bench.close()
        bench.time.advance(byMilliseconds: 60 * 60 * 1000)
        let again = try Bench<CounterModel>(in: bench.location, environment: .init(), time: bench.time)
        let loaded = try await again.open(handle.id).get()
        await again.until { loaded.published.revision == 4 }
        #expect(try again.value(of: loaded) == "0")
        let third = try await again.restarted(environment: .init())
        let last = try await third.open(handle.id).get()
        for _ in 0..<20 { _ = await third.dispatch(.increase, to: handle.id) }
        #expect(last.published.revision == 24, "nothing fired a second time")
        await third.end()
    }
}

@Suite struct `The order of due effects` {
    @Test func `a place without an id stands before all of its time, and the start before everything`() throws {
        let id = OutboxID(account: try #require(AccountID(rawValue: 1)), revision: 1, ordinal: 0)
        #expect(DuePlace(due: 5) < DuePlace(due: 5, id: id))
        #expect(!(DuePlace(due: 5, id: id) < DuePlace(due: 5)))
        #expect(DuePlace(due: 5, id: id) < DuePlace(due: 6))
        #expect(DuePlace.start < DuePlace(due: 0))
        #expect(DuePlace.start.due - 60_000 < 0, "reckoning with it does not overflow")
    }
}

@Suite struct `The queue of due effects` {
    private func entry(_ revision: Int64, due: Int64, key: String? = nil) throws -> OutboxEntry {
        OutboxEntry(
            account: try #require(AccountID(rawValue: 1)), revision: revision, ordinal: 0, kind: "k", key: key, due: due,
            payload: [])
    }

    @Test func `gives what is due in order of due time, then of asking`() throws {
        var queue = DueQueue()
        for (revision, due) in [(1, 30), (2, 10), (3, 20), (4, 10)] as [(Int64, Int64)] {
            queue.insert(try entry(revision, due: due))
        }
        #expect(queue.popDue(at: 9) == nil)
        var order: [Int64] = []
        while let next = queue.popDue(at: 25) { order.append(next.revision) }
        #expect(order == [2, 4, 3])
        #expect(queue.count == 1)
    }

    @Test func `holds an entry once, at its newest due time, and a key once`() throws {
        var queue = DueQueue()
        queue.insert(try entry(1, due: 10))
        queue.insert(try entry(1, due: 50))
        #expect(queue.popDue(at: 49) == nil)
        queue.insert(try entry(2, due: 20, key: "a"))
        queue.insert(try entry(3, due: 30, key: "a"))
        var order: [Int64] = []
        while let next = queue.popDue(at: 100) { order.append(next.revision) }
        #expect(order == [3, 1])
    }
}
