public import Redux

/// What is counted about the shop's use.
public enum AnalyticsEvent: String, CaseIterable, Sendable {
    /// Pieces were added to a cart.
    case itemAdded = "item_added"
    /// A line was removed from a cart.
    case itemRemoved = "item_removed"
    /// A checkout was accepted.
    case checkoutStarted = "checkout_started"
    /// An order was placed.
    case checkoutCompleted = "checkout_completed"
    /// Someone signed in.
    case login
    /// An account was registered.
    case registration
    /// Something was searched for.
    case search
}

extension ShopModel {
    /// The events' names.
    public static let countedEvents: [String] = AnalyticsEvent.allCases.map(\.rawValue)

    /// The name of what a transition counts as.
    public static func countedEvent(of action: StampedAction, previous: ShopState, next: ShopState) -> String? {
        analytics(of: action, previous: previous, next: next)?.rawValue
    }

    /// What a transition counts as; nil for most. Pure; only what really happened counts, not an addition that was ignored.
    public static func analytics(of action: StampedAction, previous: ShopState, next: ShopState) -> AnalyticsEvent? {
        switch action.action {
        case .cart(.addItem):
            next.cart.lines.pieces > previous.cart.lines.pieces ? .itemAdded : nil
        case .cart(.setQuantity), .cart(.removeItem), .cart(.clear):
            next.cart.lines.count < previous.cart.lines.count ? .itemRemoved : nil
        case .cart(.checkout):
            next.cart.checkout != nil ? .checkoutStarted : nil
        case .cart(.checkoutSucceeded):
            next.orders != previous.orders ? .checkoutCompleted : nil
        case .session(.signedIn):
            .login
        case .session(.registered):
            previous.session.kind == .guest ? .registration : nil
        case .catalog(.search(let payload)):
            payload.query.isBlank ? nil : .search
        default:
            nil
        }
    }
}
