import Redux
import Runtime
import Testing

/// The profile update workflow: skipped while one is in progress, a flag while it is, finished with or without an error.
private struct Profile: Equatable, Sendable {
    var name = "Ada"
    var isUpdating = false
    var error: String?

    enum Action: Sendable {
        case updateRequested(name: String)
        case updateSucceeded(name: String)
        case updateFailed(String)
    }

    static func reduce(into state: inout Profile, action: Action) throws(Refusal) {
        switch action {
        case .updateRequested:
            guard !state.isUpdating else { return }
            state.isUpdating = true
            state.error = nil
        case .updateSucceeded(let name):
            state.name = name
            state.isUpdating = false
        case .updateFailed(let error):
            state.error = error
            state.isUpdating = false
        }
    }

    /// A service that answers after 200 ms of the test's clock, and knows no empty names.
    struct Service: Sendable {
        let clock = ManualClock()
        let calls = Journal<String>()

        func update(name: String) async throws {
            calls.note(name)
            await clock.wait(200)
            if name.isEmpty { throw Refusal(.emptyName, "A profile has a name.") }
        }
    }

    static func store(_ service: Service) -> Store<Profile, Action> {
        let updating: Reaction<Profile, Action> = { store, action, state, previous in
            guard case .updateRequested(let name) = action, state.isUpdating, !previous.isUpdating else { return }
            let outcome: Action
            do {
                try await service.update(name: name)
                outcome = .updateSucceeded(name: name)
            } catch {
                outcome = .updateFailed("\((error as? Refusal)?.detail ?? "unknown")")
            }
            _ = try? await store.dispatch(outcome)
        }
        return Store(
            initialState: Profile(), executor: SerialQueue(label: "profile"), reactions: [updating], isUnchanged: ==,
            reduce: reduce)
    }
}

extension RefusalKind {
    fileprivate static let emptyName = RefusalKind("empty-name", title: "The name is empty.")
}

@Suite(.timeLimit(.minutes(1))) struct `Updating a profile` {
    private let service = Profile.Service()

    @Test func `is in progress until the service answers`() async throws {
        let store = Profile.store(service)
        try await store.dispatch(.updateRequested(name: "Grace"))
        #expect(await store.state == Profile(name: "Ada", isUpdating: true))
        await service.clock.hasWaiters(1)
        service.clock.advance(by: 199)
        #expect(await store.state.isUpdating)
        service.clock.advance(by: 1)
        await store.settle()
        #expect(await store.state == Profile(name: "Grace"))
    }

    @Test func `is skipped while one is in progress`() async throws {
        let store = Profile.store(service)
        try await store.dispatch(.updateRequested(name: "Grace"))
        #expect(try await store.dispatch(.updateRequested(name: "Joan")) == .unchanged)
        await service.clock.hasWaiters(1)
        service.clock.advance(by: 200)
        await store.settle()
        #expect(await store.state == Profile(name: "Grace"))
        #expect(service.calls.entries == ["Grace"])
    }

    @Test func `ends with an error, which the next one clears`() async throws {
        let store = Profile.store(service)
        try await store.dispatch(.updateRequested(name: ""))
        await service.clock.hasWaiters(1)
        service.clock.advance(by: 200)
        await store.settle()
        #expect(await store.state == Profile(name: "Ada", error: "A profile has a name."))
        try await store.dispatch(.updateRequested(name: "Grace"))
        #expect(await store.state == Profile(name: "Ada", isUpdating: true))
        await service.clock.hasWaiters(1)
        service.clock.advance(by: 200)
        await store.settle()
        #expect(await store.state == Profile(name: "Grace"))
    }
}
