import Redux

/// What a reducer needs to know about a product, as it was in the catalog when the action was applied.
public struct ProductFact: Codable, Hashable, Sendable {
    /// The product's id.
    public var productID: String
    /// Its title.
    public var title: String
    /// Its price for one piece, in minor units of the catalog's currency.
    public var price: Int64
    /// Pieces that can be ordered.
    public var stock: Int

    /// States what is known about a product.
    public init(productID: String, title: String, price: Int64, stock: Int) {
        self.productID = productID
        self.title = title
        self.price = price
        self.stock = stock
    }
}

/// What was looked up in the world for a reducer, logged with the action; absent members were not needed.
///
/// A replay reads these instead of today's catalog, so that a state is the same whenever its log is folded.
public struct ShopFacts: Codable, Hashable, Sendable {
    /// The catalog's currency (ISO 4217).
    public var currency: String?
    /// The products that the action is about and that the catalog has.
    public var products: [ProductFact]?
    /// Whether the catalog has the product that the action is about, where nothing more is needed.
    public var known: Bool?
    /// `browse` where guests may not fill a cart; absent otherwise.
    public var guests: GuestPolicy?
    /// Whether the catalog has the category that the account filters by.
    public var categoryKnown: Bool?

    /// States what was looked up.
    public init(
        currency: String? = nil, products: [ProductFact]? = nil, known: Bool? = nil, guests: GuestPolicy? = nil,
        categoryKnown: Bool? = nil
    ) {
        self.currency = currency
        self.products = products
        self.known = known
        self.guests = guests
        self.categoryKnown = categoryKnown
    }

    /// What is known about a product; nil where the catalog does not have it.
    func product(_ productID: String) -> ProductFact? {
        products?.first { $0.productID == productID }
    }
}

extension ShopModel {
    /// What `reduce` needs to know about the catalog and the settings for this action.
    public static func facts(for action: ShopAction, state: ShopState, in environment: ShopEnvironment) -> ShopFacts? {
        let catalog = environment.catalog
        func facts(about productIDs: some Sequence<String>) -> ShopFacts {
            ShopFacts(currency: catalog.currency, products: productIDs.compactMap { catalog.product($0)?.fact })
        }
        switch action {
        case .favorites(.toggle(let payload)):
            return ShopFacts(known: catalog.product(payload.productID) != nil)
        case .cart(.addItem(let payload)):
            var facts = facts(about: CollectionOfOne(payload.productID))
            if environment.settings.guests == .browse { facts.guests = .browse }
            return facts
        case .cart(.setQuantity(let payload)):
            guard payload.quantity > 0 else { return nil }
            var facts = facts(about: CollectionOfOne(payload.productID))
            if environment.settings.guests == .browse { facts.guests = .browse }
            return facts
        case .cart(.checkout), .cart(.loaded):
            return facts(about: state.cart.lines.lazy.map(\.productID))
        case .catalog(.loaded):
            guard let category = state.catalog.filter.category else { return nil }
            return ShopFacts(categoryKnown: catalog.categories.contains(category))
        default:
            return nil
        }
    }
}
