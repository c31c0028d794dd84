import Counter
import Persistence
import Redux
import Testing

@testable import Accounts

@Suite(.timeLimit(.minutes(10))) struct `Postponed items` {
    private typealias Model = CounterModel

    /// An item is the text of its actions: `+` increases, `-` decreases, `?` is not understood.
    private static let decode: @Sendable ([UInt8]) -> [CounterAction]? = { body in
        body.contains(UInt8(ascii: "?")) ? nil : body.map { $0 == UInt8(ascii: "+") ? .increase : .decrease }
    }

    private static func answer(_ text: String) -> RenderedAnswer {
        RenderedAnswer(status: 200, fields: [], body: Array(text.utf8))
    }

    private func postpone(
        _ body: String, _ tag: String, _ bench: Bench<Model>, _ account: AccountID, key: String? = nil
    ) async -> String {
        var item = Postponement(tag: tag, body: Array(body.utf8)) { Self.answer("waiting \($0)") }
        item.key = key.map { IdempotencyKey(key: $0, fingerprint: Array(body.utf8)) }
        let sent = item
        return bench.text(
            of: await withCheckedContinuation { done in
                bench.accounts.postpone(sent, to: account) { done.resume(returning: $0) }
            })
    }

    private func run(_ tag: String, _ bench: Bench<Model>, _ account: AccountID, key: String? = nil) async -> String {
        var run = PostponedRun<Model>(tag: tag, decode: Self.decode) { outcomes in
            Self.answer(
                outcomes.map { outcome in
                    switch outcome {
                    case .done(let revision): "\(revision)"
                    case .refused(let refusal, let index): refusal.kind.slug + (index.map { "@\($0)" } ?? "")
                    case .unreadable: "unreadable"
                    }
                }.joined(separator: " "))
        }
        run.key = key.map { IdempotencyKey(key: $0, fingerprint: Array(tag.utf8)) }
        let sent = run
        return bench.text(
            of: await withCheckedContinuation { done in bench.accounts.run(sent, of: account) { done.resume(returning: $0) } })
    }

    @Test func `run by tag in their order, once, and past what is not understood`() async throws {
        let bench = try Bench<Model>()
        let (handle, _) = try await bench.create()
        #expect(await postpone("+", "a", bench, handle.id) == "waiting 1")
        #expect(await postpone("-", "b", bench, handle.id) == "waiting 2")
        #expect(await postpone("?", "a", bench, handle.id) == "waiting 3")
        #expect(await postpone("++", "a", bench, handle.id) == "waiting 4")
        #expect(try bench.value(of: handle) == "0", "nothing is done before its tag is run")
        #expect(await run("a", bench, handle.id) == "1 unreadable 3")
        #expect(await run("a", bench, handle.id) == "")
        #expect(try bench.value(of: handle) == "3")
        #expect(await run("b", bench, handle.id) == "4")
        await bench.end()
    }

    @Test func `are kept across a restart`() async throws {
        let bench = try Bench<Model>()
        let (handle, _) = try await bench.create()
        _ = await postpone("+", "a", bench, handle.id)
        _ = await postpone("+", "a", bench, handle.id)
        let again = try await bench.restarted(environment: .init())
        #expect(await postpone("-", "a", again, handle.id) == "waiting 3")
        #expect(await run("a", again, handle.id) == "1 2 3")
        let third = try await again.restarted(environment: .init())
        #expect(await run("a", third, handle.id) == "")
        let loaded = try await third.open(handle.id).get()
        #expect(try third.value(of: loaded) == "1")
        await third.end()
    }

    @Test func `more than one turn's worth run all the same`() async throws {
        let bench = try Bench<Model>()
        let (handle, _) = try await bench.create()
        for _ in 0..<40 { _ = await postpone("+", "a", bench, handle.id) }
        #expect(await run("a", bench, handle.id) == (1...40).map(String.init).joined(separator: " "))
        await bench.end()
    }

    @Test func `are bounded for each account`() async throws {
        var limits = AccountLimits()
        limits.postponedMax = 2
        let bench = try Bench<Model>(limits: limits)
        let (handle, _) = try await bench.create()
        let (other, _) = try await bench.create()
        _ = await postpone("+", "a", bench, handle.id)
        #expect(await postpone("+", "b", bench, handle.id) == "waiting 2")
        #expect(await postpone("+", "c", bench, handle.id) == "tooManyPostponed")
        #expect(await postpone("+", "c", bench, other.id) == "waiting 1")
        _ = await run("a", bench, handle.id)
        #expect(await postpone("+", "c", bench, handle.id) == "waiting 2")
        await bench.end()
    }

    @Test func `a key makes a retry harmless, of postponing and of running`() async throws {
        let bench = try Bench<Model>()
        let (handle, _) = try await bench.create()
        #expect(await postpone("+", "a", bench, handle.id, key: "k") == "waiting 1")
        #expect(await postpone("+", "a", bench, handle.id, key: "k") == "replayed waiting 1")
        #expect(await postpone("-", "a", bench, handle.id, key: "k") == "keyReused")
        #expect(await run("a", bench, handle.id, key: "r") == "1")
        #expect(await run("a", bench, handle.id, key: "r") == "replayed 1")
        #expect(try bench.value(of: handle) == "1")
        await bench.end()
    }

    @Test func `two runs at once run each item once`() async throws {
        let bench = try Bench<Model>()
        let (handle, _) = try await bench.create()
        for _ in 0..<20 { _ = await postpone("+", "a", bench, handle.id) }
        async let first = run("a", bench, handle.id)
        async let second = run("a", bench, handle.id)
        let answers = await [first, second]
        #expect(answers.allSatisfy { $0 == "postponedRunning" || $0 == "" || $0.hasPrefix("1 2 3") })
        #expect(try bench.value(of: handle) == "20")
        await bench.end()
    }

    @Test func `a failed commit leaves the item where it was`() async throws {
        // Commit 1 opens the account, 2 postpones, 3 finds the disk full.
        let bench = try Bench<Model>(faults: .at(3, .full))
        let (handle, _) = try await bench.create()
        #expect(await postpone("+", "a", bench, handle.id) == "waiting 1")
        #expect(await run("a", bench, handle.id) == "commitFailed(Persistence.CommitFault.full)")
        #expect(await run("a", bench, handle.id) == "1")
        await bench.end()
    }
}
