public import Redux

extension ShopModel {
    /// Applies an action, or refuses it.
    ///
    /// The account's context comes first: once the last session has ended, intentions are refused before any slice sees them, while
    /// facts are taken as ever (a payment that was under way is still an order). Then the action's own slice has it, then the
    /// slices that follow what happened elsewhere: orders, history, and what the client shows.
    public static func reduce(into state: inout ShopState, action: StampedAction) throws(Refusal) {
        let context = ReducerContext(previous: state, facts: action.facts, stamp: action.stamp)
        guard state.session.signedIn || action.action.origin == .fact else {
            throw Refusal(.signedOut, "The account's last session has ended; sign in first.")
        }
        UIReducer.expire(&state.ui, context.stamp)
        try delegate(action.action, into: &state, context)
        Announcements.announce(action.action, next: state, in: &state.ui, context: context)
    }

    private static func delegate(
        _ action: ShopAction, into state: inout ShopState, _ context: ReducerContext
    ) throws(Refusal) {
        switch action {
        case .favorites(let action):
            try FavoritesReducer.reduce(into: &state.favorites, action: action, context: context)
            if case .toggle = action { HistoryReducer.record(action.name, in: &state, context: context) }
        case .cart(let action):
            try CartReducer.reduce(into: &state.cart, action: action, context: context)
            OrdersReducer.reduce(into: &state.orders, action: action, context: context)
            follow(action, in: &state, context)
        case .catalog(let action):
            CatalogReducer.reduce(into: &state.catalog, action: action, context: context)
            follow(action, in: &state, context)
        case .profile(let action):
            ProfileReducer.reduce(into: &state.profile, action: action, context: context)
        case .ui(let action):
            UIReducer.reduce(into: &state.ui, action: action, context: context)
        case .history(let action):
            try HistoryReducer.reduce(into: &state, action: action, context: context)
        case .session(let action):
            SessionReducer.reduce(into: &state.session, action: action, context: context)
            follow(action, in: &state, context)
        case .store(.recovered):
            state.ui = UIState()
        case .store(.migrated):
            break
        }
    }

    private static func follow(_ action: CartAction, in state: inout ShopState, _ context: ReducerContext) {
        switch action {
        case .addItem, .setQuantity, .removeItem, .clear:
            HistoryReducer.record(action.name, in: &state, context: context)
        case .checkoutSucceeded:
            if state.orders != context.previous.orders { HistoryReducer.forgetCart(&state.history) }
        case .load, .checkout, .clearError, .loaded, .loadFailed, .checkoutStarted, .checkoutFailed, .checkoutOverdue:
            break
        }
    }

    private static func follow(_ action: CatalogAction, in state: inout ShopState, _ context: ReducerContext) {
        switch action {
        case .search, .setFilter, .setSort, .clearFilters:
            HistoryReducer.record(action.name, in: &state, context: context)
        case .load, .loaded, .loadFailed:
            break
        }
    }

    private static func follow(_ action: SessionAction, in state: inout ShopState, _ context: ReducerContext) {
        switch action {
        case .registered(let registration):
            ProfileReducer.register(registration, in: &state.profile, at: context.stamp.at)
        case .signedOut(let end) where end.clear:
            clear(&state, at: context.stamp.at)
        case .signedIn, .signedOut, .expired:
            break
        }
    }

    /// Takes the working data away: lines, search and history. Favourites, profile and orders are the account's for good, and what
    /// is being paid is kept until the payment has ended.
    private static func clear(_ state: inout ShopState, at time: Milliseconds) {
        if !state.cart.lines.isEmpty { CartReducer.replaceLines(of: &state.cart, with: [], at: time) }
        state.cart.error = nil
        let isLoading = state.catalog.isLoading
        state.catalog = CatalogState()
        state.catalog.isLoading = isLoading
        state.history = HistoryState()
        state.ui = UIState()
    }
}
