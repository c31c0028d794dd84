import Accounts
import Counter
import Persistence
import Redux
import Runtime
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct `A follower` {
    @Test func `begins with a snapshot and hears of each transition of its own account`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        let (other, _) = try await bench.create()
        let sink = RecordingSink()
        let follower = bench.follow(.transitions(patched: true), of: handle, to: sink)
        await bench.until { sink.revision == 0 }
        _ = await bench.dispatch(.increase, to: handle.id)
        _ = await bench.dispatch(.increase, to: other.id)
        _ = await bench.dispatch(.asyncIncrease, to: handle.id)
        await bench.until { sink.revision == 2 }
        let body = #"{"account":\#(handle.id),"epoch":"\#(handle.epoch)","revision":0,"state":{"value":0}}"#
        #expect(
            sink.seen == [
                .snapshot(0, state: body, reset: nil),
                .transition(1, patch: #"[{"op":"replace","path":"/value","value":1}]"#),
                .transition(2, patch: "[]"),
            ])
        #expect(sink.accounts == [handle.id])
        bench.cut(follower)
        await bench.end()
    }

    @Test func `shares one encoding of an event with a thousand others`() async throws {
        final class CountingSink: EventSink {
            let encodings: AccountCounters.Counter
            let events: AccountCounters.Counter
            init(encodings: AccountCounters.Counter, events: AccountCounters.Counter) {
                self.encodings = encodings
                self.events = events
            }
            func prepare(_ event: FeedEvent, patched: Bool, epoch: String) {
                _ = event.frame(patched: patched) { _ in
                    encodings.add(1)
                    return [1]
                }
            }
            func send(_ event: FollowerEvent, epoch: String, on loop: isolated EventLoop) -> Bool {
                if case .transition(let event, let patched) = event {
                    prepare(event, patched: patched, epoch: epoch)
                    events.add(1)
                }
                return true
            }
            func whenWritable(on loop: isolated EventLoop, _ job: @escaping EventLoop.LocalJob) {}
            func end(on loop: isolated EventLoop) {}
        }
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        let (encodings, events) = (AccountCounters.Counter(), AccountCounters.Counter())
        for index in 0..<1000 {
            let loop = bench.loops[index % 2]
            let follower = Follower(
                .transitions(patched: false), of: handle.id, session: handle.sessions[0], from: .fresh,
                to: CountingSink(encodings: encodings, events: events), accounts: bench.accounts, on: loop)
            loop.execute { _ in follower.assumeIsolated { $0.start() } }
        }
        await bench.until { bench.accounts.counters.followers.current == 1000 }
        // Each has its start behind it once the loops have gone round for the last of them.
        for _ in 0..<3 { for loop in bench.loops { loop.runBlocking { _ in } } }
        for _ in 0..<5 { _ = await bench.dispatch(.increase, to: handle.id) }
        await bench.until { events.current == 5000 }
        #expect(encodings.current == 5)
        await bench.end()
    }

    @Test func `that is slow gets everything in order once it can, and nothing is kept for it meanwhile`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        let sink = RecordingSink(room: 1, stallMilliseconds: 1000)
        let follower = bench.follow(.transitions(patched: false), of: handle, to: sink)
        await bench.until { sink.revision == 0 }
        // More than memory keeps for those who come back.
        for _ in 0..<300 { _ = await bench.dispatch(.increase, to: handle.id) }
        #expect(sink.revision == 0)
        await bench.until {
            bench.time.advance(byMilliseconds: 100)
            return sink.revision == 300
        }
        let transitions = sink.seen.compactMap { if case .transition(let revision, _) = $0 { revision } else { nil } }
        #expect(transitions == Array(1...300))
        bench.cut(follower)
        await bench.end()
    }

    @Test func `gives signs of life with the head, and ends after its lifetime`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        var limits = FollowerLimits()
        limits.lifetimeMilliseconds = 30_000
        limits.lifetimeJitterMilliseconds = 1
        let sink = RecordingSink()
        _ = bench.follow(.transitions(patched: false), of: handle, to: sink, limits: limits)
        await bench.until { sink.revision == 0 }
        _ = await bench.dispatch(.increase, to: handle.id)
        await bench.until { sink.revision == 1 }
        bench.time.advance(byMilliseconds: 13_000)
        for loop in bench.loops {
            loop.execute { _ in }
            loop.runBlocking { _ in }
        }
        #expect(!sink.seen.contains(.heartbeat(1)))
        while !sink.isEnded {
            bench.time.advance(byMilliseconds: 500)
            // A whole turn, so that no timer is late by more than a step.
            for loop in bench.loops {
                loop.execute { _ in }
                loop.runBlocking { _ in }
            }
        }
        #expect(sink.seen.filter { $0 == .heartbeat(1) }.count == 2)
        #expect(sink.seen.last == .bye(.lifetime, resume: EventID(epoch: handle.epoch, revision: 1)))
        await bench.until { bench.accounts.counters.followers.current == 0 }
        await bench.end()
    }

    @Test func `hears nothing more once its session has ended`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        let sink = RecordingSink()
        _ = bench.follow(.transitions(patched: false), of: handle, to: sink)
        await bench.until { sink.revision == 0 }
        _ = await bench.dispatch(.increase, to: handle.id)
        await bench.until { sink.revision == 1 }
        let session = handle.sessions[0]
        _ = await withCheckedContinuation { done in bench.accounts.end(session, clear: false) { done.resume(returning: $0) } }
        _ = await bench.dispatch(.increase, to: handle.id)
        await bench.until { sink.isEnded }
        #expect(sink.revision == 1)
        #expect(sink.seen.last == .bye(.session, resume: EventID(epoch: handle.epoch, revision: 1)))
        await bench.end()
    }

    @Test func `keeps its account in memory, and lets go of it when it leaves`() async throws {
        var limits = AccountLimits()
        limits.idleMilliseconds = 1000
        let bench = try Bench<CounterModel>(limits: limits)
        let (followed, _) = try await bench.create()
        let (idle, _) = try await bench.create()
        let sink = RecordingSink()
        let follower = bench.follow(.transitions(patched: false), of: followed, to: sink)
        await bench.until { sink.revision == 0 }
        await bench.until {
            bench.time.advance(byMilliseconds: 250)
            return !idle.isCurrent
        }
        #expect(followed.isCurrent)
        bench.cut(follower)
        await bench.until {
            bench.time.advance(byMilliseconds: 250)
            return !followed.isCurrent
        }
        await bench.end()
    }

    @Test(arguments: [false, true])
    func `never hears of what was not committed, and goes on with the store that is loaded again`(patched: Bool) async throws {
        // Commit 1 opens the account, 2 is the first action, 3 finds the disk full.
        let bench = try Bench<CounterModel>(faults: .at(3, .full))
        let (handle, _) = try await bench.create()
        let sink = RecordingSink()
        let follower = bench.follow(.transitions(patched: patched), of: handle, to: sink)
        await bench.until { sink.revision == 0 }
        _ = await bench.dispatch(.increase, to: handle.id)
        #expect(await bench.dispatch(.increase, to: handle.id).contains("commitFailed"))
        await bench.until { sink.revision == 1 }
        #expect(await bench.dispatch(.increase, to: handle.id) == "2 true counter/increase@2")
        await bench.until { sink.revision == 2 }
        let patch = { (value: Int) in patched ? #"[{"op":"replace","path":"/value","value":\#(value)}]"# : nil }
        #expect(sink.seen.dropFirst() == [.transition(1, patch: patch(1)), .transition(2, patch: patch(2))])
        #expect(try await bench.open(handle.id).get() !== handle)
        bench.cut(follower)
        await bench.end()
    }
}

@Suite(.timeLimit(.minutes(10))) struct `A follower of a view` {
    @Test func `is given distinct values only`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        let sink = RecordingSink()
        let follower = bench.follow(.view("counter"), of: handle, to: sink)
        await bench.until { sink.seen.count == 1 }
        _ = await bench.dispatch(.increase, to: handle.id)
        await bench.until { sink.seen.count == 2 }
        // Asking changes nothing, and there and back again leaves the value as it was.
        _ = await bench.dispatch(.asyncIncrease, to: handle.id)
        _ = await bench.dispatch(.increase, .decrease, to: handle.id)
        _ = await bench.dispatch(.decrease, to: handle.id)
        await bench.until { sink.seen.count == 3 }
        let values = sink.seen.map { if case .view(let value, let id, nil) = $0 { "\(value) at \(id.revision)" } else { "?" } }
        #expect(values == ["0 at 0", "1 at 1", "0 at 5"])
        bench.cut(follower)
        await bench.end()
    }

    @Test func `is not given again the value it has, and is told where its id is of another history`() async throws {
        let bench = try Bench<CounterModel>()
        let (handle, _) = try await bench.create()
        let first = RecordingSink()
        bench.cut(bench.follow(.view("counter"), of: handle, to: first))
        let sink = RecordingSink()
        let follower = bench.follow(.view("counter"), of: handle, to: sink)
        await bench.until { sink.seen.count == 1 }
        guard case .view("0", let id, nil) = sink.seen[0] else { return #expect(Bool(false), "\(sink.seen)") }
        bench.cut(follower)

        _ = await bench.dispatch(.asyncIncrease, to: handle.id)
        let again = RecordingSink()
        _ = bench.follow(.view("counter"), of: handle, from: .after(id), to: again)
        let stranger = RecordingSink()
        _ = bench.follow(.view("counter"), of: handle, from: .after(EventID(epoch: "other", revision: 0)), to: stranger)
        await bench.until { stranger.seen.count == 1 }
        guard case .view("0", _, .epoch) = stranger.seen[0] else { return #expect(Bool(false), "\(stranger.seen)") }
        _ = await bench.dispatch(.increase, to: handle.id)
        await bench.until { again.seen.count == 1 }
        guard case .view("1", _, nil) = again.seen[0] else { return #expect(Bool(false), "\(again.seen)") }
        await bench.end()
    }
}
