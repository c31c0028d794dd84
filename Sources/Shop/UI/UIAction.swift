import Redux

/// What can happen to what a client shows.
public enum UIAction: Hashable, Sendable {
    /// Goes to a tab.
    case setTab(TabChoice)
    /// Shows a sheet.
    case showSheet(SheetChoice)
    /// Hides a sheet.
    case hideSheet(SheetChoice)
    /// Shows a notice in the place of the one there is.
    case showToast(ToastRequest)
    /// Hides the notice.
    case hideToast
    /// Says whether there is a network.
    case setNetworkStatus(NetworkStatus)

    static let kinds: [ActionKind<ShopAction>] = [
        .kind("ui/setTab", summary: "Go to a tab", example: TabChoice(tab: .cart)) { .ui(.setTab($0)) },
        .kind("ui/showSheet", summary: "Show a sheet", example: SheetChoice(sheet: .login)) { .ui(.showSheet($0)) },
        .kind("ui/hideSheet", summary: "Hide a sheet", example: SheetChoice(sheet: .login)) { .ui(.hideSheet($0)) },
        .kind(
            "ui/showToast", summary: "Show a notice", example: ToastRequest(message: "Saved", kind: .success, durationMs: 2_000)
        ) { .ui(.showToast($0)) },
        .kind("ui/hideToast", summary: "Hide the notice", .ui(.hideToast)),
        .kind(
            "ui/setNetworkStatus", summary: "Say whether the client has a network", example: NetworkStatus(connected: true)
        ) { .ui(.setNetworkStatus($0)) },
    ]
}

extension UIAction: SliceAction {
    var name: String {
        switch self {
        case .setTab: "ui/setTab"
        case .showSheet: "ui/showSheet"
        case .hideSheet: "ui/hideSheet"
        case .showToast: "ui/showToast"
        case .hideToast: "ui/hideToast"
        case .setNetworkStatus: "ui/setNetworkStatus"
        }
    }

    var payload: (any Encodable)? {
        switch self {
        case .setTab(let payload): payload
        case .showSheet(let payload), .hideSheet(let payload): payload
        case .showToast(let payload): payload
        case .setNetworkStatus(let payload): payload
        case .hideToast: nil
        }
    }
}
