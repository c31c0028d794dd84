/// A recorded action was refused when it was replayed: the record, or the reducer, is not the one it was.
public struct ReplayFailure: Error, Hashable, Sendable {
    /// The place of the refused action in what was replayed, from 0.
    public let index: Int
    /// Why it was refused.
    public let refusal: Refusal

    /// The refusal of the recorded action at `index`.
    @inlinable
    public init(index: Int, refusal: Refusal) {
        self.index = index
        self.refusal = refusal
    }
}

/// Folds recorded actions, all of which were accepted once, over a state. No middleware, no effects.
///
/// The state is changed in place, without a copy per action. On failure it is half changed and to be thrown away.
@inlinable
public func replay<State, Action>(
    _ actions: some Sequence<Action>, into state: inout State, reduce: (inout State, Action) throws(Refusal) -> Void
) throws(ReplayFailure) {
    var index = 0
    for action in actions {
        do throws(Refusal) {
            try reduce(&state, action)
        } catch {
            throw ReplayFailure(index: index, refusal: error)
        }
        index += 1
    }
}

extension AccountModel {
    /// Folds logged actions over a state, as a restart does.
    @inlinable
    public static func replay(
        _ actions: some Sequence<StampedAction>, into state: inout State
    ) throws(ReplayFailure) {
        try Redux.replay(actions, into: &state) { (state, action) throws(Refusal) in
            try reduce(into: &state, action: action)
        }
    }
}
