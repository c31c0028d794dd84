import Redux
import Shop
import Testing

struct EffectTests {
    private static let account = AccountID(rawValue: 7)!
    private static let effects: [ShopEffect] = [
        .saveFavorite(FavoriteSave(account: account, productID: "dune", favorite: true, generation: 3)),
        .pay(PaymentRequest(account: account, orderID: "o", amount: 1, currency: "EUR")),
        .updateProfile(ProfileSave(account: account, name: "Ada", generation: 4)), .load(.cart), .load(.catalog), .load(.profile),
    ]
    private static let successes = [
        "favorites/saveSucceeded", "cart/checkoutSucceeded", "profile/updateSucceeded", "cart/loaded", "catalog/loaded",
        "profile/loaded",
    ]
    private static let failures = [
        "favorites/saveFailed", "cart/checkoutFailed", "profile/updateFailed", "cart/loadFailed", "catalog/loadFailed",
        "profile/loadFailed",
    ]

    private func run(attempt: Int = 1, id: String = "7.1.0") -> EffectRun {
        EffectRun(id: id, account: Self.account, revision: 1, attempt: attempt)
    }

    /// The facts that all effects end in with these services.
    private func outcomes(_ services: ShopServices, attempt: Int = 1) async throws -> [String] {
        let environment = ShopEnvironment(catalog: .small, settings: ShopSettings(effectAttemptsMax: 3), services: services)
        var names: [String] = []
        for effect in Self.effects {
            names.append(try await ShopModel.perform(effect, run: run(attempt: attempt), in: environment).name)
        }
        return names
    }

    private func throwing(_ error: any Error) -> ShopServices {
        ShopServices(
            favorites: { _, _ in throw error }, payment: { _, _ in throw error }, profile: { _, _ in throw error },
            loading: { _, _ in throw error })
    }

    @Test func `an effect reads back as itself`() throws {
        for effect in Self.effects { #expect(try reread(effect) == effect) }
    }

    @Test func `what is done is reported`() async throws {
        let services = ShopServices.simulated(Simulation(all: SimulatedService(delay: 0)))
        #expect(try await outcomes(services) == Self.successes)
    }

    @Test func `what is refused is reported at once`() async throws {
        let services = ShopServices.simulated(Simulation(all: SimulatedService(delay: 0, failureRate: 1)))
        #expect(try await outcomes(services) == Self.failures)
    }

    @Test func `where there is no answer another attempt is asked for, and at last the failure reported`() async throws {
        let services = throwing(ServiceUnavailable("Away."))
        for attempt in 1...2 {
            await #expect(throws: ServiceUnavailable.self) { try await outcomes(services, attempt: attempt) }
        }
        #expect(try await outcomes(services, attempt: 3) == Self.failures)
    }

    @Test func `a run that is cancelled has not failed`() async {
        await #expect(throws: CancellationError.self) { try await outcomes(throwing(CancellationError()), attempt: 3) }
    }

    @Test func `the delay is the one that is injected`() async throws {
        let waits = AsyncStream.makeStream(of: Milliseconds.self)
        let services = ShopServices.simulated(
            Simulation(payment: SimulatedService(delay: 250)), chance: { _ in 0.5 }, sleep: { waits.continuation.yield($0) })
        _ = try await services.payment(PaymentRequest(account: Self.account, orderID: "o", amount: 1, currency: "EUR"), run())
        waits.continuation.finish()
        var all: [Milliseconds] = []
        for await wait in waits.stream { all.append(wait) }
        #expect(all == [250])
    }

    @Test func `the same run gets the same answer, and so many are refused as the rate says`() {
        #expect(ShopServices.hashedChance("7.1.0") == ShopServices.hashedChance("7.1.0"))
        let refused = (0..<10_000).filter { ShopServices.hashedChance("7.\($0).0") < 0.3 }.count
        #expect(2_800...3_200 ~= refused)
    }

    @Test func `a newer save of the same favourite takes the place of one that has not run`() throws {
        var account = Account()
        try account.toggle("dune")
        try account.toggle("dune")
        try account.toggle("tea")
        #expect(account.effectKeys == ["favorite.dune", "favorite.dune", "favorite.tea"])
    }

    @Test func `an action that is skipped or too late asks for nothing`() throws {
        var account = Account()
        try account.toggle("dune")
        let asked = account.effects.count
        try account.notSaved("dune", 99)
        try account.saved("dune", 1)
        try account.apply(.store(.recovered))
        #expect(account.effects.count == asked)
    }
}

struct AnalyticsTests {
    /// What an action counts as.
    private func event(_ action: ShopAction, _ account: inout Account) throws -> AnalyticsEvent? {
        let previous = account.state
        account.now += 10_000
        try account.apply(action)
        return ShopModel.analytics(of: account.log.last!, previous: previous, next: account.state)
    }

    @Test func `a life in events`() throws {
        var account = Account()
        let add = ShopAction.cart(.addItem(ProductAddition(productID: "dune", quantity: 99)))
        #expect(try event(add, &account) == .itemAdded)
        #expect(try event(add, &account) == nil)
        #expect(try event(.cart(.setQuantity(ProductQuantity(productID: "dune", quantity: 1))), &account) == nil)
        #expect(try event(.cart(.setQuantity(ProductQuantity(productID: "dune", quantity: 0))), &account) == .itemRemoved)
        #expect(try event(.catalog(.search(SearchQuery(query: "dune"))), &account) == .search)
        #expect(try event(.catalog(.search(SearchQuery(query: " "))), &account) == nil)
        let registered = ShopAction.session(.registered(Registration(email: "a@b.c", name: "A", verified: true)))
        #expect(try event(registered, &account) == .registration)
        #expect(try event(.session(.signedIn), &account) == .login)
        #expect(try event(add, &account) == .itemAdded)
        #expect(try event(.cart(.checkout), &account) == .checkoutStarted)
        let order = OrderReference(orderID: account.state.cart.checkout!.orderID)
        #expect(try event(.cart(.checkoutSucceeded(order)), &account) == .checkoutCompleted)
        #expect(try event(.cart(.checkoutSucceeded(order)), &account) == nil)
        #expect(try event(add, &account) == .itemAdded)
        #expect(try event(.cart(.clear), &account) == .itemRemoved)
        #expect(try event(.cart(.clear), &account) == nil)
    }

    @Test func `the names are those that are pinned`() {
        #expect(
            AnalyticsEvent.allCases.map(\.rawValue) == [
                "item_added", "item_removed", "checkout_started", "checkout_completed", "login", "registration", "search",
            ])
    }
}
