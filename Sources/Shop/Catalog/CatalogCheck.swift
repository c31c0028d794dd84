/// Bounds on a catalog.
public enum CatalogLimits {
    /// The most products.
    public static let productsMax = 100_000
    /// The longest title or author, in bytes of UTF-8.
    public static let titleBytesMax = 300
    /// The longest description, in bytes of UTF-8.
    public static let descriptionBytesMax = 4_000
    /// The highest price, in minor units: a full cart of such products still has a total below 2^63.
    public static let priceMax: Int64 = 1_000_000_000_000_000
    /// The most pieces in stock.
    public static let stockMax = 1_000_000_000
    /// The most faults that are listed.
    public static let faultsMax = 1_000
}

/// One thing wrong with a catalog.
public struct CatalogFault: Hashable, Sendable, CustomStringConvertible {
    /// The product's position, from 0; nil where the catalog as a whole is at fault.
    public let position: Int?
    /// The product's id, as given.
    public let productID: String?
    /// The member at fault.
    public let member: String
    /// One sentence for whoever keeps the catalog.
    public let detail: String

    /// The place as a JSON Pointer into the file, and what is wrong there.
    public var description: String {
        guard let position else { return "/\(member): \(detail)" }
        return "/products/\(position)/\(member) (\(productID ?? "")): \(detail)"
    }
}

/// Everything wrong with a catalog, in the order of its products.
public struct CatalogFaults: Error, Hashable, Sendable, CustomStringConvertible {
    /// The faults, at least one and at most `CatalogLimits.faultsMax`.
    public let faults: [CatalogFault]

    /// One line a fault.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// Checks a catalog and lists all that is wrong with it.
struct CatalogCheck {
    private(set) var faults: [CatalogFault] = []

    init(products: [Product], currency: String) {
        if currency.utf8.count != 3 || !currency.utf8.allSatisfy({ 0x41...0x5a ~= $0 }) {
            report(nil, nil, "currency", "a currency is three capital letters (ISO 4217), not “\(currency)”")
        }
        if products.count > CatalogLimits.productsMax {
            report(nil, nil, "products", "\(products.count) products; at most \(CatalogLimits.productsMax) are allowed")
            return
        }
        var firstPositions: [String: Int] = [:]
        for (position, product) in products.enumerated() {
            if let first = firstPositions.updateValue(position, forKey: product.productID) {
                firstPositions[product.productID] = first
                report(position, product, "productID", "the product at position \(first) has this id already")
            }
            check(product, at: position)
        }
    }

    private mutating func check(_ product: Product, at position: Int) {
        func isShort(_ text: String, _ bytesMax: Int) -> Bool { text.utf8.count <= bytesMax }
        let rules: [(member: String, holds: Bool, detail: String)] = [
            ("productID", isID(product.productID), "an id is 1 to 64 of a-z, 0-9 and inner hyphens"),
            ("title", !product.title.isBlank, "a title is not blank"),
            ("title", isShort(product.title, CatalogLimits.titleBytesMax), "longer than \(CatalogLimits.titleBytesMax) bytes"),
            ("author", isShort(product.author, CatalogLimits.titleBytesMax), "longer than \(CatalogLimits.titleBytesMax) bytes"),
            (
                "description", isShort(product.description, CatalogLimits.descriptionBytesMax),
                "longer than \(CatalogLimits.descriptionBytesMax) bytes"
            ),
            ("category", !product.category.isBlank, "a category is not blank"),
            (
                "category", isShort(product.category, PayloadLimits.categoryBytesMax),
                "longer than \(PayloadLimits.categoryBytesMax) bytes"
            ),
            ("price", 0...CatalogLimits.priceMax ~= product.price, "a price is 0 to \(CatalogLimits.priceMax) minor units"),
            ("stock", 0...CatalogLimits.stockMax ~= product.stock, "a stock is 0 to \(CatalogLimits.stockMax) pieces"),
            ("rating", 0...PayloadLimits.ratingMax ~= product.rating, "a rating is 0 to 5"),
        ]
        for rule in rules where !rule.holds { report(position, product, rule.member, rule.detail) }
    }

    private func isID(_ text: String) -> Bool {
        let bytes = text.utf8
        return 1...PayloadLimits.productIDBytesMax ~= bytes.count && bytes.first != 0x2d && bytes.last != 0x2d
            && bytes.allSatisfy { 0x61...0x7a ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2d }
    }

    private mutating func report(_ position: Int?, _ product: Product?, _ member: String, _ detail: String) {
        guard faults.count < CatalogLimits.faultsMax else { return }
        faults.append(CatalogFault(position: position, productID: product?.productID, member: member, detail: detail))
    }
}
