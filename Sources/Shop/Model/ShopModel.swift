public import Redux

/// The shop as the model of an account: favourites, a cart, orders and what belongs to them.
public enum ShopModel: AccountModel {
    /// One member per slice.
    public typealias State = ShopState
    /// By slice.
    public typealias Action = ShopAction
    /// About products.
    public typealias Facts = ShopFacts
    /// Saves, payments and loads.
    public typealias Effect = ShopEffect
    /// The catalog, settings and services.
    public typealias Environment = ShopEnvironment

    /// The name in databases and configurations.
    public static let name = "shop"

    /// Raised whenever `reduce` may give another state for an action that is already logged.
    public static let reducerVersion = 1

    /// The slices in the order of the state's members.
    public static let slices: [SliceSchema] = [
        SessionReducer.schema, ProfileReducer.schema, CatalogReducer.schema, FavoritesReducer.schema, CartReducer.schema,
        OrdersReducer.schema, UIReducer.schema, HistoryReducer.schema,
    ]

    /// A guest with nothing, whichever account it is.
    public static func initialState(for account: AccountID) -> ShopState {
        ShopState()
    }

    /// What a client shows is transient: it is reset where anything is left of it.
    public static func recovery(of state: ShopState) -> ShopAction? {
        state.ui == UIState() ? nil : .store(.recovered)
    }

    /// Says in the log where another version of the shop took over.
    public static func migration(of state: ShopState) -> ShopAction? { .store(.migrated) }

    /// An account's sessions in the shop's words.
    public static func fact(for event: SessionEvent) -> ShopAction? {
        switch event {
        case .registered(let email, let name, let verified):
            .session(.registered(Registration(email: email, name: name, verified: verified)))
        case .signedIn: .session(.signedIn)
        case .signedOut(let clear): .session(.signedOut(SignOut(clear: clear)))
        case .expired: .session(.expired)
        }
    }

    /// The fact that puts cart lines, favourites and criteria back to what they were in a past state.
    public static func restoration(of past: ShopState, at revision: Revision) -> ShopAction? {
        .history(.restore(Restoration(of: past, at: revision)))
    }

    /// Who the owner is, and what they look for.
    public static let personalMembers: Set<String> = ["email", "name", "query"]

    /// The state as a copy of the account starts with it: what is waited for is the original's, and will not come.
    ///
    /// Favourites stay as their owner sees them only where they are saved; the cart is open, and nothing is being loaded.
    public static func sandbox(of state: ShopState) -> ShopState {
        var copy = state
        copy.favorites.abandonPending()
        copy.cart.checkout = nil
        copy.cart.status = .open
        copy.cart.isLoading = false
        copy.catalog.isLoading = false
        copy.profile.isLoading = false
        copy.profile.isUpdating = false
        copy.profile.generation = nil
        copy.ui = UIState()
        // Whoever has the copy is signed in to it, whatever became of the original's sessions.
        copy.session.signedIn = true
        copy.session.ended = nil
        return copy
    }
}
