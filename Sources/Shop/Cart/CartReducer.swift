public import Redux

/// Bounds on a cart.
public enum CartLimits {
    /// The most pieces of one product.
    public static let quantityMax = 99
    /// The most lines; a line that is there can still grow.
    public static let linesMax = 50
    /// The same addition again within this many milliseconds is a double tap.
    public static let doubleTapMilliseconds: Milliseconds = 500
}

/// What happens to a cart when its lines are changed by hand; `CheckoutReducer` and `CartLoading` do the rest.
///
/// Where several refusals apply, the first in the order of `ShopModel.refusals` is given. The guard against double taps comes
/// before stock and room, so that a tap that is ignored is never refused.
enum CartReducer {
    static let schema = SliceSchema("cart")

    static func reduce(into cart: inout CartState, action: CartAction, context: ReducerContext) throws(Refusal) {
        switch action {
        case .addItem(let payload):
            try add(payload, to: &cart, context)
        case .setQuantity(let payload):
            try set(payload, in: &cart, context)
        case .removeItem(let payload):
            try requireOpen(cart)
            try remove(payload.productID, from: &cart, context)
        case .clear:
            try requireOpen(cart)
            guard !cart.lines.isEmpty else { return }
            replaceLines(of: &cart, with: [], at: context.stamp.at)
        case .clearError:
            cart.error = nil
        case .load, .loaded, .loadFailed:
            CartLoading.reduce(into: &cart, action: action, context: context)
        case .checkout, .checkoutStarted, .checkoutSucceeded, .checkoutFailed, .checkoutOverdue:
            try CheckoutReducer.reduce(into: &cart, action: action, context: context)
        }
    }

    private static func add(_ payload: ProductAddition, to cart: inout CartState, _ context: ReducerContext) throws(Refusal) {
        try requireGuestsMayAdd(context)
        try requireOpen(cart)
        guard 1...CartLimits.quantityMax ~= payload.quantity else {
            throw .invalidQuantity("Between 1 and \(CartLimits.quantityMax) pieces can be added at once.")
        }
        guard let product = context.facts?.product(payload.productID) else { throw .productNotFound(payload.productID) }
        let index = cart.index(of: payload.productID)
        let stamp = context.stamp
        if let index, isDoubleTap(payload, on: cart.lines[index], stamp) { return }
        try requireCurrency(of: cart, context)

        let present = index.map { cart.lines[$0].quantity } ?? 0
        let quantity = min(present + payload.quantity, CartLimits.quantityMax)
        try requireStock(quantity, of: product)
        if index == nil, cart.lines.count >= CartLimits.linesMax {
            throw Refusal(.cartFull, "The cart has \(CartLimits.linesMax) lines already; remove one first.")
        }
        let line = CartLine(
            productID: product.productID, title: product.title, unitPrice: product.price, quantity: quantity,
            addedAt: index.map { cart.lines[$0].addedAt } ?? stamp.at, lastAddedAt: stamp.at, lastAddedQuantity: payload.quantity)
        var lines = cart.lines
        if let index { lines[index] = line } else { lines.append(line) }
        try commit(lines, to: &cart, context)
    }

    private static func set(_ payload: ProductQuantity, in cart: inout CartState, _ context: ReducerContext) throws(Refusal) {
        let index = cart.index(of: payload.productID)
        if payload.quantity > (index.map { cart.lines[$0].quantity } ?? 0) { try requireGuestsMayAdd(context) }
        try requireOpen(cart)
        guard payload.quantity <= CartLimits.quantityMax else {
            throw .invalidQuantity("A line holds at most \(CartLimits.quantityMax) pieces.")
        }
        guard let index else { throw .notInCart(payload.productID) }
        guard payload.quantity > 0 else { return try remove(payload.productID, from: &cart, context) }
        guard let product = context.facts?.product(payload.productID) else { throw .productNotFound(payload.productID) }
        try requireCurrency(of: cart, context)
        try requireStock(payload.quantity, of: product)

        var lines = cart.lines
        lines[index].quantity = payload.quantity
        lines[index].title = product.title
        lines[index].unitPrice = product.price
        guard lines[index] != cart.lines[index] else { return }
        try commit(lines, to: &cart, context)
    }

    private static func remove(_ productID: String, from cart: inout CartState, _ context: ReducerContext) throws(Refusal) {
        guard let index = cart.index(of: productID) else { throw .notInCart(productID) }
        var lines = cart.lines
        lines.remove(at: index)
        replaceLines(of: &cart, with: lines, at: context.stamp.at)
    }

    /// The same product and quantity as the line's last addition, too soon after it. Not inside a batch, where additions are
    /// meant; not while the clock stands behind, when stamps do not tell how much time has passed.
    private static func isDoubleTap(_ payload: ProductAddition, on line: CartLine, _ stamp: Stamp) -> Bool {
        !stamp.batched && !stamp.skewed && payload.quantity == line.lastAddedQuantity
            && stamp.at - line.lastAddedAt < CartLimits.doubleTapMilliseconds
    }

    /// Takes lines into the cart whose prices are those of the stamped catalog, if their total can be told.
    private static func commit(_ lines: [CartLine], to cart: inout CartState, _ context: ReducerContext) throws(Refusal) {
        guard lines.total != nil else { throw .totalOverflow }
        cart.currency = context.facts?.currency
        replaceLines(of: &cart, with: lines, at: context.stamp.at)
    }

    /// Puts lines into the cart as they are; a cart without lines has no currency.
    static func replaceLines(of cart: inout CartState, with lines: [CartLine], at time: Milliseconds) {
        cart.lines = lines
        cart.updatedAt = time
        if lines.isEmpty { cart.currency = nil }
    }
}

/// The conditions that refuse.
extension CartReducer {
    static func requireOpen(_ cart: CartState) throws(Refusal) {
        guard cart.status == .open else {
            throw Refusal(.checkoutInProgress, "The cart is locked until the running checkout has ended.")
        }
    }

    static func requireStock(_ quantity: Int, of product: ProductFact) throws(Refusal) {
        guard quantity <= product.stock else {
            let detail =
                product.stock > 0
                ? "Of “\(product.title)” only \(product.stock) can be ordered." : "“\(product.title)” is sold out."
            throw Refusal(.outOfStock, detail)
        }
    }

    static func requireCurrency(of cart: CartState, _ context: ReducerContext) throws(Refusal) {
        guard let currency = cart.currency, let today = context.facts?.currency, currency != today else { return }
        throw Refusal(.currencyChanged, "The cart is in \(currency), the catalog in \(today); send cart/load first.")
    }

    private static func requireGuestsMayAdd(_ context: ReducerContext) throws(Refusal) {
        guard context.facts?.guests == .browse, context.previous.session.kind == .guest else { return }
        throw Refusal(.requiresLogin, "Log in or register to fill a cart.")
    }
}

extension Refusal {
    static func invalidQuantity(_ detail: String) -> Refusal {
        Refusal(.invalidQuantity, detail, pointer: "/payload/quantity")
    }

    static func notInCart(_ productID: String) -> Refusal {
        Refusal(.notInCart, "The cart has no line for “\(productID)”.", pointer: "/payload/productID")
    }

    static var totalOverflow: Refusal {
        Refusal(.totalOverflow, "The total would not fit into 64 bits; order fewer pieces.")
    }
}
