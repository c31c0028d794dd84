import Redux

/// What a client's user is told about a transition of the other slices.
///
/// Only of what happened: an addition that was ignored, or an outcome that came too late, says nothing.
enum Announcements {
    private static let short: Milliseconds = 2_000
    private static let long: Milliseconds = 3_000

    static func announce(_ action: ShopAction, next: ShopState, in ui: inout UIState, context: ReducerContext) {
        switch action {
        case .session(let action):
            announce(action, in: &ui, context)
        case .cart(let action):
            announce(action, next, in: &ui, context)
        case .favorites(.saveFailed(let failure)):
            guard next.favorites != context.previous.favorites else { return }
            UIReducer.show(&ui, failure.reason, .error, for: long, context)
        case .catalog(.loadFailed(let failure)):
            guard next.catalog != context.previous.catalog else { return }
            UIReducer.show(&ui, failure.reason, .error, for: long, context)
        case .profile(let action):
            guard next.profile != context.previous.profile, let error = next.profile.error else { return }
            switch action {
            case .updateFailed, .loadFailed: UIReducer.show(&ui, error, .error, for: long, context)
            case .update, .load, .updateSucceeded, .loaded: break
            }
        default:
            break
        }
    }

    private static func announce(_ action: SessionAction, in ui: inout UIState, _ context: ReducerContext) {
        switch action {
        case .registered:
            ui.sheets.login = false
            UIReducer.show(&ui, "Welcome!", .success, for: short, context)
        case .signedIn:
            ui.sheets.login = false
            UIReducer.show(&ui, "Welcome back!", .success, for: short, context)
        case .signedOut:
            ui.tab = .products
            UIReducer.show(&ui, "Logged out", .info, for: short, context)
        case .expired:
            ui.tab = .products
            UIReducer.show(&ui, "Your session has expired", .info, for: long, context)
        }
    }

    private static func announce(_ action: CartAction, _ next: ShopState, in ui: inout UIState, _ context: ReducerContext) {
        let previous = context.previous.cart
        guard next.cart != previous else { return }
        switch action {
        case .addItem:
            UIReducer.show(&ui, "Item added to cart", .success, for: short, context)
        case .removeItem, .clear, .setQuantity:
            guard next.cart.lines.count < previous.lines.count else { return }
            let message = previous.lines.count - next.cart.lines.count == 1 ? "Item removed from cart" : "Cart emptied"
            UIReducer.show(&ui, message, .info, for: short, context)
        case .checkoutSucceeded:
            ui.sheets.cart = false
            UIReducer.show(&ui, "Order placed", .success, for: long, context)
        case .checkoutFailed(let failure):
            UIReducer.show(&ui, failure.reason, .error, for: long, context)
        case .checkoutOverdue:
            UIReducer.show(&ui, "Your payment takes longer than usual", .info, for: long, context)
        case .loadFailed(let failure):
            UIReducer.show(&ui, failure.reason, .error, for: long, context)
        case .loaded:
            guard next.cart.lines != previous.lines else { return }
            UIReducer.show(&ui, "Your cart was brought up to date", .info, for: long, context)
        case .load, .checkout, .clearError, .checkoutStarted:
            break
        }
    }
}
