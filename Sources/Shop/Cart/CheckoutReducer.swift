import Redux

/// What a checkout does to a cart: requested, started, and then succeeded or failed.
///
/// The request locks the cart and keeps a copy of what is being paid. An outcome acts only on the checkout of its own order;
/// `OrdersReducer` places the order from the copy. The price paid is the one the cart shows; `cart/load` brings today's.
enum CheckoutReducer {
    static func reduce(into cart: inout CartState, action: CartAction, context: ReducerContext) throws(Refusal) {
        switch action {
        case .checkout:
            cart.checkout = try begin(cart, context)
            cart.status = .checkingOut
            cart.error = nil
        case .checkoutStarted(let order):
            guard cart.checkout?.orderID == order.orderID, cart.checkout?.startedAt == nil else { return }
            cart.checkout?.startedAt = context.stamp.at
        case .checkoutSucceeded(let order):
            guard end(order.orderID, in: &cart) else { return }
            if cart.error?.kind == .checkoutOverdue { cart.error = nil }
            CartReducer.replaceLines(of: &cart, with: [], at: context.stamp.at)
        case .checkoutFailed(let failure):
            guard end(failure.orderID, in: &cart) else { return }
            cart.error = CartFault(.checkoutFailed, failure.reason)
        case .checkoutOverdue(let order):
            guard cart.checkout?.orderID == order.orderID else { return }
            cart.error = CartFault(.checkoutOverdue, "The payment has not been answered yet; it is being tried on.")
        default:
            break
        }
    }

    /// The checkout of the cart as it is, or why there can be none.
    private static func begin(_ cart: CartState, _ context: ReducerContext) throws(Refusal) -> Checkout {
        guard context.previous.session.kind == .registered else {
            throw Refusal(.requiresLogin, "Log in or register to check out; the cart is kept.")
        }
        try CartReducer.requireOpen(cart)
        guard !cart.lines.isEmpty else { throw Refusal(.cartEmpty, "Add something to the cart first.") }
        // Each refusal over all lines before the next one, so that the precedence does not hang on the order of the lines.
        for line in cart.lines where context.facts?.product(line.productID) == nil {
            throw Refusal(.productNotFound, "“\(line.title)” is no longer sold; remove it or send cart/load.")
        }
        try CartReducer.requireCurrency(of: cart, context)
        for line in cart.lines {
            if let product = context.facts?.product(line.productID) { try CartReducer.requireStock(line.quantity, of: product) }
        }
        guard let total = cart.lines.total else { throw .totalOverflow }
        return Checkout(
            orderID: context.stamp.id.uuidText, lines: cart.lines, total: total,
            currency: cart.currency ?? context.facts?.currency ?? "", requestedAt: context.stamp.at, startedAt: nil)
    }

    /// Unlocks the cart if this order's checkout is under way.
    private static func end(_ orderID: String, in cart: inout CartState) -> Bool {
        guard cart.checkout?.orderID == orderID else { return false }
        cart.checkout = nil
        cart.status = .open
        return true
    }
}
