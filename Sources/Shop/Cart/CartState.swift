public import Redux

/// One product in a cart, or in an order made of it.
public struct CartLine: Codable, Hashable, Sendable {
    /// The product's id.
    public var productID: String
    /// Its title, as stamped when the line was last brought up to date.
    public var title: String
    /// Its price for one piece, in minor units of the cart's currency, stamped like the title.
    public var unitPrice: Int64
    /// Pieces, 1 to 99.
    public var quantity: Int
    /// When the product was first put into the cart.
    public var addedAt: Milliseconds
    /// When pieces were last added; with the next member, what tells a double tap.
    public var lastAddedAt: Milliseconds
    /// How many pieces were added then.
    public var lastAddedQuantity: Int

    /// A line of a cart.
    public init(
        productID: String, title: String, unitPrice: Int64, quantity: Int, addedAt: Milliseconds, lastAddedAt: Milliseconds,
        lastAddedQuantity: Int
    ) {
        self.productID = productID
        self.title = title
        self.unitPrice = unitPrice
        self.quantity = quantity
        self.addedAt = addedAt
        self.lastAddedAt = lastAddedAt
        self.lastAddedQuantity = lastAddedQuantity
    }
}

/// What a cart is open for.
public enum CartStatus: String, CaseIterable, FallbackCase {
    /// It can be changed.
    case open
    /// It is locked until the running checkout ends.
    case checkingOut

    /// A cart is not locked by a state that nobody knows.
    public static var fallback: CartStatus { .open }
}

/// What went wrong with a cart outside an answer.
public enum CartFaultKind: String, CaseIterable, FallbackCase {
    /// The payment was not made.
    case checkoutFailed
    /// The payment has not been answered for long. It may have been made, so the cart stays locked, and the payment is tried on.
    case checkoutOverdue
    /// The cart could not be brought up to date.
    case loadFailed
    /// Something an older or newer version knew.
    case other

    /// Anything unknown.
    public static var fallback: CartFaultKind { .other }
}

/// Why the last checkout or load failed.
public struct CartFault: Codable, Hashable, Sendable {
    /// What failed.
    @FallsBack public var kind: CartFaultKind
    /// One sentence for a person.
    public var message: String

    /// States what failed.
    public init(_ kind: CartFaultKind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

/// A checkout under way: a copy of what is being paid, so that its order is placed as it was, whatever becomes of the cart.
public struct Checkout: Codable, Hashable, Sendable {
    /// The id of the order to be placed.
    public var orderID: String
    /// What is being bought.
    public var lines: [CartLine]
    /// What is being paid, in minor units.
    public var total: Int64
    /// The currency of prices and total (ISO 4217).
    public var currency: String
    /// When the checkout was asked for.
    public var requestedAt: Milliseconds
    /// When the payment was begun; nil until then.
    @ExplicitNull public var startedAt: Milliseconds?
}

/// What is about to be bought.
public struct CartState: Codable, Hashable, Sendable {
    /// One line a product, in the order in which they were added.
    public var lines: [CartLine]
    /// What the cart is open for.
    @FallsBack public var status: CartStatus
    /// The currency of the lines' prices (ISO 4217); nil while there are none.
    @ExplicitNull public var currency: String?
    /// Why the last checkout or load failed; refusals are not kept.
    @ExplicitNull public var error: CartFault?
    /// The checkout under way; nil where none is.
    @ExplicitNull public var checkout: Checkout?
    /// Whether the cart is being brought up to date with the catalog.
    public var isLoading: Bool
    /// When lines last changed.
    @ExplicitNull public var updatedAt: Milliseconds?

    /// An empty cart.
    public init() {
        lines = []
        status = .open
        currency = nil
        error = nil
        checkout = nil
        isLoading = false
        updatedAt = nil
    }

    /// Where the line of a product is.
    func index(of productID: String) -> Int? {
        lines.firstIndex { $0.productID == productID }
    }
}

extension Sequence<CartLine> {
    /// The sum of prices times quantities, in minor units; nil where it does not fit into 64 bits.
    public var total: Int64? {
        var sum: Int64 = 0
        for line in self {
            let (product, productOverflows) = line.unitPrice.multipliedReportingOverflow(by: Int64(line.quantity))
            let (next, sumOverflows) = sum.addingReportingOverflow(product)
            if productOverflows || sumOverflows { return nil }
            sum = next
        }
        return sum
    }

    /// How many pieces there are.
    public var pieces: Int { reduce(0) { $0 + $1.quantity } }
}
