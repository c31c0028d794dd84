public import Redux

/// The names of effects that replace each other, or that can be called off; a favourite's save has the name of its product.
enum EffectKeys {
    static let cart = "load.cart"
    static let catalog = "load.catalog"
    static let profile = "load.profile"
    static let overdue = "checkout.overdue"

    /// How long a payment may go unanswered before its account is told.
    static let overdueMilliseconds: Milliseconds = 15 * 60 * 1000
}

extension ShopModel {
    /// What becomes of effects when the world moves on.
    ///
    /// - The last session ends: loads are called off, for nobody looks; `followUps` says so in the log. Saves, payments and
    ///   notifications are the account's own, and run to their end.
    /// - A favourite or a load is asked for anew: the newer request takes the place of the older by its key.
    /// - A checkout ends: the notice that it takes long is called off.
    /// - The account is erased: everything is, by the service itself.
    ///
    /// An answer that arrives all the same is dropped and counted.
    public static func cancellations(of action: StampedAction, previous: ShopState, next: ShopState) -> [EffectCancellation] {
        switch action.action {
        case .session(.signedOut), .session(.expired):
            (next.cart.isLoading ? [.key(EffectKeys.cart)] : [])
                + (next.catalog.isLoading ? [.key(EffectKeys.catalog)] : [])
                + (next.profile.isLoading ? [.key(EffectKeys.profile)] : [])
        case .cart(.checkoutSucceeded), .cart(.checkoutFailed):
            previous.cart.checkout != nil && next.cart.checkout == nil ? [.key(EffectKeys.overdue)] : []
        default:
            []
        }
    }
}
