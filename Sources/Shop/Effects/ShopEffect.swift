public import Redux

/// "Set this favourite to that", never "toggle it": done twice, it is still right.
public struct FavoriteSave: Codable, Hashable, Sendable {
    /// The account whose favourite it is.
    public var account: AccountID
    /// The product's id.
    public var productID: String
    /// What the product is to be.
    public var favorite: Bool
    /// Names the request, for its outcome.
    public var generation: Revision

    /// Asks for a save.
    public init(account: AccountID, productID: String, favorite: Bool, generation: Revision) {
        self.account = account
        self.productID = productID
        self.favorite = favorite
        self.generation = generation
    }
}

/// A payment to be made.
public struct PaymentRequest: Codable, Hashable, Sendable {
    /// The account that pays.
    public var account: AccountID
    /// The order it is for.
    public var orderID: String
    /// The amount, in minor units.
    public var amount: Int64
    /// Its currency (ISO 4217).
    public var currency: String

    /// Asks for a payment.
    public init(account: AccountID, orderID: String, amount: Int64, currency: String) {
        self.account = account
        self.orderID = orderID
        self.amount = amount
        self.currency = currency
    }
}

/// A change of a profile to be made.
public struct ProfileSave: Codable, Hashable, Sendable {
    /// The account whose profile it is.
    public var account: AccountID
    /// The new name.
    public var name: String
    /// Names the request, for its outcome.
    public var generation: Revision

    /// Asks for a change.
    public init(account: AccountID, name: String, generation: Revision) {
        self.account = account
        self.name = name
        self.generation = generation
    }
}

/// What a service outside is told, where one is configured: an order was placed.
public struct OrderNotification: Codable, Hashable, Sendable {
    /// The account whose order it is.
    public var account: AccountID
    /// The order.
    public var orderID: String
    /// What was paid, in minor units.
    public var total: Int64
    /// Its currency (ISO 4217).
    public var currency: String

    /// Tells of an order.
    public init(account: AccountID, orderID: String, total: Int64, currency: String) {
        self.account = account
        self.orderID = orderID
        self.total = total
        self.currency = currency
    }
}

/// What can be loaded.
public enum LoadTarget: String, Codable, Hashable, Sendable {
    /// Today's catalog, for the lines of the cart.
    case cart
    /// Today's catalog, for what the account is looking for.
    case catalog
    /// The profile.
    case profile
}

/// What the shop has done outside.
public enum ShopEffect: WireEffect, Hashable {
    /// Saves a favourite.
    case saveFavorite(FavoriteSave)
    /// Pays an order.
    case pay(PaymentRequest)
    /// Changes a profile.
    case updateProfile(ProfileSave)
    /// Loads something.
    case load(LoadTarget)
    /// Tells the account, in due time, that a payment has not been answered yet.
    case remind(OrderReference)
    /// Tells a service outside what has happened.
    case notify(OrderNotification)

    /// The name of the kind, for the outbox and metrics.
    public var kind: String {
        switch self {
        case .saveFavorite: "favorite"
        case .pay: "payment"
        case .updateProfile: "profile"
        case .load: "load"
        case .remind: "reminder"
        case .notify: "notification"
        }
    }
}

extension ShopModel {
    /// What a transition asks to have done, found by comparing the states, so that it is the same whichever action led there.
    ///
    /// A newer save of a favourite takes the place of an older one that has not run, by its key. A payment is never replaced.
    public static func effects(of action: StampedAction, previous: ShopState, next: ShopState) -> [EffectRequest<ShopEffect>] {
        var requests: [EffectRequest<ShopEffect>] = []
        let account = action.stamp.account
        if next.favorites.pending != previous.favorites.pending {
            for save in next.favorites.pending where save.generation == action.stamp.revision {
                let effect = FavoriteSave(
                    account: account, productID: save.productID, favorite: save.favorite, generation: save.generation)
                requests.append(EffectRequest(.saveFavorite(effect), key: "favorite." + save.productID))
            }
        }
        if let checkout = next.cart.checkout, checkout.orderID != previous.cart.checkout?.orderID {
            let payment = PaymentRequest(
                account: account, orderID: checkout.orderID, amount: checkout.total, currency: checkout.currency)
            requests.append(EffectRequest(.pay(payment)))
            let order = OrderReference(orderID: checkout.orderID)
            requests.append(EffectRequest(.remind(order), delay: EffectKeys.overdueMilliseconds, key: EffectKeys.overdue))
        }
        if next.orders != previous.orders, let order = next.orders.placed.last {
            let notification = OrderNotification(
                account: account, orderID: order.orderID, total: order.total, currency: order.currency)
            requests.append(EffectRequest(.notify(notification)))
        }
        if case .profile(.update(let change)) = action.action, next.profile.isUpdating, !previous.profile.isUpdating {
            let save = ProfileSave(account: account, name: change.name, generation: action.stamp.revision)
            requests.append(EffectRequest(.updateProfile(save)))
        }
        if next.cart.isLoading, !previous.cart.isLoading { requests.append(EffectRequest(.load(.cart), key: EffectKeys.cart)) }
        if next.catalog.isLoading, !previous.catalog.isLoading {
            requests.append(EffectRequest(.load(.catalog), key: EffectKeys.catalog))
        }
        if next.profile.isLoading, !previous.profile.isLoading {
            requests.append(EffectRequest(.load(.profile), key: EffectKeys.profile))
        }
        return requests
    }

    /// Signing in and registering load the profile and the cart; a checkout that was accepted is started; what is being loaded when
    /// the last session ends is called off.
    public static func followUps(of action: StampedAction, previous: ShopState, next: ShopState) -> [ShopAction] {
        switch action.action {
        case .session(.signedIn), .session(.registered):
            return (next.profile.isLoading ? [] : [.profile(.load)]) + (next.cart.isLoading ? [] : [.cart(.load)])
        case .session(.signedOut), .session(.expired):
            let reason = FailureReason(reason: "Nobody is signed in any more.")
            return (next.cart.isLoading ? [.cart(.loadFailed(reason))] : [])
                + (next.catalog.isLoading ? [.catalog(.loadFailed(reason))] : [])
                + (next.profile.isLoading ? [.profile(.loadFailed(reason))] : [])
        case .cart(.checkout):
            guard let checkout = next.cart.checkout else { return [] }
            return [.cart(.checkoutStarted(OrderReference(orderID: checkout.orderID)))]
        default:
            return []
        }
    }
}
