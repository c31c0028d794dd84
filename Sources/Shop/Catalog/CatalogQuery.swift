/// A question to the catalog.
public struct CatalogQuery: Hashable, Sendable {
    /// Words, each to be found in title, author, description or category; empty finds all.
    public var query: String
    /// Which products to show.
    public var filter: CatalogFilter
    /// In which order.
    public var sort: SortOrder

    /// Asks for everything by title, unless something else is said.
    public init(query: String = "", filter: CatalogFilter = CatalogFilter(), sort: SortOrder = .title) {
        self.query = query
        self.filter = filter
        self.sort = sort
    }
}

/// A page of the products that a query finds, in the form of `GET /catalog`.
public struct CatalogPage: Encodable, Hashable, Sendable {
    /// The products of this page, in the query's order.
    public let products: [Product]
    /// All categories of the catalog, whatever the query.
    public let categories: [String]
    /// The currency of all prices (ISO 4217).
    public let currency: String
    /// How many products the query finds, over all pages.
    public let total: Int
    /// What to ask the next page with; nil where this is the last.
    @ExplicitNull public var next: String?
}

/// Tells contents apart by a number that is the same in every process (FNV-1a, 64 bits); not against anyone who tries.
enum Fingerprint {
    /// The number of a text.
    static func of(_ text: String) -> UInt64 {
        var hash = offset
        mix(text, into: &hash)
        return hash
    }

    /// The number of a catalog.
    static func of(_ products: [Product], currency: String) -> UInt64 {
        var hash = offset
        mix(currency, into: &hash)
        for product in products {
            for text in [product.productID, product.title, product.author, product.description, product.category] {
                mix(text, into: &hash)
            }
            mix(UInt64(bitPattern: product.price), into: &hash)
            mix(UInt64(bitPattern: Int64(product.stock)), into: &hash)
            mix(product.rating.bitPattern, into: &hash)
            mix(UInt64(bitPattern: product.publishedAt), into: &hash)
        }
        return hash
    }

    private static let offset: UInt64 = 0xcbf2_9ce4_8422_2325
    private static let prime: UInt64 = 0x100_0000_01b3

    private static func mix(_ text: String, into hash: inout UInt64) {
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* prime }
        hash = (hash ^ 0xff) &* prime  // No byte of UTF-8: parts the texts.
    }

    private static func mix(_ number: UInt64, into hash: inout UInt64) {
        for shift in stride(from: UInt64(0), to: 64, by: 8) { hash = (hash ^ (number >> shift & 0xff)) &* prime }
    }
}
