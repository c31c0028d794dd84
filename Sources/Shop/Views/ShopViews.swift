public import Redux

extension ShopModel {
    /// The named selectors.
    public static let views: [View<ShopModel>] = [
        View("productList", summary: "The products that the account is looking for, and whether it can add them to its cart") {
            ProductListView(of: $0, in: $1)
        },
        View("cartSummary", summary: "The cart's lines with what the catalog says of them today, and totals") {
            CartSummaryView(of: $0, in: $1)
        },
        View("favorites", summary: "The products that are marked") { FavoritesView(of: $0, in: $1) },
        View("profile", summary: "Who is signed in, and counts") { state, _ in ProfileView(of: state) },
        View("orders", summary: "The orders placed, the newest first") { state, _ in OrdersView(of: state) },
        View("ui", summary: "What the client shows") { state, _ in state.ui },
    ]
}

/// The products that an account is looking for.
struct ProductListView: Encodable, Hashable, Sendable {
    /// The most products of the view; `GET /catalog` has the others.
    static let productsMax = 100

    let products: [Product]
    let isLoading: Bool
    /// Whether `cart/addItem` has a chance: signed in, not checking out, and a guest only where guests may.
    let canAddToCart: Bool
    let total: Int
    /// What to ask `GET /catalog` with for the products after these.
    @ExplicitNull var next: String?
    let currency: String
    @ExplicitNull var error: String?

    init(of state: ShopState, in environment: ShopEnvironment) {
        let page = environment.catalog.page(of: state.catalog.catalogQuery, limit: Self.productsMax)
        products = page?.products ?? []
        total = page?.total ?? 0
        currency = environment.catalog.currency
        isLoading = state.catalog.isLoading
        let mayAdd = state.session.kind == .registered || environment.settings.guests == .cart
        canAddToCart = state.session.signedIn && state.cart.status == .open && mayAdd
        _next = ExplicitNull(wrappedValue: page?.next)
        _error = ExplicitNull(wrappedValue: state.catalog.error)
    }
}

/// A cart with what the catalog says of its lines today.
struct CartSummaryView: Encodable, Hashable, Sendable {
    struct Line: Encodable, Hashable, Sendable {
        let productID: String
        let title: String
        let quantity: Int
        let unitPrice: Int64
        let lineTotal: Int64
        /// Whether the catalog still has the product.
        let available: Bool
        /// Whether as many pieces are in stock.
        let inStock: Bool
    }

    let lines: [Line]
    /// Pieces over all lines.
    let itemCount: Int
    let total: Int64
    let currency: String
    let status: CartStatus
    @ExplicitNull var error: CartFault?
    let isLoading: Bool
    /// Whether `cart/checkout` has a chance today.
    let canCheckout: Bool

    init(of state: ShopState, in environment: ShopEnvironment) {
        let cart = state.cart
        lines = cart.lines.map { line in
            let product = environment.catalog.product(line.productID)
            return Line(
                productID: line.productID, title: line.title, quantity: line.quantity, unitPrice: line.unitPrice,
                // No line is in a cart whose total overflows.
                lineTotal: line.unitPrice.multipliedReportingOverflow(by: Int64(line.quantity)).partialValue,
                available: product != nil, inStock: (product?.stock ?? 0) >= line.quantity)
        }
        itemCount = cart.lines.pieces
        total = cart.lines.total ?? .max
        currency = cart.currency ?? environment.catalog.currency
        status = cart.status
        isLoading = cart.isLoading
        canCheckout =
            state.session.signedIn && state.session.kind == .registered && cart.status == .open && !lines.isEmpty
            && lines.allSatisfy { $0.available && $0.inStock }
        _error = ExplicitNull(wrappedValue: cart.error)
    }
}

/// The products that are marked.
struct FavoritesView: Encodable, Hashable, Sendable {
    struct Item: Encodable, Hashable, Sendable {
        let productID: String
        /// Nil where the catalog no longer has the product.
        @ExplicitNull var title: String?
        @ExplicitNull var price: Int64?
        /// Whether the catalog still has the product.
        let available: Bool
        /// Whether the mark is still to be saved.
        let pending: Bool
    }

    let products: [Item]
    let productIDs: [String]
    let currency: String
    @ExplicitNull var error: FavoriteFault?

    init(of state: ShopState, in environment: ShopEnvironment) {
        productIDs = state.favorites.productIDs
        products = productIDs.map { productID in
            let product = environment.catalog.product(productID)
            return Item(
                productID: productID, title: product?.title, price: product?.price, available: product != nil,
                pending: state.favorites.pendingSave(of: productID) != nil)
        }
        currency = environment.catalog.currency
        _error = ExplicitNull(wrappedValue: state.favorites.error)
    }
}

/// Who is signed in, and counts.
struct ProfileView: Encodable, Hashable, Sendable {
    let signedIn: Bool
    let kind: AccountKind
    @ExplicitNull var name: String?
    @ExplicitNull var email: String?
    let verified: Bool
    let isUpdating: Bool
    let isLoading: Bool
    @ExplicitNull var error: String?
    let favoriteCount: Int
    let cartItemCount: Int
    let orderCount: Int

    init(of state: ShopState) {
        signedIn = state.session.signedIn
        kind = state.session.kind
        verified = state.profile.verified
        isUpdating = state.profile.isUpdating
        isLoading = state.profile.isLoading
        favoriteCount = state.favorites.count
        cartItemCount = state.cart.lines.pieces
        orderCount = state.orders.placed.count + state.orders.older
        _name = ExplicitNull(wrappedValue: state.profile.name)
        _email = ExplicitNull(wrappedValue: state.profile.email)
        _error = ExplicitNull(wrappedValue: state.profile.error)
    }
}

/// The orders placed.
struct OrdersView: Encodable, Hashable, Sendable {
    let placed: [Order]
    let older: Int

    init(of state: ShopState) {
        placed = state.orders.placed.reversed()
        older = state.orders.older
    }
}
