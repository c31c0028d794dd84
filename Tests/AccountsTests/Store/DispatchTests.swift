import Accounts
import Counter
import Persistence
import Redux
import Runtime
import Testing

@Suite struct `An account's dispatch` {
    @Test func `answers with the revision, once it is committed and published`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        #expect(await bench.dispatch(.increase, to: handle.id) == "1 true counter/increase@1")
        #expect(handle.published.revision == 1, "a client reads its own write")
        #expect(try bench.value(of: handle) == "1")
        await bench.end()
    }

    @Test func `a batch is all or none, and names the refused action`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        #expect(await bench.dispatch(.increase, .increase, to: handle.id) == "2 true counter/increase@1 counter/increase@2")
        // A fact is not checked here (clients cannot send one); overflow is reached from the other end of the range.
        let most = try Bench<AtTheBound>(environment: .init())
        let (full, _) = try await most.create()
        #expect(await most.dispatch(.decrease, .increase, .increase, to: full.id) == "counter-overflow at 2")
        #expect(full.published.revision == 0)
        #expect(await most.dispatch(.decrease, to: full.id) == "1 true counter/decrease@1", "the next revision is the first")
        await bench.end()
        await most.end()
    }

    @Test func `a restart folds to the same state and goes on`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        for _ in 0..<200 { _ = await bench.dispatch(.increase, to: handle.id) }
        let before = try handle.published.body()
        let again = try await bench.restarted(environment: .init())
        let loaded = try await again.open(handle.id).get()
        #expect(try loaded.published.body() == before)
        #expect(await again.dispatch(.decrease, to: handle.id) == "201 true counter/decrease@201")
        await again.end()
    }

    @Test func `If-Match lets one of two through`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        let tag = handle.published.tag
        async let first = bench.dispatch(.increase, to: handle.id) { $0.precondition = .tags([tag]) }
        async let second = bench.dispatch(.increase, to: handle.id) { $0.precondition = .tags([tag]) }
        let answers = await [first, second].sorted()
        #expect(answers == ["1 true counter/increase@1", "preconditionFailed(head: 1)"])
        #expect(await bench.dispatch(.increase, to: handle.id) { $0.precondition = .exists }.hasPrefix("2 "))
        let view = EntityTag.view("counter", epoch: handle.epoch, value: Array("2".utf8))
        #expect(await bench.dispatch(.increase, to: handle.id) { $0.precondition = .tags([view]) }.hasPrefix("3 "))
        #expect(
            await bench.dispatch(.increase, to: handle.id) { $0.precondition = .tags([view]) } == "preconditionFailed(head: 3)")
        await bench.end()
    }

    @Test func `a dry run answers and keeps nothing`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        #expect(await bench.dispatch(.asyncIncrease, .increase, to: handle.id) { $0.isDryRun = true }.hasPrefix("2 true"))
        #expect(handle.published.revision == 0)
        #expect(await bench.dispatch(.increase, to: handle.id) == "1 true counter/increase@1")
        await bench.end()
    }

    @Test func `a key replays its first answer, also after a restart`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        let tag = handle.published.tag
        let keyed: (inout DispatchRequest<CounterModel>) -> Void = {
            $0.key = IdempotencyKey(key: "k", fingerprint: [7])
            $0.precondition = .tags([tag])
        }
        #expect(await bench.dispatch(.increase, to: handle.id, change: keyed) == "1 true counter/increase@1")
        #expect(await bench.dispatch(.increase, to: handle.id, change: keyed) == "replayed 1 true counter/increase@1", "not 412")
        #expect(
            await bench.dispatch(.increase, to: handle.id) { $0.key = IdempotencyKey(key: "k", fingerprint: [8]) } == "keyReused")
        let again = try await bench.restarted(environment: .init())
        #expect(await again.dispatch(.increase, to: handle.id, change: keyed) == "replayed 1 true counter/increase@1")
        #expect(try await again.open(handle.id).get().published.revision == 1)
        await again.end()
    }

    @Test func `two accounts at one revision have different epochs and tags`() async throws {
        let bench = try Bench<CounterModel>()
        let (one, _) = try await bench.create()
        let (two, _) = try await bench.create()
        #expect(one.epoch != two.epoch)
        #expect(one.published.tag != two.published.tag)
        #expect(one.shard != two.shard, "neighbours live on different loops")
        await bench.end()
    }

    @Test func `what many tasks send is exact, and each task's own order is kept`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    var last: Int64 = 0
                    for _ in 0..<50 {
                        let answer = await bench.dispatch(.increase, to: handle.id)
                        let revision = Int64(answer.prefix { $0 != " " }) ?? 0
                        #expect(revision > last)
                        last = revision
                    }
                }
            }
        }
        #expect(handle.published.revision == 800)
        #expect(try bench.value(of: handle) == "800")
        await bench.end()
    }

    @Test func `a clock set back holds the stamp and says so`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(.increase, to: handle.id)
        bench.time.setWall(milliseconds: 1_000)
        _ = await bench.dispatch(.increase, to: handle.id)
        let page = try await withCheckedContinuation { done in
            bench.accounts.database.entries(of: handle.id, limit: 10) { done.resume(returning: $0) }
        }.get()
        #expect(page.entries[0].at == page.entries[1].at)
        #expect(page.entries.map { $0.flags.contains(.skewed) } == [false, true])
        await bench.end()
    }
}

/// The counter, but every account begins one below the greatest number.
enum AtTheBound: AccountModel {
    typealias State = CounterModel.State
    typealias Action = CounterAction
    typealias Facts = NoFacts
    typealias Effect = CounterModel.Effect
    typealias Environment = CounterModel.Environment
    static let name = "at-the-bound"
    static let reducerVersion = 1
    static let slices = [SliceSchema("value")]
    static let refusals = CounterModel.refusals
    static let views: [View<AtTheBound>] = []
    static func initialState(for account: AccountID) -> State { State(value: .max) }
    static func reduce(into state: inout State, action: StampedAction) throws(Refusal) {
        try CounterModel.reduce(into: &state, action: action)
    }
    static func effects(of action: StampedAction, previous: State, next: State) -> [EffectRequest<Effect>] { [] }
    static func perform(_ effect: Effect, run: EffectRun, in environment: Environment) async throws -> Action? { .increased }
}
