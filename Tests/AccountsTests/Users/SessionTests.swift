import Accounts
import Identity
import JSON
import Redux
import Runtime
import Shop
import Sodium
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Sessions` {
    @Test func `of one account share its store, and each ends by itself`() async throws {
        let bench = try Bench.shop()
        let desk = bench.desk()
        let first = try await desk.register().get()
        let second = try await desk.logIn().get()
        #expect(first.account === second.account)
        #expect(first.account.sessions.count == 2)
        try await bench.logOut(first.token)
        #expect(try await bench.holder(of: first.token) == nil)
        #expect(try await bench.holder(of: second.token) == second.account.id)
        #expect(try bench.part("/session/signedIn", of: second.account) == true)
        #expect(try await !bench.log(of: second.account.id).contains("session/signedOut"))
        await bench.end()
    }

    @Test func `the last one ended signs the account out, and signing in brings it back`() async throws {
        let bench = try Bench.shop()
        let desk = bench.desk()
        let session = try await desk.register().get()
        _ = await bench.dispatch(.cart(.addItem(ProductAddition(productID: "dune", quantity: 1))), to: session.account.id)
        try await bench.logOut(session.token)
        #expect(try bench.part("/session/signedIn", of: session.account) == false)
        #expect(try bench.part("/cart/lines/0/productID", of: session.account) == "dune", "detached, not cleared")
        #expect(
            await bench.dispatch(.favorites(.toggle(ProductReference(productID: "dune"))), to: session.account.id) == "signed-out"
        )
        try await bench.logOut(session.token)
        #expect(try await bench.log(of: session.account.id).filter { $0 == "session/signedOut" }.count == 1)
        let again = try await desk.logIn().get()
        #expect(try bench.part("/session/signedIn", of: again.account) == true)
        #expect(bench.accounts.counters.events["login"] == 1)
        await bench.end()
    }

    @Test func `of an account in memory are known without a look-up, as long as they live`() async throws {
        let bench = try Bench.shop()
        let session = try await bench.desk().register().get()
        let token = try #require(bench.accounts.mint.parse(session.token))
        let now = bench.accounts.time.wallMilliseconds()
        let standing = try #require(bench.accounts.standing(of: token, at: now))
        #expect(standing.0 === session.account && session.account.sessions.contains { $0 === standing.1 })
        #expect(bench.accounts.standing(of: token, at: standing.1.expires ?? 0) == nil, "expired")
        let other = try #require(bench.accounts.mint.parse(bench.accounts.mint.mint(account: token.account).text))
        #expect(bench.accounts.standing(of: other, at: now) == nil, "of no session")
        try await bench.logOut(session.token)
        #expect(bench.accounts.standing(of: token, at: now) == nil, "ended")
        await bench.end()
    }

    @Test func `clear the working data where the policy says so`() async throws {
        let bench = try Bench.shop()
        let session = try await bench.desk().register().get()
        _ = await bench.dispatch(.cart(.addItem(ProductAddition(productID: "dune", quantity: 1))), to: session.account.id)
        try await bench.logOut(session.token, clear: true)
        #expect(try bench.part("/cart/lines", of: session.account) == [])
        await bench.end()
    }

    @Test func `two ends of one session at once are one`() async throws {
        let bench = try Bench.shop()
        let session = try await bench.desk().register().get()
        let live = try #require(try await bench.session(of: session.token))
        async let first: Void = bench.end(live)
        async let second: Void = bench.end(live)
        _ = try await (first, second)
        #expect(try await bench.log(of: session.account.id).filter { $0 == "session/signedOut" }.count == 1)
        await bench.end()
    }

    @Test func `count for nothing from their end on, whoever uses them`() async throws {
        let bench = try Bench.shop()
        let session = try await bench.desk { $0.sessions = SessionPolicy(lifetime: 1000) }.register().get()
        bench.time.advance(byMilliseconds: 999)
        #expect(try await bench.holder(of: session.token) != nil)
        bench.time.advance(byMilliseconds: 1)
        #expect(try await bench.holder(of: session.token) == nil)
        await bench.end()
    }

    @Test func `are swept once they have ended, though nobody uses them, and the account learns of it once`() async throws {
        let bench = try Bench.shop()
        let session = try await bench.desk { $0.sessions = SessionPolicy(lifetime: 1000) }.register().get()
        for _ in 0..<3 {
            // As far as the next sweep and beyond it; the two later ones find nothing to do.
            bench.time.advance(byMilliseconds: Int(AccountService<ShopModel>.sweepMilliseconds) + 1000)
            await bench.until { (try? await bench.log(of: session.account.id))?.contains("session/expired") == true }
            // The log on the disk is ahead of what is published by a moment.
            await bench.until { (try? bench.part("/session/ended", of: session.account)) == "expired" }
        }
        #expect(try await bench.log(of: session.account.id).filter { $0 == "session/expired" }.count == 1)
        #expect(try bench.part("/session/ended", of: session.account) == "expired")
        #expect(session.account.sessions.isEmpty)
        await bench.end()
    }

    @Test func `are renewed under another token, and the old one is dead`() async throws {
        let bench = try Bench.shop()
        let first = try await bench.desk { $0.sessions = SessionPolicy(lifetime: 1000) }.register().get()
        let live = try #require(try await bench.session(of: first.token))
        bench.time.advance(byMilliseconds: 500)
        let policy = SessionPolicy(lifetime: 1000)
        let renewed = try await withCheckedContinuation { done in
            bench.accounts.renew(live, of: first.account, policy) { done.resume(returning: $0) }
        }.get()
        #expect(!live.isLive(at: bench.time.wallMilliseconds))
        #expect(try await bench.holder(of: first.token) == nil)
        bench.time.advance(byMilliseconds: 999)
        #expect(try await bench.holder(of: renewed.token) == first.account.id)
        let again = try await bench.restarted(environment: bench.accounts.environment)
        #expect(try await again.holder(of: renewed.token) == first.account.id)
        #expect(try await again.holder(of: first.token) == nil)
        await again.end()
    }

    @Test func `are bounded: the oldest makes room`() async throws {
        let bench = try Bench.shop()
        let desk = bench.desk()
        let first = try await desk.register().get()
        var last = first
        for _ in 0..<64 { last = try await desk.logIn().get() }
        #expect(last.account.sessions.count == 64)
        #expect(try await bench.holder(of: first.token) == nil)
        #expect(try await bench.holder(of: last.token) != nil)
        await bench.end()
    }

    @Test func `a new world shows no state before its commit`() async throws {
        let bench = try Bench.shop()
        let (handle, _) = try await bench.create()
        let before = handle.published
        bench.accounts.replace(environment: bench.accounts.environment)
        await bench.until { handle.published !== before }
        #expect(handle.published.revision == 0)
        #expect(handle.published.tag == before.tag)
        await bench.end()
    }
}

extension Bench {
    func end(_ session: Session) async throws {
        try await withCheckedContinuation { done in accounts.end(session, clear: false) { done.resume(returning: $0) } }.get()
    }
}
