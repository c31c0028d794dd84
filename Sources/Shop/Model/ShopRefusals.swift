public import Redux

/// Every way in which the shop refuses an action. Where several apply, the one that comes first here is given.
///
/// The order is: who asks, what the cart is busy with, what was asked, the product, and at last the room there is.
extension RefusalKind {
    /// The number of an account is not positive; given where accounts are named by number (a trusted gateway).
    public static let invalidAccount = RefusalKind("invalid-account", title: "An account's number is positive", status: 400)
    /// The account has no session any more.
    public static let signedOut = RefusalKind("signed-out", title: "The account is signed out")
    /// The action needs a registered account.
    public static let requiresLogin = RefusalKind("requires-login", title: "The action needs a registered account")
    /// The cart is locked until the running checkout has ended.
    public static let checkoutInProgress = RefusalKind("checkout-in-progress", title: "A checkout is in progress")
    /// A quantity is outside its bounds.
    public static let invalidQuantity = RefusalKind("invalid-quantity", title: "The quantity is not one that can be ordered")
    /// A checkout without lines.
    public static let cartEmpty = RefusalKind("cart-empty", title: "The cart is empty")
    /// The cart has no line for the product.
    public static let notInCart = RefusalKind("not-in-cart", title: "The product is not in the cart")
    /// The catalog has no such product.
    public static let productNotFound = RefusalKind("product-not-found", title: "The catalog has no such product")
    /// The cart's prices are in another currency than today's catalog.
    public static let currencyChanged = RefusalKind("currency-changed", title: "The catalog's currency has changed")
    /// Fewer pieces are in stock than the cart would hold.
    public static let outOfStock = RefusalKind("out-of-stock", title: "Not enough pieces are in stock")
    /// The cart has as many lines as it can hold.
    public static let cartFull = RefusalKind("cart-full", title: "The cart is full")
    /// The total does not fit into 64 bits.
    public static let totalOverflow = RefusalKind("total-overflow", title: "The cart's total is too large")
    /// As many favourites as there can be.
    public static let favoritesFull = RefusalKind("favorites-full", title: "The favourites are full")
    /// The history has no entry to take back.
    public static let nothingToUndo = RefusalKind("nothing-to-undo", title: "There is nothing to undo")
    /// The history has no entry to bring back.
    public static let nothingToRedo = RefusalKind("nothing-to-redo", title: "There is nothing to redo")
}

extension ShopModel {
    /// Every way in which `reduce` refuses, with `invalid-account`, which the service gives; in order of precedence.
    public static let refusals: [RefusalKind] = [
        .invalidAccount, .signedOut, .requiresLogin, .checkoutInProgress, .invalidQuantity, .cartEmpty, .notInCart,
        .productNotFound,
        .currencyChanged, .outOfStock, .cartFull, .totalOverflow, .favoritesFull, .nothingToUndo, .nothingToRedo,
    ]
}
