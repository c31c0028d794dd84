import Redux

/// Names the order that a checkout is to place.
public struct OrderReference: Codable, Hashable, Sendable {
    /// The id of the order.
    public var orderID: String

    /// Names an order.
    public init(orderID: String) {
        self.orderID = orderID
    }
}

/// How a checkout failed.
public struct CheckoutFailure: Codable, Hashable, Sendable {
    /// The id of the order that was not placed.
    public var orderID: String
    /// One sentence for a person.
    public var reason: String

    /// Reports a failure.
    public init(orderID: String, reason: String) {
        self.orderID = orderID
        self.reason = reason
    }
}

/// What can happen to a cart.
public enum CartAction: Hashable, Sendable {
    /// Asks for pieces of a product to be added.
    case addItem(ProductAddition)
    /// Asks for a line to have so many pieces; none removes it.
    case setQuantity(ProductQuantity)
    /// Asks for a line to be removed.
    case removeItem(ProductReference)
    /// Asks for all lines to be removed.
    case clear
    /// Asks for the lines to be brought up to date with today's catalog.
    case load
    /// Asks for the cart to be paid.
    case checkout
    /// Asks for the fault to be forgotten.
    case clearError
    /// Today's catalog is known; what is known about the lines comes as facts.
    case loaded
    /// Today's catalog could not be asked.
    case loadFailed(FailureReason)
    /// The payment was begun.
    case checkoutStarted(OrderReference)
    /// The payment was made.
    case checkoutSucceeded(OrderReference)
    /// The payment was not made.
    case checkoutFailed(CheckoutFailure)
    /// The payment has not been answered for long; it is tried on.
    case checkoutOverdue(OrderReference)

    static let kinds: [ActionKind<ShopAction>] = [
        .kind(
            "cart/addItem", summary: "Add 1 to 99 pieces of a product", example: ProductAddition(productID: "dune", quantity: 1)
        ) { .cart(.addItem($0)) },
        .kind(
            "cart/setQuantity", summary: "Set a line's quantity; 0 or less removes the line",
            example: ProductQuantity(productID: "dune", quantity: 2)
        ) { .cart(.setQuantity($0)) },
        .kind("cart/removeItem", summary: "Remove a line", example: ProductReference(productID: "dune")) {
            .cart(.removeItem($0))
        },
        .kind("cart/clear", summary: "Remove all lines", .cart(.clear)),
        .kind("cart/load", summary: "Bring the lines up to date with today's catalog", .cart(.load)),
        .kind("cart/checkout", summary: "Pay; the cart is locked until that has ended", .cart(.checkout)),
        .kind("cart/clearError", summary: "Forget why the last checkout or load failed", .cart(.clearError)),
        .kind("cart/loaded", .fact, summary: "The lines are brought up to date with the catalog", .cart(.loaded)),
        .kind(
            "cart/loadFailed", .fact, summary: "The lines could not be brought up to date",
            example: FailureReason(reason: "The catalog service does not answer.")
        ) { .cart(.loadFailed($0)) },
        .kind(
            "cart/checkoutStarted", .fact, summary: "The payment was begun", example: OrderReference(orderID: exampleOrder)
        ) { .cart(.checkoutStarted($0)) },
        .kind(
            "cart/checkoutSucceeded", .fact, summary: "The payment was made, the order is placed",
            example: OrderReference(orderID: exampleOrder)
        ) { .cart(.checkoutSucceeded($0)) },
        .kind(
            "cart/checkoutFailed", .fact, summary: "The payment was not made, the cart is as it was",
            example: CheckoutFailure(orderID: exampleOrder, reason: "The payment was declined.")
        ) { .cart(.checkoutFailed($0)) },
        .kind(
            "cart/checkoutOverdue", .fact, summary: "The payment has not been answered for long; it is tried on",
            example: OrderReference(orderID: exampleOrder)
        ) { .cart(.checkoutOverdue($0)) },
    ]

    private static let exampleOrder = "0192f0c1-2b3c-7d4e-8f5a-6b7c8d9e0f1a"
}

extension CartAction: SliceAction {
    var name: String {
        switch self {
        case .addItem: "cart/addItem"
        case .setQuantity: "cart/setQuantity"
        case .removeItem: "cart/removeItem"
        case .clear: "cart/clear"
        case .load: "cart/load"
        case .checkout: "cart/checkout"
        case .clearError: "cart/clearError"
        case .loaded: "cart/loaded"
        case .loadFailed: "cart/loadFailed"
        case .checkoutStarted: "cart/checkoutStarted"
        case .checkoutSucceeded: "cart/checkoutSucceeded"
        case .checkoutFailed: "cart/checkoutFailed"
        case .checkoutOverdue: "cart/checkoutOverdue"
        }
    }

    var payload: (any Encodable)? {
        switch self {
        case .addItem(let payload): payload
        case .setQuantity(let payload): payload
        case .removeItem(let payload): payload
        case .loadFailed(let payload): payload
        case .checkoutStarted(let payload), .checkoutSucceeded(let payload), .checkoutOverdue(let payload): payload
        case .checkoutFailed(let payload): payload
        case .clear, .load, .checkout, .clearError, .loaded: nil
        }
    }
}
