import Redux

/// How changes are recorded, taken back and brought back.
///
/// An entry is made by comparing the state before and after an action, not by a rule for each action; taking it back makes, by the
/// same comparison, the entry that brings it back. The steps go through the slices' own rules, so a favourite that is put back is
/// saved like one that is toggled.
enum HistoryReducer {
    static let schema = SliceSchema("history")

    static func reduce(into state: inout ShopState, action: HistoryAction, context: ReducerContext) throws(Refusal) {
        guard state.cart.status == .open else {
            throw Refusal(.checkoutInProgress, "Nothing is taken back while a checkout is in progress.")
        }
        switch action {
        case .undo:
            guard let entry = state.history.undo.popLast() else {
                throw Refusal(
                    .nothingToUndo, "The last \(HistoryLimits.entriesMax) changes are kept; there is none to take back.")
            }
            try HistorySteps.apply(entry.steps, to: &state, context)
            push(inverse(of: entry, state, context), to: &state.history.redo)
        case .redo:
            guard let entry = state.history.redo.popLast() else {
                throw Refusal(.nothingToRedo, "Nothing was taken back since the last change.")
            }
            try HistorySteps.apply(entry.steps, to: &state, context)
            push(inverse(of: entry, state, context), to: &state.history.undo)
        case .restore(let past):
            try HistorySteps.apply(HistorySteps.toward(past, from: state), to: &state, context)
            record(action.name, in: &state, context: context)
        }
    }

    /// Keeps what takes an action back, if the action changed anything that can be; what was taken back before is forgotten.
    static func record(_ name: String, in state: inout ShopState, context: ReducerContext) {
        let steps = HistorySteps.toward(context.previous, from: state)
        guard !steps.isEmpty else { return }
        state.history.redo = []
        push(HistoryEntry(action: name, revision: context.stamp.revision, steps: steps), to: &state.history.undo)
    }

    /// A cart that was paid is not put together again by going back.
    static func forgetCart(_ history: inout HistoryState) {
        history.undo.removeAll { $0.steps.contains(where: \.isOfCart) }
        history.redo.removeAll { $0.steps.contains(where: \.isOfCart) }
    }

    private static func inverse(of entry: HistoryEntry, _ state: ShopState, _ context: ReducerContext) -> HistoryEntry {
        HistoryEntry(
            action: entry.action, revision: entry.revision, steps: HistorySteps.toward(context.previous, from: state))
    }

    private static func push(_ entry: HistoryEntry, to entries: inout [HistoryEntry]) {
        // What could no longer change anything (its favourite was taken back by a failed save) needs no way back.
        guard !entry.steps.isEmpty else { return }
        entries.append(entry)
        if entries.count > HistoryLimits.entriesMax { entries.removeFirst() }
    }
}
