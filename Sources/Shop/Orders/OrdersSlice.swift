public import Redux

/// One product of an order, as it was bought.
public struct OrderLine: Codable, Hashable, Sendable {
    /// The product's id.
    public var productID: String
    /// Its title.
    public var title: String
    /// Its price for one piece, in minor units of the order's currency.
    public var unitPrice: Int64
    /// Pieces, 1 to 99.
    public var quantity: Int
}

/// An order that was paid.
public struct Order: Codable, Hashable, Sendable {
    /// Its id, the one of the checkout that led to it.
    public var orderID: String
    /// What was bought.
    public var lines: [OrderLine]
    /// What was paid, in minor units.
    public var total: Int64
    /// The currency of prices and total (ISO 4217).
    public var currency: String
    /// When it was placed.
    public var at: Milliseconds
}

/// What an account bought.
public struct OrdersState: Codable, Hashable, Sendable {
    /// The newest orders, oldest first; at most `OrdersReducer.ordersMax`.
    public var placed: [Order]
    /// How many older orders are readable in the account's log only.
    public var older: Int

    /// No orders.
    public init() {
        placed = []
        older = 0
    }
}

/// Bounds on the orders of one account.
public enum OrdersLimits {
    /// The most orders a state holds; the account's log has all of them.
    public static let ordersMax = 200
}

/// How orders are placed: by the success of the checkout that is under way, from the copy it keeps.
enum OrdersReducer {
    static let schema = SliceSchema("orders")

    static func reduce(into orders: inout OrdersState, action: CartAction, context: ReducerContext) {
        guard case .checkoutSucceeded(let outcome) = action,
            let checkout = context.previous.cart.checkout, checkout.orderID == outcome.orderID
        else { return }
        let lines = checkout.lines.map {
            OrderLine(productID: $0.productID, title: $0.title, unitPrice: $0.unitPrice, quantity: $0.quantity)
        }
        orders.placed.append(
            Order(
                orderID: checkout.orderID, lines: lines, total: checkout.total, currency: checkout.currency, at: context.stamp.at)
        )
        if orders.placed.count > OrdersLimits.ordersMax {
            orders.placed.removeFirst()
            orders.older += 1
        }
    }
}
