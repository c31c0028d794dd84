public import Redux

/// The ways in which products can be put in order; ties are in order of product ids.
public enum SortOrder: String, FallbackCase, CaseIterable {
    /// By title, as people read it: case and accents do not count.
    case title
    /// The cheapest first.
    case priceAscending
    /// The dearest first.
    case priceDescending
    /// The most recently published first.
    case newest
    /// The best rated first.
    case rating

    /// The order of a new account.
    public static var fallback: SortOrder { .title }
}

/// Which products to show; members that are nil do not narrow.
public struct CatalogFilter: Codable, Hashable, Sendable {
    /// Of this category.
    @ExplicitNull public var category: String?
    /// At this price or more, in minor units.
    @ExplicitNull public var minPrice: Int64?
    /// At this price or less, in minor units.
    @ExplicitNull public var maxPrice: Int64?
    /// With at least one piece in stock.
    public var inStockOnly: Bool
    /// Rated so or better.
    @ExplicitNull public var minRating: Double?

    /// A filter; without arguments it lets everything pass.
    public init(
        category: String? = nil, minPrice: Int64? = nil, maxPrice: Int64? = nil, inStockOnly: Bool = false,
        minRating: Double? = nil
    ) {
        self.category = category
        self.minPrice = minPrice
        self.maxPrice = maxPrice
        self.inStockOnly = inStockOnly
        self.minRating = minRating
    }
}

/// What an account is looking for in the catalog; the products themselves are the `productList` view's.
public struct CatalogState: Codable, Hashable, Sendable {
    /// Words to be found in title, author, description or category; empty finds all.
    public var query: String
    /// Which products to show.
    public var filter: CatalogFilter
    /// In which order.
    @FallsBack public var sort: SortOrder
    /// Whether the catalog is being loaded.
    public var isLoading: Bool
    /// Why the last load failed; nil once another one begins.
    @ExplicitNull public var error: String?
    /// When the catalog was last loaded for this account.
    @ExplicitNull public var loadedAt: Milliseconds?

    /// Everything, by title.
    public init() {
        query = ""
        filter = CatalogFilter()
        sort = .title
        isLoading = false
        error = nil
        loadedAt = nil
    }

    /// The same as a question to the catalog.
    public var catalogQuery: CatalogQuery {
        CatalogQuery(query: query, filter: filter, sort: sort)
    }
}
