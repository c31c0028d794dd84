public import Redux

extension ShopModel {
    /// Runs an effect by its service and returns the fact to report.
    ///
    /// A refusal by the service is a failure at once. Where the service does not answer, this throws, which asks for another
    /// attempt, until `ShopSettings.effectAttemptsMax` attempts were made; then the failure is reported.
    public static func perform(_ effect: ShopEffect, run: EffectRun, in environment: ShopEnvironment) async throws -> ShopAction {
        do {
            switch try await answer(to: effect, run, environment.services) {
            case .done: return success(of: effect)
            case .refused(let reason): return failure(of: effect, reason: reason)
            }
        } catch {
            // A run that is cancelled (the service is being shut down) has not failed.
            guard run.attempt >= environment.settings.effectAttemptsMax, !(error is CancellationError) else { throw error }
            return failure(of: effect, reason: (error as? ServiceUnavailable)?.reason ?? "The service does not answer.")
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
        }
    }

    /// The fact that an effect was done.
    public static func success(of effect: ShopEffect) -> ShopAction {
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
        }
    }

    /// The fact that an effect was not done; also for whoever gives up on it (too old, dropped by hand).
    public static func failure(of effect: ShopEffect, reason: String) -> ShopAction {
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
        }
    }
}
