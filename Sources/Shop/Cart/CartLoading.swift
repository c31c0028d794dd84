import Redux

/// How a cart is brought up to date with today's catalog.
///
/// What is known about each line is stamped onto `cart/loaded`, for the lines there are at that moment: a line changed while the
/// catalog was asked keeps its change. Lines whose product is gone are removed, the others take today's title and price, and no
/// more pieces than there are; a sold-out line stays as it is, for its owner to decide. A locked cart is left alone.
enum CartLoading {
    static func reduce(into cart: inout CartState, action: CartAction, context: ReducerContext) {
        switch action {
        case .load:
            guard !cart.isLoading else { return }
            cart.isLoading = true
            if cart.error?.kind == .loadFailed { cart.error = nil }
        case .loaded:
            guard cart.isLoading else { return }
            cart.isLoading = false
            if cart.status == .open { bringUpToDate(&cart, context) }
        case .loadFailed(let failure):
            guard cart.isLoading else { return }
            cart.isLoading = false
            cart.error = CartFault(.loadFailed, failure.reason)
        default:
            break
        }
    }

    private static func bringUpToDate(_ cart: inout CartState, _ context: ReducerContext) {
        let lines = cart.lines.compactMap { line -> CartLine? in
            guard let product = context.facts?.product(line.productID) else { return nil }
            var line = line
            line.title = product.title
            line.unitPrice = product.price
            if product.stock > 0 { line.quantity = min(line.quantity, product.stock) }
            return line
        }
        guard lines.total != nil else {
            // A fact is never refused. A catalog that is checked has no prices that could lead here.
            cart.error = CartFault(.loadFailed, "The cart's total at today's prices is too large.")
            return
        }
        guard lines != cart.lines || cart.currency != context.facts?.currency, !cart.lines.isEmpty else { return }
        cart.currency = context.facts?.currency
        CartReducer.replaceLines(of: &cart, with: lines, at: context.stamp.at)
    }
}
