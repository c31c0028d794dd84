import Redux

/// What happens to what a client shows: what it asks for itself, and what other slices' changes tell its user.
enum UIReducer {
    static let schema = SliceSchema("ui")

    static func reduce(into ui: inout UIState, action: UIAction, context: ReducerContext) {
        switch action {
        case .setTab(let choice): ui.tab = choice.tab
        case .showSheet(let choice): ui.sheets[choice.sheet] = true
        case .hideSheet(let choice): ui.sheets[choice.sheet] = false
        case .showToast(let request): show(&ui, request.message, request.kind, for: request.durationMs, context)
        case .hideToast: ui.toast = nil
        case .setNetworkStatus(let status): ui.isConnected = status.connected
        }
    }

    /// Drops a notice whose time is over, before anything else happens.
    ///
    /// Not while the clock stands behind: a held stamp does not tell how much time has passed.
    static func expire(_ ui: inout UIState, _ stamp: Stamp) {
        guard let toast = ui.toast, !stamp.skewed, toast.hidesAt <= stamp.at else { return }
        ui.toast = nil
    }

    /// Shows a notice for so many milliseconds from the stamp.
    static func show(
        _ ui: inout UIState, _ message: String, _ kind: ToastKind, for duration: Milliseconds, _ context: ReducerContext
    ) {
        ui.toast = Toast(message: message, kind: kind, hidesAt: context.stamp.at &+ duration)
    }
}
