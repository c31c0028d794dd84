import Accounts
import Counter
import Persistence
import Redux
import Testing

@Suite struct `A failed commit` {
    @Test func `on a full disk refuses cleanly, drops the working state, and recovers by itself`() async throws {
        // Commit 1 opens the account, 2 is the first action, 3 finds the disk full.
        let bench = try Bench<CounterModel>(faults: .at(3, .full))
        let (handle, _) = try await bench.create()
        #expect(await bench.dispatch(.increase, to: handle.id).hasPrefix("1 "))
        #expect(await bench.dispatch(.increase, to: handle.id) == "commitFailed(Persistence.CommitFault.full)")
        #expect(!handle.isCurrent, "the store has left memory")
        let loaded = try await bench.open(handle.id).get()
        #expect(loaded.published.revision == 1)
        #expect(await bench.dispatch(.increase, to: handle.id) == "2 true counter/increase@2")
        await bench.end()
    }

    @Test func `takes everything with it that was reduced on top`() async throws {
        let bench = try Bench<CounterModel>(faults: .at(3, .full), loops: 1)
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(.increase, to: handle.id)
        let answers = await withTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { await bench.dispatch(.increase, to: handle.id) } }
            return await group.reduce(into: [String]()) { $0.append($1) }
        }
        let accepted = answers.filter { $0.contains("true") }.count
        let failed = answers.filter { $0.contains("commitFailed") }.count
        #expect(accepted + failed == 20)
        #expect(failed >= 1)
        let loaded = try await bench.open(handle.id).get()
        #expect(loaded.published.revision == Int64(1 + accepted), "every acknowledged action, and no other")
        #expect(try bench.value(of: loaded) == "\(1 + accepted)")
        await bench.end()
    }

    @Test(arguments: [false, true])
    func `of unknown outcome is never answered as refused, and stops the writer`(applied: Bool) async throws {
        let bench = try Bench<CounterModel>(faults: .at(3, .ioError(applied: applied)))
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(.increase, to: handle.id)
        #expect(await bench.dispatch(.increase, to: handle.id).contains("outcomeUnknown"))
        #expect(await bench.dispatch(.increase, to: handle.id).contains("outcomeUnknown"))
        #expect(bench.accounts.database.metrics.hasFailed)
        // Only a restart tells what became of it; both are whole.
        let again = try await bench.restarted(environment: .init())
        let revision = try await again.open(handle.id).get().published.revision
        #expect(revision == (applied ? 2 : 1))
        #expect(await again.dispatch(.increase, to: handle.id).hasPrefix("\(revision + 1) "))
        await again.end()
    }
}
