import Dispatch
import Runtime
import Synchronization
import Testing

@Suite struct EventLoopTests {
    /// A list that only one loop touches.
    private final class Record {
        var entries: [String] = []
    }

    private func makeRecord(on loop: EventLoop) -> LoopLocal<Record> {
        loop.runBlocking { LoopLocal(Record(), on: $0) }
    }

    private func entries(_ record: LoopLocal<Record>) -> [String] {
        record.loop.runBlocking { record.value(on: $0)?.entries ?? [] }
    }

    /// Waits for all jobs given so far, and what they gave at their turn's end.
    private func settle(_ loop: EventLoop) {
        let done = DispatchSemaphore(value: 0)
        loop.execute { _ in done.signal() }
        done.wait()
        loop.runBlocking { _ in }  // after the turn of that job
    }

    @Test func `jobs of each thread run in the order it gave them, one at a time`() throws {
        let loop = try EventLoop()
        let record = makeRecord(on: loop)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<1000 {
                loop.execute { record.value(on: $0)?.entries.append("\(thread) \(number)") }
            }
        }
        settle(loop)
        let all = entries(record)
        #expect(all.count == 4000)
        for thread in 0..<4 {
            #expect(all.filter { $0.hasPrefix("\(thread) ") } == (0..<1000).map { "\(thread) \($0)" })
        }
        loop.execute { $0.stop() }
    }

    @Test func `what is put off to the end of the turn runs once, after every job of the turn`() throws {
        let loop = try EventLoop()
        let record = makeRecord(on: loop)
        loop.runBlocking { loop in
            // The loop is held, so these are of one turn.
            loop.execute { loop in
                let list = record.value(on: loop)
                list?.entries.append("one")
                loop.endOfTurn {
                    list?.entries.append("end")
                    loop.endOfTurn { list?.entries.append("end of the end") }
                }
            }
            loop.execute { record.value(on: $0)?.entries.append("two") }
        }
        settle(loop)
        #expect(entries(record) == ["one", "two", "end", "end of the end"])
        loop.execute { $0.stop() }
    }

    /// Whether an endless chain may end, shared by threads.
    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    private func endlessly(until enough: Flag, on loop: isolated EventLoop) {
        guard !enough.isSet.load(ordering: .relaxed) else { return }
        loop.endOfTurn { endlessly(until: enough, on: loop) }
    }

    private func atOnceAgain(until enough: Flag, on loop: isolated EventLoop) {
        guard !enough.isSet.load(ordering: .relaxed) else { return }
        loop.schedule(afterMilliseconds: 0) { atOnceAgain(until: enough, on: loop) }
    }

    @Test(arguments: ["end of turn", "timer for at once"])
    func `what always begets another leaves turns to others`(_ kind: String) throws {
        let loop = try EventLoop()
        let record = makeRecord(on: loop)
        let enough = Flag()
        loop.execute { loop in
            kind == "end of turn" ? endlessly(until: enough, on: loop) : atOnceAgain(until: enough, on: loop)
        }
        settle(loop)  // hangs if the first turn never ends
        enough.isSet.store(true, ordering: .relaxed)
        loop.execute { record.value(on: $0)?.entries.append("served") }
        settle(loop)
        #expect(entries(record) == ["served"])
        loop.execute { $0.stop() }
    }

    @Test func `timers fire by the loop's clock, in order, and never early`() throws {
        let time = ManualTime()
        let loop = try EventLoop(time: .manual(time))
        let record = makeRecord(on: loop)
        loop.runBlocking { loop in
            let list = record.value(on: loop)
            loop.schedule(afterMilliseconds: 20) { list?.entries.append("20") }
            loop.schedule(afterMilliseconds: 10) { list?.entries.append("10") }
            let cancelled = loop.schedule(afterMilliseconds: 5) { list?.entries.append("5") }
            loop.cancel(cancelled)
        }
        time.advance(byMilliseconds: 9)
        settle(loop)
        #expect(entries(record) == [])
        time.advance(byMilliseconds: 1)
        settle(loop)
        #expect(entries(record) == ["10"])
        time.advance(byMilliseconds: 100)
        settle(loop)
        #expect(entries(record) == ["10", "20"])
        loop.execute { $0.stop() }
    }

    @Test func `a timer wakes an idle loop by itself`() throws {
        let loop = try EventLoop()
        let done = DispatchSemaphore(value: 0)
        let before = TimeSource.system.monotonic()
        loop.execute { loop in
            loop.schedule(afterMilliseconds: 60_000) { Issue.record("fires after the loop was stopped") }
            loop.schedule(afterMilliseconds: 15) { done.signal() }
        }
        #expect(done.wait(timeout: .now() + 10) == .success)
        #expect(TimeSource.system.monotonic().nanoseconds(since: before) >= 15_000_000)
        loop.execute { $0.stop() }
    }

    @Test func `an actor on the loop's executor may be entered from the loop's jobs`() throws {
        actor Neighbour {
            let executor: SerialQueue
            var count = 0
            nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
            init(_ executor: SerialQueue) { self.executor = executor }
            func increment() { count += 1 }
        }
        let loop = try EventLoop()
        let neighbour = Neighbour(loop.executor)
        loop.execute { _ in neighbour.assumeIsolated { $0.increment() } }
        settle(loop)
        #expect(loop.runBlocking { _ in neighbour.assumeIsolated { $0.count } } == 1)
        loop.execute { $0.stop() }
    }

    @Test func `a stopped loop lets go of itself and its descriptors`() throws {
        weak var gone: EventLoop?
        try {
            let loop = try EventLoop()
            gone = loop
            loop.runBlocking { $0.schedule(afterMilliseconds: 60_000) { Issue.record("a stopped loop has no timers") } }
            loop.runBlocking { $0.stop() }
        }()
        // The cancellation passes through Dispatch's own threads; it is there as soon as they have run.
        let deadline = TimeSource.system.monotonic().advanced(byMilliseconds: 10_000)
        while gone != nil && TimeSource.system.monotonic() < deadline { DispatchQueue.global().sync {} }
        #expect(gone == nil)
    }
}
