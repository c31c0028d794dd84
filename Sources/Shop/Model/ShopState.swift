import Redux

/// The state of one account of the shop, one member per slice.
public struct ShopState: Codable, Hashable, Sendable {
    /// Whether anyone is signed in, and as what.
    public var session: SessionState
    /// Who the account's owner is.
    public var profile: ProfileState
    /// What the account is looking for in the catalog.
    public var catalog: CatalogState
    /// The products the account has marked.
    public var favorites: FavoritesState
    /// What is about to be bought.
    public var cart: CartState
    /// What was bought.
    public var orders: OrdersState
    /// What the client shows; transient.
    public var ui: UIState
    /// How to take back the last changes, and how to bring them back.
    public var history: HistoryState

    /// The state at revision 0: a guest, signed in, with nothing.
    public init() {
        session = SessionState()
        profile = ProfileState()
        catalog = CatalogState()
        favorites = FavoritesState()
        cart = CartState()
        orders = OrdersState()
        ui = UIState()
        history = HistoryState()
    }
}

/// What a slice's reducer may read beside its own state and the action.
struct ReducerContext {
    /// The whole state before the action.
    let previous: ShopState
    /// What was looked up for the action.
    let facts: ShopFacts?
    /// When, where and under which id the action is applied.
    let stamp: Stamp
}
