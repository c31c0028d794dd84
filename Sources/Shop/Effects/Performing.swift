public import Redux

extension ShopModel {
    /// Runs an effect by its service and returns the fact to report, nil where there is none.
    ///
    /// A refusal by the service is a failure at once. Where the service does not answer, this throws, which asks for another
    /// attempt; `failure(of:end:)` says what is reported once there are no more. Of a notification nothing is reported: one that is
    /// refused stays in the outbox, dead, for a person to see.
    public static func perform(
        _ effect: ShopEffect, run: EffectRun, in environment: ShopEnvironment
    ) async throws -> ShopAction? {
        switch try await answer(to: effect, run, environment.services) {
        case .done: return success(of: effect)
        case .refused(let reason):
            guard let fact = failure(of: effect, reason: reason) else { throw EffectRefusal(reason) }
            return fact
        }
    }

    /// The fact that an effect was given up; nil for a payment whose outcome is not known.
    ///
    /// A payment without an answer may have been made. Reported as failed, it would unlock the cart, and the customer would have
    /// paid for no order, or twice. So the cart stays locked, and the payment is tried on under its idempotency key: a late success
    /// still places the order. Only a person who has looked may say that it was not made.
    public static func failure(of effect: ShopEffect, end: EffectEnd) -> ShopAction? {
        switch (effect, end) {
        case (.pay, .exhausted): nil
        case (_, .exhausted(let reason)): failure(of: effect, reason: reason)
        case (_, .dropped): failure(of: effect, reason: "It was called off.")
        }
    }

    private static func answer(
        to effect: ShopEffect, _ run: EffectRun, _ services: ShopServices
    ) async throws -> ServiceAnswer {
        switch effect {
        case .saveFavorite(let request): try await services.favorites(request, run)
        case .pay(let request): try await services.payment(request, run)
        case .updateProfile(let request): try await services.profile(request, run)
        case .load(let target): try await services.loading(target, run)
        case .notify(let notification): try await services.notifications(notification, run)
        // That its time has come is all there is to it.
        case .remind: .done
        }
    }

    /// The fact that an effect was done; nil where the account is told nothing.
    public static func success(of effect: ShopEffect) -> ShopAction? {
        switch effect {
        case .saveFavorite(let save):
            .favorites(
                .saveSucceeded(SaveOutcome(account: save.account, productID: save.productID, generation: save.generation)))
        case .pay(let payment):
            .cart(.checkoutSucceeded(OrderReference(orderID: payment.orderID)))
        case .updateProfile(let save):
            .profile(.updateSucceeded(ProfileUpdated(name: save.name, generation: save.generation)))
        case .load(.cart):
            .cart(.loaded)
        case .load(.catalog):
            .catalog(.loaded)
        case .load(.profile):
            .profile(.loaded)
        case .remind(let order):
            .cart(.checkoutOverdue(order))
        case .notify:
            nil
        }
    }

    /// The fact that an effect was not done; nil where the account is told nothing.
    public static func failure(of effect: ShopEffect, reason: String) -> ShopAction? {
        switch effect {
        case .saveFavorite(let save):
            .favorites(
                .saveFailed(
                    SaveFailure(account: save.account, productID: save.productID, generation: save.generation, reason: reason)))
        case .pay(let payment):
            .cart(.checkoutFailed(CheckoutFailure(orderID: payment.orderID, reason: reason)))
        case .updateProfile(let save):
            .profile(.updateFailed(ProfileUpdateFailure(generation: save.generation, reason: reason)))
        case .load(.cart):
            .cart(.loadFailed(FailureReason(reason: reason)))
        case .load(.catalog):
            .catalog(.loadFailed(FailureReason(reason: reason)))
        case .load(.profile):
            .profile(.loadFailed(FailureReason(reason: reason)))
        case .remind, .notify:
            nil
        }
    }
}
