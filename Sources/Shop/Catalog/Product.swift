public import Redux

/// Something that can be bought.
public struct Product: Codable, Hashable, Sendable {
    /// Names it for good: lower-case letters, digits and inner hyphens, at most 64 bytes.
    public var productID: String
    /// Its title.
    public var title: String
    /// Who wrote or made it.
    public var author: String
    /// A sentence or two about it.
    public var description: String
    /// The category it is found under.
    public var category: String
    /// The price for one piece, in minor units of the catalog's currency.
    public var price: Int64
    /// Pieces that can be ordered.
    public var stock: Int
    /// 0 to 5.
    public var rating: Double
    /// When it came out, in milliseconds since 1970.
    public var publishedAt: Milliseconds

    /// Describes a product; `Catalog` checks it.
    public init(
        productID: String, title: String, author: String, description: String, category: String, price: Int64, stock: Int,
        rating: Double, publishedAt: Milliseconds
    ) {
        self.productID = productID
        self.title = title
        self.author = author
        self.description = description
        self.category = category
        self.price = price
        self.stock = stock
        self.rating = rating
        self.publishedAt = publishedAt
    }

    /// What a reducer is told about it.
    var fact: ProductFact {
        ProductFact(productID: productID, title: title, price: price, stock: stock)
    }
}

/// The form of a catalog's file: `{"currency": "EUR", "products": […]}`.
public struct CatalogFile: Codable, Sendable {
    /// The currency of all prices (ISO 4217).
    public var currency: String
    /// The products, in any order.
    public var products: [Product]

    /// The content of a file.
    public init(currency: String, products: [Product]) {
        self.currency = currency
        self.products = products
    }
}
