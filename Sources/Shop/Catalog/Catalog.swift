/// The products on offer: checked, indexed for search, sorted every way; a value that never changes.
public struct Catalog: Sendable {
    /// The products, in ascending order of their ids.
    public let products: [Product]
    /// The currency of all prices (ISO 4217).
    public let currency: String
    /// The categories that have products, ascending.
    public let categories: [String]
    /// Tells catalogs of different content apart, the same in every process (64 bits of FNV-1a).
    public let fingerprint: UInt64
    private let positions: [String: Int]
    private let index: SearchIndex
    private let orders: [SortOrder: [Int32]]

    /// Takes products if every one of them is in order; otherwise lists all that is wrong, with positions.
    public init(validating products: [Product], currency: String) throws(CatalogFaults) {
        let faults = CatalogCheck(products: products, currency: currency).faults
        guard faults.isEmpty else { throw CatalogFaults(faults: faults) }
        let products = products.sorted { $0.productID < $1.productID }
        self.products = products
        self.currency = currency
        categories = Set(products.map(\.category)).sorted()
        fingerprint = Fingerprint.of(products, currency: currency)
        positions = [String: Int](uniqueKeysWithValues: products.enumerated().map { ($1.productID, $0) })
        index = SearchIndex(texts: products.map { [$0.title, $0.author, $0.description, $0.category] })
        orders = Self.orders(of: products)
    }

    /// Takes the content of a file if it is in order.
    public init(validating file: CatalogFile) throws(CatalogFaults) {
        try self.init(validating: file.products, currency: file.currency)
    }

    /// The product of an id.
    public func product(_ productID: String) -> Product? {
        positions[productID].map { products[$0] }
    }

    /// The products that a query finds, one page of them.
    ///
    /// `limit` is the most products of the page (1 or more), `after` the `next` of the page before it. Nil where `after` names no
    /// product of today's catalog: the walk has to be started again.
    public func page(of query: CatalogQuery, limit: Int, after: String? = nil) -> CatalogPage? {
        precondition(limit >= 1, "a page has room for at least one product")
        var start: Int?
        if let after {
            guard let position = positions[after] else { return nil }
            start = position
        }
        let order = orders[query.sort] ?? []
        let found = index.matches(query.query)
        var page: [Product] = []
        var total = 0
        var hasMore = false
        var isPastStart = start == nil
        for position in order {
            let position = Int(position)
            if found?.contains(position) != false, query.filter.passes(products[position]) {
                total += 1
                if isPastStart {
                    if page.count < limit { page.append(products[position]) } else { hasMore = true }
                }
            }
            if position == start { isPastStart = true }
        }
        return CatalogPage(
            products: page, categories: categories, currency: currency, total: total, next: hasMore ? page.last?.productID : nil)
    }

    /// The positions of all products in each order. Ties stay in ascending order of ids.
    private static func orders(of products: [Product]) -> [SortOrder: [Int32]] {
        let titles = products.map { Folding.fold($0.title) }
        func sorted(_ precedes: (Int, Int) -> Bool) -> [Int32] {
            products.indices.sorted { precedes($0, $1) || (!precedes($1, $0) && $0 < $1) }.map { Int32($0) }
        }
        var orders: [SortOrder: [Int32]] = [:]
        for order in SortOrder.allCases {
            orders[order] =
                switch order {
                case .title: sorted { titles[$0] < titles[$1] }
                case .priceAscending: sorted { products[$0].price < products[$1].price }
                case .priceDescending: sorted { products[$0].price > products[$1].price }
                case .newest: sorted { products[$0].publishedAt > products[$1].publishedAt }
                case .rating: sorted { products[$0].rating > products[$1].rating }
                }
        }
        return orders
    }
}

extension Catalog: Equatable {
    /// Whether two catalogs have the same content, told by their fingerprints.
    public static func == (left: Catalog, right: Catalog) -> Bool {
        left.fingerprint == right.fingerprint && left.products.count == right.products.count
    }
}

extension CatalogFilter {
    /// Whether a product is among those to be shown.
    func passes(_ product: Product) -> Bool {
        if inStockOnly, product.stock <= 0 { return false }
        if let minPrice, product.price < minPrice { return false }
        if let maxPrice, product.price > maxPrice { return false }
        if let minRating, product.rating < minRating { return false }
        if let category, product.category != category { return false }
        return true
    }
}
