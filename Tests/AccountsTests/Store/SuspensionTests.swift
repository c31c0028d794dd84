import Accounts
import Counter
import Persistence
import Redux
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Suspension` {
    private func limits(_ change: (inout AccountLimits) -> Void) -> AccountLimits {
        var limits = AccountLimits()
        change(&limits)
        return limits
    }

    @Test func `an idle account leaves memory, logs nothing, and comes back as it was`() async throws {
        let bench = try Bench<CounterModel>(limits: limits { $0.idleMilliseconds = 1000 })
        let (handle, _) = try await bench.create()
        for _ in 0..<3 { _ = await bench.dispatch(.increase, to: handle.id) }
        let before = try handle.published.body()
        await bench.until {
            bench.time.advance(byMilliseconds: 300)
            return bench.accounts.directory.count == 0
        }
        #expect(!handle.isCurrent)
        let loaded = try await bench.open(handle.id).get()
        #expect(loaded !== handle)
        #expect(try loaded.published.body() == before)
        #expect(await bench.dispatch(.increase, to: handle.id) == "4 true counter/increase@4")
        await bench.end()
    }

    @Test func `an account that comes and goes is written back once there is much to read of it`() async throws {
        let bench = try Bench<CounterModel>(limits: limits { $0.idleMilliseconds = 1000 })
        let (handle, _) = try await bench.create()
        let id = handle.id
        func stored() async throws -> [Int64] {
            let loaded = try await withCheckedContinuation { done in
                bench.accounts.database.load(id) { done.resume(returning: $0) }
            }.get()
            let found = try #require(loaded)
            return [found.snapshot?.revision ?? 0, Int64(found.tail.count)]
        }
        func comeAndGo() async {
            _ = await bench.dispatch(.increase, to: id)
            await bench.until {
                bench.time.advance(byMilliseconds: 300)
                return bench.accounts.directory.count == 0
            }
        }
        for _ in 1...8 { await comeAndGo() }
        #expect(try await stored() == [0, 8])
        await comeAndGo()
        #expect(try await stored() == [9, 0])
        for _ in 1...8 { await comeAndGo() }
        #expect(try await stored() == [9, 8])
        await comeAndGo()
        #expect(try await stored() == [18, 0])
        await bench.end()
    }

    @Test func `a read keeps an account in memory, and so does whoever follows it`() async throws {
        let bench = try Bench<CounterModel>(limits: limits { $0.idleMilliseconds = 2000 }, loops: 1)
        let (read, _) = try await bench.create()
        let (followed, _) = try await bench.create()
        let (idle, _) = try await bench.create()
        followed.keep()
        await bench.until {
            bench.time.advance(byMilliseconds: 250)
            _ = read.published
            return !idle.isCurrent
        }
        #expect(read.isCurrent)
        #expect(followed.isCurrent)
        followed.release()
        await bench.until {
            bench.time.advance(byMilliseconds: 250)
            return !followed.isCurrent
        }
        await bench.end()
    }

    @Test func `no more accounts are in memory than may be, and every one of them can be reached`() async throws {
        let bench = try Bench<CounterModel>(limits: limits { $0.storesInMemoryMax = 20 })
        var ids: [AccountID] = []
        for _ in 0..<200 {
            let (handle, _) = try await bench.create()
            ids.append(handle.id)
            _ = await bench.dispatch(.increase, to: handle.id)
            bench.time.advance(byMilliseconds: 10)
        }
        #expect(bench.accounts.directory.count <= 20)
        #expect(bench.accounts.counters.storesInMemory.current == bench.accounts.directory.count)
        for id in ids {
            #expect(await bench.dispatch(.increase, to: id) == "2 true counter/increase@2")
            bench.time.advance(byMilliseconds: 10)
        }
        #expect(bench.accounts.directory.count <= 20)
        await bench.end()
    }

    @Test func `many who want one account cost one load`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        let again = try await bench.restarted(environment: .init())
        let handles = await withTaskGroup(of: AccountHandle?.self) { group in
            for _ in 0..<50 { group.addTask { try? await again.open(handle.id).get() } }
            return await group.reduce(into: [AccountHandle?]()) { $0.append($1) }
        }
        #expect(handles.count == 50)
        #expect(handles.allSatisfy { $0 != nil && $0 === handles[0] })
        await again.end()
    }
}
