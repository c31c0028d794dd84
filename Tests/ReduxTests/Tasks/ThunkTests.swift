import Redux
import Testing

private struct Broken: Error {}

@Suite(.timeLimit(.minutes(1))) struct `A thunk` {
    @Test func `dispatches several actions and may read the state between them`() async throws {
        let store = makeStore([3])
        try await store.dispatch { store in
            try await store.dispatch(4)
            try await store.dispatch(store.state.reduce(0, +))
        }
        #expect(await store.state == [3, 4, 7])
    }

    @Test func `ends at a refusal, and what it dispatched before stays`() async {
        let store = makeStore()
        let refusal = await #expect(throws: Refusal.self) {
            try await store.dispatch { store in
                try await store.dispatch(1)
                try await store.dispatch(-2)
                try await store.dispatch(3)
            }
        }
        #expect(refusal?.kind == .negative)
        #expect(await store.state == [1])
    }

    @Test func `may await without holding the store`() async throws {
        let clock = ManualClock()
        let store = makeStore()
        let thunk: Thunk<[Int], Int> = { store in
            try await store.dispatch(1)
            await clock.wait(50)
            try await store.dispatch(3)
        }
        async let running: Void = store.dispatch(thunk)
        await clock.hasWaiters(1)
        try await store.dispatch(2)
        clock.advance(by: 50)
        try await running
        #expect(await store.state == [1, 2, 3])
    }

    @Test func `may run another thunk`() async throws {
        let store = makeStore()
        try await store.dispatch { store in
            try await store.dispatch(1)
            try await store.dispatch { store in _ = try await store.dispatch(2) }
            try await store.dispatch(3)
        }
        #expect(await store.state == [1, 2, 3])
    }

    @Test func `that is cancelled leaves the results it did not replace`() async throws {
        let clock = ManualClock()
        let store = makeStore([1, 2])
        let searching = Task {
            try await store.dispatch { store in
                await clock.wait(100)
                try Task.checkCancellation()
                try await store.dispatch(3)
            }
        }
        await clock.hasWaiters(1)
        searching.cancel()
        clock.advance(by: 100)
        await #expect(throws: CancellationError.self) { try await searching.value }
        #expect(await store.state == [1, 2])
    }

    @Test func `that throws something else gives it to its dispatcher`() async {
        let store = makeStore()
        await #expect(throws: Broken.self) { try await store.dispatch { _ in throw Broken() } }
    }
}

@Suite(.timeLimit(.minutes(1))) struct `Postponed thunks` {
    private func adding(_ number: Int) -> Thunk<[Int], Int> {
        { store in _ = try await store.dispatch(number) }
    }

    @Test func `run in order of arrival, once, and not before`() async throws {
        let store = makeStore()
        for number in 1...3 { try await store.postpone(tag: "login", adding(number)) }
        #expect(await store.state == [])
        #expect(await store.runPostponed(tag: "login").count == 3)
        #expect(await store.state == [1, 2, 3])
        #expect(await store.runPostponed(tag: "login").isEmpty)
        #expect(await store.state == [1, 2, 3])
    }

    @Test func `run by tag`() async throws {
        let store = makeStore()
        try await store.postpone(tag: "a", adding(1))
        try await store.postpone(tag: "b", adding(2))
        await store.runPostponed(tag: "b")
        #expect(await store.state == [2])
        await store.runPostponed(tag: "a")
        #expect(await store.state == [2, 1])
        #expect(await store.runPostponed(tag: "c").isEmpty)
    }

    @Test func `go on past one that throws, and each one's end is reported`() async throws {
        let store = makeStore()
        try await store.postpone(tag: "t", adding(1))
        try await store.postpone(tag: "t", adding(-2))
        try await store.postpone(tag: "t") { _ in throw Broken() }
        try await store.postpone(tag: "t", adding(4))
        let results = await store.runPostponed(tag: "t")
        #expect(await store.state == [1, 4])
        let errors = results.map { result in if case .failure(let error) = result { error } else { nil as (any Error)? } }
        #expect(errors.count == 4)
        #expect(errors[0] == nil && errors[3] == nil)
        #expect((errors[1] as? Refusal)?.kind == .negative)
        #expect(errors[2] is Broken)
    }

    @Test func `postponed while their tag runs wait for the next run`() async throws {
        let store = makeStore()
        try await store.postpone(tag: "t") { store in
            try await store.dispatch(1)
            try await store.postpone(tag: "t") { store in _ = try await store.dispatch(2) }
        }
        #expect(await store.runPostponed(tag: "t").count == 1)
        #expect(await store.state == [1])
        await store.runPostponed(tag: "t")
        #expect(await store.state == [1, 2])
    }

    @Test func `run once, however many run their tag`() async throws {
        let store = makeStore()
        for number in 1...20 { try await store.postpone(tag: "t", adding(number)) }
        await withTaskGroup { group in
            for _ in 1...8 { group.addTask { _ = await store.runPostponed(tag: "t") } }
        }
        #expect(await store.state == Array(1...20))
    }

    @Test func `are bounded over all tags, and running them makes room`() async throws {
        let store = makeStore(limits: StoreLimits(postponedThunksMax: 2))
        try await store.postpone(tag: "a", adding(1))
        try await store.postpone(tag: "b", adding(2))
        let refusal = await #expect(throws: Refusal.self) { try await store.postpone(tag: "c", adding(3)) }
        #expect(refusal?.kind == .postponedFull)
        await store.runPostponed(tag: "a")
        try await store.postpone(tag: "c", adding(3))
        await store.runPostponed(tag: "c")
        #expect(await store.state == [1, 3])
    }
}
