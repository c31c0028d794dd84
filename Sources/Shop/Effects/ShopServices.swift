public import Redux

/// What a service says to a request.
public enum ServiceAnswer: Hashable, Sendable {
    /// It is done.
    case done
    /// It will not be done, for a reason that a person can read; asking again is of no use.
    case refused(String)
}

/// A service that was called and may answer otherwise when called again.
public struct ServiceUnavailable: RetryAdvice, Hashable, Sendable {
    /// One sentence for a person.
    public let reason: String
    /// When the service asked to be called again, in milliseconds from now; nil where it did not say.
    public let retryAfter: Milliseconds?

    /// States why there is no answer.
    public init(_ reason: String, retryAfter: Milliseconds? = nil) {
        self.reason = reason
        self.retryAfter = retryAfter
    }
}

/// Where effects meet the world: one function a service.
///
/// Each is called at least once for an effect, every time with the same `EffectRun.id`, to be used as an idempotency key.
/// Throwing means that the outcome is not known and asks for another attempt.
public struct ShopServices: Sendable {
    /// Asks a service.
    public typealias Call<Request> = @Sendable (Request, EffectRun) async throws -> ServiceAnswer

    /// Saves a favourite.
    public var favorites: Call<FavoriteSave>
    /// Makes a payment.
    public var payment: Call<PaymentRequest>
    /// Changes a profile.
    public var profile: Call<ProfileSave>
    /// Tells whether something can be loaded.
    public var loading: Call<LoadTarget>
    /// Is told of orders.
    public var notifications: Call<OrderNotification>

    /// Puts services together.
    public init(
        favorites: @escaping Call<FavoriteSave>, payment: @escaping Call<PaymentRequest>, profile: @escaping Call<ProfileSave>,
        loading: @escaping Call<LoadTarget>, notifications: @escaping Call<OrderNotification>
    ) {
        self.favorites = favorites
        self.payment = payment
        self.profile = profile
        self.loading = loading
        self.notifications = notifications
    }
}

/// How a simulated service behaves.
public struct SimulatedService: Hashable, Sendable {
    /// How long it takes to answer, in milliseconds.
    public var delay: Milliseconds
    /// Which part of the requests it refuses, 0 to 1.
    public var failureRate: Double

    /// A service that takes 200 ms and refuses nothing, unless something else is said.
    public init(delay: Milliseconds = 200, failureRate: Double = 0) {
        precondition(delay >= 0, "a delay is not negative")
        precondition(0...1 ~= failureRate, "a failure rate is between 0 and 1")
        self.delay = delay
        self.failureRate = failureRate
    }
}

/// How the simulated services behave, each by itself.
public struct Simulation: Hashable, Sendable {
    /// The favourites service.
    public var favorites: SimulatedService
    /// The payment service.
    public var payment: SimulatedService
    /// The profile service.
    public var profile: SimulatedService
    /// The catalog service.
    public var loading: SimulatedService

    /// Each service as given; by default 200 ms and no failures.
    public init(
        favorites: SimulatedService = SimulatedService(), payment: SimulatedService = SimulatedService(),
        profile: SimulatedService = SimulatedService(), loading: SimulatedService = SimulatedService()
    ) {
        self.favorites = favorites
        self.payment = payment
        self.profile = profile
        self.loading = loading
    }

    /// All services alike.
    public init(all service: SimulatedService) {
        self.init(favorites: service, payment: service, profile: service, loading: service)
    }
}

extension ShopServices {
    /// Waits for so many milliseconds.
    public typealias Sleep = @Sendable (Milliseconds) async throws -> Void

    /// Gives a number in 0..<1 for a run's id; the same id gets the same number, as an idempotent service gives the same answer.
    public typealias Chance = @Sendable (_ runID: String) -> Double

    /// Services that only pretend, so that nothing outside is needed.
    ///
    /// `sleep` waits for the delay; `chance` decides which requests are refused, and says the same for each attempt of a run.
    public static func simulated(
        _ simulation: Simulation = Simulation(), chance: @escaping Chance = { hashedChance($0) },
        sleep: @escaping Sleep = { try await Task.sleep(for: .milliseconds($0)) }
    ) -> ShopServices {
        func call<Request>(_ service: SimulatedService, _ reason: String) -> Call<Request> {
            { _, run in
                if service.delay > 0 { try await sleep(service.delay) }
                return chance(run.id) < service.failureRate ? .refused(reason) : .done
            }
        }
        return ShopServices(
            favorites: call(simulation.favorites, "The favourite could not be saved."),
            payment: call(simulation.payment, "The payment was declined."),
            profile: call(simulation.profile, "The profile could not be saved."),
            loading: call(simulation.loading, "The catalog service does not answer."),
            // Nobody listens, so there is nothing to wait for.
            notifications: { _, _ in .done })
    }

    /// A number in 0..<1 that depends on the text alone, spread evenly.
    public static func hashedChance(_ text: String) -> Double {
        // FNV-1a leaves the high bits of short texts alike; two rounds of xor-shift-multiply (SplitMix64's) spread them.
        var hash = Fingerprint.of(text)
        hash = (hash ^ hash >> 30) &* 0xbf58_476d_1ce4_e5b9
        hash = (hash ^ hash >> 27) &* 0x94d0_49bb_1331_11eb
        hash ^= hash >> 31
        return Double(hash >> 11) * 0x1p-53
    }
}
