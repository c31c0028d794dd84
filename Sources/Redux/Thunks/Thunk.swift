/// Work that dispatches several actions and may await between them. It runs off the store, beside whatever else the store does.
///
/// A refusal of one of its actions is thrown by that dispatch: unless the thunk catches it, the thunk ends there, and what it dispatched before
/// stays. The state it read before an `await` may be stale after it.
public typealias Thunk<State: Sendable, Action: Sendable> = @Sendable (_ store: Store<State, Action>) async throws -> Void

/// Thunks put off for later under tags, in order of arrival, bounded over all tags together.
struct PostponedThunks<State: Sendable, Action: Sendable> {
    let thunksMax: Int
    private var byTag: [String: [Thunk<State, Action>]] = [:]
    private var count = 0

    init(_ limits: StoreLimits) {
        thunksMax = limits.postponedThunksMax
    }

    mutating func append(_ thunk: @escaping Thunk<State, Action>, tag: String) throws(Refusal) {
        guard count < thunksMax else {
            throw Refusal(.postponedFull, "\(count) thunks are postponed.")
        }
        byTag[tag, default: []].append(thunk)
        count += 1
    }

    /// Takes all thunks of a tag out, oldest first.
    mutating func take(tag: String) -> [Thunk<State, Action>] {
        let thunks = byTag.removeValue(forKey: tag) ?? []
        count -= thunks.count
        return thunks
    }
}
