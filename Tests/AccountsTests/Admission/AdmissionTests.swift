import Counter
import Redux
import Runtime
import Testing

@testable import Accounts

/// Who is let in, told by values whose time the tests hand in.
@Suite struct `A token bucket` {
    static func rate(_ perSecond: Double, burst: Int) -> TokenBucket.Rate {
        var limits = AccountLimits()
        limits.actionsPerSecond = perSecond
        limits.actionsBurst = burst
        return TokenBucket.Rate(limits)!
    }

    @Test func `is off where no rate is set`() {
        #expect(TokenBucket.Rate(AccountLimits()) == nil)
    }

    @Test func `gives a burst, then as much as is refilled, and says when`() {
        let rate = Self.rate(10, burst: 3)
        var bucket = TokenBucket()
        #expect((1...3).allSatisfy { _ in bucket.take(1, of: rate, at: 1_000) == nil })
        #expect(bucket.take(1, of: rate, at: 1_000) == 100)
        #expect(bucket.take(1, of: rate, at: 1_050) == 50)
        #expect(bucket.take(1, of: rate, at: 1_100) == nil)
        #expect(bucket.take(1, of: rate, at: 1_100) == 100)
        // Never more than the burst, however long it was left alone.
        #expect((1...3).allSatisfy { _ in bucket.take(1, of: rate, at: 1_000_000) == nil })
        #expect(bucket.take(1, of: rate, at: 1_000_000) == 100)
    }

    @Test func `lets a batch larger than itself in once it is full, and is in debt then`() {
        let rate = Self.rate(10, burst: 2)
        var bucket = TokenBucket()
        #expect(bucket.take(5, of: rate, at: 0) == nil)
        #expect(bucket.take(1, of: rate, at: 0) == 400)
        #expect(bucket.take(1, of: rate, at: 400) == nil)
    }

    @Test func `a clock set back neither fills nor empties it`() {
        let rate = Self.rate(1, burst: 2)
        var bucket = TokenBucket()
        #expect(bucket.take(1, of: rate, at: 10_000) == nil)
        #expect(bucket.take(1, of: rate, at: 0) == nil)
        #expect(bucket.take(1, of: rate, at: 0) == 1_000)
    }

    @Test func `without a burst it holds a second's worth`() {
        let rate = Self.rate(4, burst: 0)
        var bucket = TokenBucket()
        #expect((1...4).allSatisfy { _ in bucket.take(1, of: rate, at: 0) == nil })
        #expect(bucket.take(1, of: rate, at: 0) == 250)
    }
}

@Suite struct `A backlog` {
    static func backlog(actions: Int = 100, milliseconds: Milliseconds = 1_000) -> Backlog {
        var limits = AccountLimits()
        limits.waitingActionsMax = actions
        limits.commitWaitMilliseconds = milliseconds
        return Backlog(limits)
    }

    @Test func `admits until so many are on their way`() {
        var backlog = Self.backlog(actions: 10)
        backlog.didSubmit(0, actions: 6, at: 0)
        #expect(backlog.admits(beside: 3, at: 0) && !backlog.admits(beside: 4, at: 0))
        backlog.didSubmit(1, actions: 4, at: 0)
        #expect(!backlog.admits(beside: 0, at: 0))
        backlog.didSettle(0, actions: 6)
        #expect(backlog.actions == 4 && backlog.admits(beside: 5, at: 0))
    }

    @Test func `sheds while the oldest has waited too long, and no longer`() {
        var backlog = Self.backlog(milliseconds: 500)
        backlog.didSubmit(0, actions: 1, at: 1_000)
        backlog.didSubmit(1, actions: 1, at: 1_400)
        #expect(backlog.admits(beside: 0, at: 1_500) && !backlog.admits(beside: 0, at: 1_501))
        backlog.didSettle(0, actions: 1)
        #expect(backlog.admits(beside: 0, at: 1_900) && !backlog.admits(beside: 0, at: 1_901))
        backlog.didSettle(1, actions: 1)
        #expect(backlog.admits(beside: 0, at: 1_000_000))
        backlog.didSubmit(2, actions: 1, at: 1_000_000)
        #expect(backlog.admits(beside: 0, at: 1_000_500) && !backlog.admits(beside: 0, at: 1_000_501))
    }

    @Test func `what comes back out of order is forgotten all the same`() {
        var backlog = Self.backlog(milliseconds: 500)
        for ticket in 0...2 { backlog.didSubmit(ticket, actions: 1, at: Milliseconds(ticket) * 100) }
        backlog.didSettle(1, actions: 1)
        #expect(!backlog.admits(beside: 0, at: 501))
        backlog.didSettle(0, actions: 1)
        #expect(backlog.admits(beside: 0, at: 700) && !backlog.admits(beside: 0, at: 701))
        backlog.didSettle(2, actions: 1)
        #expect(backlog.actions == 0 && backlog.admits(beside: 0, at: 10_000))
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Rate and backlog of a service` {
    @Test func `an account that is too fast waits; others, replays and effects do not`() async throws {
        var limits = AccountLimits()
        limits.actionsPerSecond = 2
        limits.actionsBurst = 2
        let bench = try Bench<CounterModel>(limits: limits)
        let (fast, _) = try await bench.create()
        let (other, _) = try await bench.create()
        let key = IdempotencyKey(key: "k", fingerprint: [1])
        #expect(await bench.dispatch(.increase, to: fast.id) { $0.key = key }.hasPrefix("1 "))
        // An effect with a delay: its outcome is let in below, whatever the bucket holds.
        #expect(await bench.dispatch(.asyncIncrease, to: fast.id).hasPrefix("2 "))
        #expect(await bench.dispatch(.increase, to: fast.id) == "rateExceeded(waitMilliseconds: 500)")
        #expect(await bench.dispatch(.increase, to: fast.id) { $0.key = key }.hasPrefix("replayed 1 "))
        #expect(await bench.dispatch(.increase, to: other.id).hasPrefix("1 "))
        bench.time.advance(byMilliseconds: 500)
        #expect(await bench.dispatch(.increase, to: fast.id).hasPrefix("3 "))
        #expect(await bench.dispatch(.increase, to: fast.id).hasPrefix("rateExceeded"))
        #expect(bench.accounts.counters.actionsRateLimited.current == 2)
        bench.time.advance(byMilliseconds: 2_000)
        await bench.until { fast.published.revision >= 4 }
        #expect(bench.accounts.counters.actionsWaiting.current == 0)
        await bench.end()
    }

    @Test func `a backlog that is full sheds, and takes on again once it is committed`() async throws {
        var limits = AccountLimits()
        limits.waitingActionsMax = 2
        let bench = try Bench<CounterModel>(limits: limits, loops: 1)
        let (handle, _) = try await bench.create()
        let requests = (1...4).map { _ in DispatchRequest<CounterModel>([.increase], render: Bench<CounterModel>.render) }
        // In one turn of the loop, so that nothing is committed between them.
        let verdicts = await withCheckedContinuation { (done: CheckedContinuation<[String], Never>) in
            let gathered = Gathered(requests.count) { done.resume(returning: $0) }
            let bench = bench
            bench.loops[0].execute { loop in
                for request in requests {
                    bench.accounts.dispatch(request, to: handle.id, on: loop) { gathered.add(bench.text(of: $0)) }
                }
            }
        }
        #expect(verdicts.filter { $0 == "writerBehind" }.count == 2)
        #expect(verdicts.filter { $0.contains("counter/increase") }.count == 2)
        #expect(bench.accounts.counters.actionsShed.current == 2)
        #expect(await bench.dispatch(.increase, to: handle.id).hasPrefix("3 "))
        await bench.end()
    }
}
