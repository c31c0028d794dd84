import Persistence
import Redux
import Runtime
import Shop
import Testing

@testable import Accounts

@Suite(.timeLimit(.minutes(10))) struct `The bound on waiting effects` {
    private static let refused = "too-many-effects"

    private func limits(_ waiting: Int, _ change: (inout AccountLimits) -> Void = { _ in }) -> AccountLimits {
        var limits = AccountLimits()
        limits.effects.waitingPerAccountMax = waiting
        limits.effects.jitter = { 0 }
        // The clock of a test stands still: a stop waits for nothing.
        limits.effects.stopMilliseconds = 0
        change(&limits)
        return limits
    }

    private func call(_ name: String, key: String? = nil) -> CallModel.Action { .call(.init(name: name, key: key)) }

    private func outbox<Model>(_ bench: Bench<Model>, _ account: AccountID) async throws -> [String] {
        try await withCheckedContinuation { done in
            bench.accounts.database.outbox(of: account) { done.resume(returning: $0) }
        }.get().map { "\($0.revision).\($0.ordinal)" }
    }

    /// How many the account's store believes to wait; nil where it is not in memory.
    private func standing<Model>(_ bench: Bench<Model>, _ account: AccountID) async -> Int? {
        await withCheckedContinuation { done in
            bench.accounts.shard(of: account).perform { done.resume(returning: $0.store(of: account)?.outbox.count) }
        }
    }

    /// Lets the idle leave memory.
    private func suspendAll<Model>(_ bench: Bench<Model>) async {
        await bench.until {
            bench.time.advance(byMilliseconds: 300)
            return bench.accounts.directory.count == 0
        }
    }

    // MARK: At the door

    @Test func `refuses what asks for more and keeps nothing of it; the rest goes on, and an outcome makes room`() async throws {
        let world = CallModel.Environment()
        let bench = try Bench<CallModel>(environment: world, limits: limits(2))
        let (handle, _) = try await bench.create()
        #expect(await bench.dispatch(call("a"), to: handle.id) == "1 false call/make@1")
        #expect(await bench.dispatch(call("b"), to: handle.id) == "2 false call/make@2")
        let before = try handle.published.body()
        #expect(await bench.dispatch(call("c"), to: handle.id) == Self.refused)
        #expect(try handle.published.body() == before)
        #expect(try await bench.log(of: handle.id) == ["call/make", "call/make"])
        #expect(try await outbox(bench, handle.id) == ["1.0", "2.0"])
        #expect(await bench.dispatch(.cancel("nothing"), to: handle.id) == "3 false call/cancel@3")
        await bench.until { world.desk.open.count == 2 }
        world.desk.answer("a")
        await bench.until { handle.published.revision == 4 }
        #expect(await bench.dispatch(call("c"), to: handle.id) == "5 false call/make@5")
        #expect(await bench.dispatch(call("d"), to: handle.id) == Self.refused)
        #expect(try await outbox(bench, handle.id) == ["2.0", "5.0"])
        let (other, _) = try await bench.create()
        #expect(await bench.dispatch(call("d"), to: other.id) == "1 false call/make@1", "each account has a bound of its own")
        await bench.end()
    }

    @Test func `counts what is on its way to the disk`() async throws {
        let bench = try Bench<CallModel>(environment: CallModel.Environment(), loops: 1, limits: limits(3))
        let (handle, _) = try await bench.create()
        let answers = await withTaskGroup(of: String.self) { group in
            for index in 0..<20 { group.addTask { await bench.dispatch(call("\(index)"), to: handle.id) } }
            return await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(answers.filter { $0 == Self.refused }.count == 17)
        #expect(try await outbox(bench, handle.id) == ["1.0", "2.0", "3.0"])
        await bench.end()
    }

    @Test func `refuses a batch as a whole, and names the action that asks, by itself or by what follows from it`() async throws {
        let bench = try Bench<CallModel>(environment: CallModel.Environment(), limits: limits(1))
        let (handle, _) = try await bench.create()
        // Nothing waited before it: the effects of one request may lead past the bound.
        #expect(await bench.dispatch(call("a"), call("b"), to: handle.id) == "2 false call/make@1 call/make@2")
        #expect(await bench.dispatch(.cancel("x"), call("c"), .cancel("y"), to: handle.id) == Self.refused + " at 1")
        #expect(await bench.dispatch(.cancel("x"), .cancel("y"), .cancel("next"), to: handle.id) == Self.refused + " at 2")
        #expect(await bench.dispatch(.cancel("next"), to: handle.id) == Self.refused)
        #expect(try await bench.log(of: handle.id) == ["call/make", "call/make"])
        #expect(await bench.dispatch(.cancel("x"), .cancel("y"), to: handle.id) == "4 false call/cancel@3 call/cancel@4")
        #expect(try await outbox(bench, handle.id) == ["1.0", "2.0"])
        await bench.end()
    }

    @Test func `is the same for a dry run, which changes nothing`() async throws {
        let bench = try Bench<CallModel>(environment: CallModel.Environment(), limits: limits(1))
        let (handle, _) = try await bench.create()
        for _ in 0..<3 {
            let said = await bench.dispatch(call("a"), to: handle.id) { $0.isDryRun = true }
            #expect(said == "1 false call/make@1")
        }
        #expect(await standing(bench, handle.id) == 0)
        #expect(await bench.dispatch(call("a"), to: handle.id) == "1 false call/make@1")
        #expect(await bench.dispatch(call("b"), to: handle.id) { $0.isDryRun = true } == Self.refused)
        #expect(await bench.dispatch(.cancel("x"), to: handle.id) { $0.isDryRun = true } == "2 false call/cancel@2")
        await bench.end()
    }

    @Test func `lets in an outcome past the bound, also where it asks for more`() async throws {
        let world = CallModel.Environment()
        let bench = try Bench<CallModel>(environment: world, limits: limits(1))
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("more 1"), call("more 2"), to: handle.id)
        await bench.until { world.desk.open.count == 2 }
        world.desk.answer("more 1")
        await bench.until { handle.published.revision == 3 }
        #expect(try await bench.log(of: handle.id) == ["call/make", "call/make", "call/done"])
        #expect(try await outbox(bench, handle.id) == ["2.0", "3.0"])
        #expect(await standing(bench, handle.id) == 2)
        #expect(await bench.dispatch(call("c"), to: handle.id) == Self.refused)
        await bench.end()
    }

    @Test func `lets in what happens to sessions, and the loads that follow from it`() async throws {
        let environment = ShopEnvironment(
            catalog: try Catalog(validating: [], currency: "EUR"),
            services: .simulated(Simulation(all: SimulatedService(delay: 600_000))))
        let bench = try Bench<ShopModel>(environment: environment, limits: limits(1))
        let (guest, _) = try await bench.create()
        #expect(await bench.dispatch(.profile(.update(ProfileChange(name: "Ada"))), to: guest.id).hasPrefix("1 "))
        #expect(await bench.dispatch(.cart(.load), to: guest.id) == Self.refused)
        _ = try await bench.desk().register(guest: guest).get()
        #expect(
            try await bench.log(of: guest.id) == ["profile/update", "session/registered", "profile/load", "cart/load"])
        #expect(try await outbox(bench, guest.id) == ["1.0", "3.0", "4.0"])
        #expect(await standing(bench, guest.id) == 3)
        await bench.end()
    }

    @Test func `refuses a postponed item in its place, and the rest of its tag runs`() async throws {
        let bench = try Bench<CallModel>(environment: CallModel.Environment(), limits: limits(1))
        let (handle, _) = try await bench.create()
        for name in ["a", "b", "-"] {
            let item = Postponement(tag: "t", body: Array(name.utf8)) { _ in RenderedAnswer(status: 202, fields: [], body: []) }
            _ = await withCheckedContinuation { done in
                bench.accounts.postpone(item, to: handle.id) { done.resume(returning: $0) }
            }
        }
        let run = PostponedRun<CallModel>(tag: "t") { body in
            let name = String(decoding: body, as: UTF8.self)
            return [name == "-" ? .cancel("x") : .call(.init(name: name))]
        } render: { outcomes in
            let texts = outcomes.map { outcome in
                switch outcome {
                case .done(let revision): "\(revision)"
                case .refused(let refusal, _): refusal.kind.slug
                case .unreadable: "unreadable"
                }
            }
            return RenderedAnswer(status: 200, fields: [], body: Array(texts.joined(separator: " ").utf8))
        }
        let ran = await withCheckedContinuation { done in bench.accounts.run(run, of: handle.id) { done.resume(returning: $0) } }
        #expect(bench.text(of: ran) == "1 \(Self.refused) 2")
        #expect(try await outbox(bench, handle.id) == ["1.0"])
        await bench.end()
    }

    // MARK: The number

    @Test func `a newer entry with a key takes the older one's room, and a cancellation makes room once`() async throws {
        let bench = try Bench<CallModel>(environment: CallModel.Environment(), limits: limits(2))
        let (handle, _) = try await bench.create()
        for name in ["a", "b", "c", "d"] { #expect(await bench.dispatch(call(name, key: "k"), to: handle.id).contains("make")) }
        #expect(await standing(bench, handle.id) == 1)
        #expect(await bench.dispatch(call("e"), to: handle.id).contains("make"))
        #expect(await bench.dispatch(call("f", key: "k"), to: handle.id) == Self.refused)
        for _ in 0..<3 { #expect(await bench.dispatch(.cancel("k"), .cancel("other"), to: handle.id).contains("cancel")) }
        #expect(await standing(bench, handle.id) == 1)
        #expect(try await outbox(bench, handle.id) == ["5.0"])
        #expect(await bench.dispatch(call("f", key: "k"), to: handle.id).contains("make"))
        #expect(await bench.dispatch(call("g"), to: handle.id) == Self.refused)
        await bench.end()
    }

    @Test func `is that of the disk after a reload and after a restart`() async throws {
        let world = CallModel.Environment()
        let bounds = limits(2) { $0.idleMilliseconds = 1_000 }
        let bench = try Bench<CallModel>(environment: world, limits: bounds)
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("a", key: "k"), call("b"), to: handle.id)
        await suspendAll(bench)
        #expect(await bench.dispatch(call("c"), to: handle.id) == Self.refused)
        #expect(await standing(bench, handle.id) == 2)
        await bench.close()
        let again = try Bench<CallModel>(in: bench.location, environment: world, time: bench.time, limits: bounds)
        #expect(await again.dispatch(call("c"), to: handle.id) == Self.refused)
        // Its keys are known again, too.
        #expect(await again.dispatch(.cancel("k"), to: handle.id) == "3 false call/cancel@3")
        #expect(await standing(again, handle.id) == 1)
        #expect(await again.dispatch(call("c"), to: handle.id) == "4 false call/make@4")
        await again.end()
    }

    @Test func `is that of the disk after a failed commit`() async throws {
        // Commit 1 opens the account, 2 has the first call, 3 finds the disk full.
        let bench = try Bench<CallModel>(environment: CallModel.Environment(), limits: limits(2), faults: .at(3, .full))
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("a", key: "k"), to: handle.id)
        #expect(await bench.dispatch(.cancel("k"), call("b"), call("c"), to: handle.id).contains("full"))
        #expect(await bench.dispatch(call("b"), to: handle.id) == "2 false call/make@2")
        #expect(await standing(bench, handle.id) == 2)
        #expect(await bench.dispatch(call("c"), to: handle.id) == Self.refused)
        #expect(try await outbox(bench, handle.id) == ["1.0", "2.0"])
        await bench.end()
    }

    @Test func `goes down where there is nothing to report, whether the account is in memory or not`() async throws {
        let world = CallModel.Environment()
        let bench = try Bench<CallModel>(environment: world, limits: limits(2) { $0.idleMilliseconds = 1_000 })
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("untold 1"), call("untold 2"), to: handle.id)
        await bench.until { world.desk.open.count == 2 }
        #expect(await bench.dispatch(call("c"), to: handle.id) == Self.refused)
        world.desk.answer("untold 1")
        await bench.until { await standing(bench, handle.id) == 1 }
        #expect(await bench.dispatch(call("c"), to: handle.id) == "3 false call/make@3")
        await suspendAll(bench)
        world.desk.answer("untold 2")
        await bench.until { (try? await outbox(bench, handle.id)) == ["3.0"] }
        #expect(await bench.dispatch(call("d"), to: handle.id) == "4 false call/make@4")
        #expect(await bench.dispatch(call("e"), to: handle.id) == Self.refused)
        await bench.end()
    }

    @Test func `goes down where an effect is settled while its account is being read`() async throws {
        let bench = try Bench<CallModel>(environment: CallModel.Environment(), limits: limits(2) { $0.idleMilliseconds = 1_000 })
        let (handle, _) = try await bench.create()
        let account = handle.id
        _ = await bench.dispatch(call("a"), call("b"), to: account)
        await suspendAll(bench)
        // In one turn of its loop: what is read still has both.
        let loaded = await withCheckedContinuation { done in
            bench.accounts.shard(of: account).perform { shard in
                shard.open(account) { done.resume(returning: $0) }
                shard.didSettle(OutboxID(account: account, revision: 1, ordinal: 0))
            }
        }
        _ = try loaded.get()
        #expect(await standing(bench, account) == 1)
        await bench.end()
    }

    @Test func `has the dead in it until a person drops them`() async throws {
        let world = CallModel.Environment()
        let bounds = limits(1) { $0.effects.attemptsMax = 1 }
        let bench = try Bench<CallModel>(environment: world, limits: bounds)
        let (handle, _) = try await bench.create()
        _ = await bench.dispatch(call("a"), to: handle.id)
        await bench.until { world.desk.open == ["a"] }
        world.desk.answer("a", throwing: CallModel.Desk.Away())
        await bench.until { handle.published.revision == 2 }
        #expect(await standing(bench, handle.id) == 1)
        #expect(await bench.dispatch(call("b"), to: handle.id) == Self.refused)
        let drop = Write.reschedule(
            OutboxID(account: handle.id, revision: 1, ordinal: 0), due: bench.time.wallMilliseconds,
            attempt: OutboxEntry.droppedAttempt)
        await withCheckedContinuation { done in bench.accounts.database.submit([drop]) { _ in done.resume() } }
        await bench.close()
        let again = try Bench<CallModel>(in: bench.location, environment: world, time: bench.time, limits: bounds)
        let loaded = try await again.open(handle.id).get()
        await again.until { loaded.published.revision == 3 }
        #expect(await standing(again, handle.id) == 0)
        #expect(await again.dispatch(call("b"), to: handle.id) == "4 false call/make@4")
        await again.end()
    }
}

@Suite struct `What waits in an outbox` {
    private func entry(_ revision: Int64, key: String? = nil) throws -> OutboxEntry {
        OutboxEntry(
            account: try #require(AccountID(rawValue: 1)), revision: revision, ordinal: 0, kind: "k", key: key, due: 0,
            payload: [])
    }

    @Test func `goes away once, by name or by key, and a late settlement of what was replaced takes nothing else`() throws {
        let (old, new, plain) = (try entry(1, key: "a"), try entry(2, key: "a"), try entry(3))
        var standing = OutboxStanding([(old.id, old.key)])
        standing.enqueue(new)
        standing.enqueue(plain)
        #expect(standing.count == 2)
        standing.settle(old.id)
        #expect(standing.count == 2)
        standing.cancel("a")
        standing.cancel("a")
        standing.settle(new.id)
        #expect(standing.count == 1)
        standing.enqueue(new)
        standing.settle(new.id)
        standing.cancel("a")
        #expect(standing.count == 1)
        standing.settle(plain.id)
        standing.settle(plain.id)
        #expect(standing.count == 0)
    }
}
