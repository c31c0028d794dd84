import Redux
import Runtime
import Testing

@Suite(.timeLimit(.minutes(1))) struct `Reactions` {
    @Test func `are awaited in the order given, one transition after the other`() async throws {
        let clock = ManualClock()
        let trace = Journal<String>()
        let store = makeStore(reactions: [
            { _, action, _, _ in
                trace.note("a\(action) begins")
                await clock.wait(10)
                trace.note("a\(action) ends")
            },
            { _, action, _, _ in trace.note("b\(action)") },
        ])
        try await store.dispatch(1)
        try await store.dispatch(2)
        for _ in 1...2 {
            await clock.hasWaiters(1)
            clock.advance(by: 10)
        }
        await store.settle()
        #expect(trace.entries == ["a1 begins", "a1 ends", "b1", "a2 begins", "a2 ends", "b2"])
    }

    @Test func `see the action and the states around it`() async throws {
        let seen = Journal<[[Int]]>()
        let store = makeStore([1], reactions: [{ _, action, state, previous in seen.note([[action], state, previous]) }])
        try await store.dispatch(2)
        await store.settle()
        #expect(seen.entries == [[[2], [1, 2], [1]]])
    }

    @Test func `hear of batches and follow-ups, and not of what changed nothing`() async throws {
        let seen = Journal<Int>()
        let store = makeStore(
            middleware: [.followUps { action, _, _ in action == 2 ? [5] : [] }],
            reactions: [{ _, action, _, _ in seen.note(action) }])
        try await store.dispatch(batch: [1, 0, 2])
        await #expect(throws: Refusal.self) { try await store.dispatch(-1) }
        await store.settle()
        #expect(seen.entries == [1, 2, 5])
    }

    @Test func `run off the store: it takes actions meanwhile`() async throws {
        let clock = ManualClock()
        let store = makeStore(reactions: [{ _, action, _, _ in if action == 1 { await clock.wait(10) } }])
        try await store.dispatch(1)
        await clock.hasWaiters(1)
        try await store.dispatch(2)
        #expect(await store.state == [1, 2])
        clock.advance(by: 10)
        await store.settle()
    }

    @Test func `dispatch and await without a deadlock`() async throws {
        let outcomes = Journal<DispatchOutcome>()
        let store = makeStore(reactions: [
            { store, action, _, _ in
                if action < 4, let outcome = try? await store.dispatch(action + 1) { outcomes.note(outcome) }
            }
        ])
        try await store.dispatch(1)
        await store.settle()
        #expect(await store.state == [1, 2, 3, 4], "settling waits for what reactions cause, too")
        #expect(outcomes.entries == [.changed, .changed, .changed])
    }

    @Test func `that settle their own store do not wait for themselves`() async throws {
        let store = makeStore(reactions: [{ store, _, _, _ in await store.settle() }])
        try await store.dispatch(1)
        await store.settle()
        #expect(await store.state == [1])
    }

    @Test func `are waited for only as far as they were caused before`() async throws {
        let clock = ManualClock()
        let finished = Journal<Int>()
        let store = makeStore(reactions: [
            { _, action, _, _ in
                await clock.wait(Milliseconds(action))
                finished.note(action)
            }
        ])
        try await store.dispatch(10)
        // Its hop to the store stands before the next dispatch.
        let settled = Task.immediate { await store.settle() }
        try await store.dispatch(1000)
        await clock.hasWaiters(1)
        clock.advance(by: 10)
        await settled.value
        #expect(finished.entries == [10])
        await clock.hasWaiters(1)
        clock.advance(by: 1000)
        await store.settle()
        #expect(finished.entries == [10, 1000])
    }

    @Test func `leave a store without work free to go`() async throws {
        weak var gone: LineStore?
        do {
            let store = makeStore(reactions: [{ _, _, _, _ in }])
            try await store.dispatch(1)
            await store.settle()
            gone = store
            // The pump lets go of the store at its next turn, which stands before this one.
            _ = await store.state
        }
        while gone != nil { await Task.yield() }
        #expect(gone == nil)
    }

    @Test func `that fall behind make the store refuse, which undoes itself`() async throws {
        let clock = ManualClock()
        let store = makeStore(
            limits: StoreLimits(reactionsQueuedMax: 2), reactions: [{ _, action, _, _ in if action < 10 { await clock.wait(1) } }]
        )
        try await store.dispatch(1)
        await clock.hasWaiters(1)
        try await store.dispatch(2)
        try await store.dispatch(3)
        let refusal = await #expect(throws: Refusal.self) { try await store.dispatch(4) }
        #expect(refusal?.kind == .mailboxFull)
        let batch = await #expect(throws: BatchRefusal.self) { try await store.dispatch(batch: [4, 5]) }
        #expect(batch?.refusal.kind == .mailboxFull)
        for _ in 1...3 {
            await clock.hasWaiters(1)
            clock.advance(by: 1)
        }
        await store.settle()
        try await store.dispatch(10)
        #expect(await store.state == [1, 2, 3, 10])
    }
}

@Suite(.timeLimit(.minutes(1))) struct `An endless loop of reactions` {
    @Test func `is stopped by its length, and reported`() async throws {
        let dropped = Journal<RefusalKind>()
        let store = makeStore(
            reactions: [{ store, action, _, _ in _ = try? await store.dispatch(action + 1) }],
            onDrop: { dropped.note($1.kind) })
        try await store.dispatch(1)
        await store.settle()
        #expect(await store.state.count == 1 + 16)
        #expect(dropped.entries == [.feedbackLimit])
    }

    @Test func `is stopped by its number`() async throws {
        let dropped = Journal<RefusalKind>()
        let store = makeStore(
            limits: StoreLimits(followUpsPerActionMax: 50),
            reactions: [
                { store, action, _, _ in
                    _ = try? await store.dispatch(action + 1)
                    try? await store.dispatch(batch: [action + 2])
                }
            ], onDrop: { dropped.note($1.kind) })
        try await store.dispatch(1)
        await store.settle()
        #expect(await store.state.count == 1 + 50)
        #expect(dropped.entries == Array(repeating: .feedbackLimit, count: 2 * 51 - 50))
        // The next action from outside has a budget of its own.
        try await store.dispatch(1)
        await store.settle()
        #expect(await store.state.count == 2 * (1 + 50))
    }

    @Test func `through tasks that a reaction starts is stopped`() async throws {
        let dropped = Journal<RefusalKind>()
        let ended = ManualClock()
        let store = makeStore(
            reactions: [
                { store, action, _, _ in
                    Task {
                        _ = try? await store.dispatch(action + 1)
                        if !dropped.entries.isEmpty { await ended.wait(1) }
                    }
                }
            ], onDrop: { dropped.note($1.kind) })
        try await store.dispatch(1)
        await ended.hasWaiters(1)
        ended.advance(by: 1)
        #expect(await store.state.count == 1 + 16)
        #expect(dropped.entries.contains(.feedbackLimit))
    }

    @Test func `leaves what comes later a budget of its own, also what a replay dispatches`() async throws {
        let store = makeStore(
            limits: StoreLimits(followUpDepthMax: 2),
            reactions: [{ store, action, _, _ in _ = try? await store.dispatch(action + 1) }])
        try await store.dispatch(1)
        await store.settle()
        #expect(await store.state == [1, 2, 3])
        await store.subscribe(replay: true) { [unowned store] event in
            if event.action == nil { _ = try? store.assumeIsolated { store throws in try store.dispatch(10) } }
        }
        await store.settle()
        #expect(await store.state == [1, 2, 3, 10, 11, 12])
    }

    @Test func `between two stores is stopped`() async throws {
        let dropped = Journal<RefusalKind>()
        let ended = ManualClock()
        let there = Journal<LineStore>()
        let passing: Reaction<[Int], Int> = { store, action, _, _ in
            guard let other = there.entries.first(where: { $0 !== store }) else { return }
            do { _ = try await other.dispatch(action + 1) } catch { await ended.wait(1) }
        }
        let ping = makeStore(reactions: [passing], onDrop: { dropped.note($1.kind) })
        let pong = makeStore(reactions: [passing], onDrop: { dropped.note($1.kind) })
        there.note(ping)
        there.note(pong)
        try await ping.dispatch(1)
        await ended.hasWaiters(1)
        ended.advance(by: 1)
        #expect(await ping.state.count + pong.state.count == 1 + 16)
        #expect(dropped.entries == [.feedbackLimit])
    }
}
