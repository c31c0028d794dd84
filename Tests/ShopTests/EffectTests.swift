import Redux
import Shop
import Testing

struct EffectTests {
    private static let account = AccountID(rawValue: 7)!
    private static let effects: [ShopEffect] = [
        .saveFavorite(FavoriteSave(account: account, productID: "dune", favorite: true, generation: 3)),
        .pay(PaymentRequest(account: account, orderID: "o", amount: 1, currency: "EUR")),
        .updateProfile(ProfileSave(account: account, name: "Ada", generation: 4)), .load(.cart), .load(.catalog), .load(.profile),
        .remind(OrderReference(orderID: "o")),
        .notify(OrderNotification(account: account, orderID: "o", total: 1, currency: "EUR")),
    ]
    private static let successes = [
        "favorites/saveSucceeded", "cart/checkoutSucceeded", "profile/updateSucceeded", "cart/loaded", "catalog/loaded",
        "profile/loaded", "cart/checkoutOverdue", "nothing",
    ]
    private static let failures = [
        "favorites/saveFailed", "cart/checkoutFailed", "profile/updateFailed", "cart/loadFailed", "catalog/loadFailed",
        "profile/loadFailed", "nothing", "nothing",
    ]

    private func run(attempt: Int = 1, id: String = "7.1.0") -> EffectRun {
        EffectRun(id: id, account: Self.account, revision: 1, attempt: attempt)
    }

    /// The facts that all effects end in with these services.
    private func outcomes(_ services: ShopServices, attempt: Int = 1) async throws -> [String] {
        let environment = ShopEnvironment(catalog: .small, services: services)
        var names: [String] = []
        for effect in Self.effects {
            names.append(try await ShopModel.perform(effect, run: run(attempt: attempt), in: environment)?.name ?? "nothing")
        }
        return names
    }

    private func throwing(_ error: any Error) -> ShopServices {
        ShopServices(
            favorites: { _, _ in throw error }, payment: { _, _ in throw error }, profile: { _, _ in throw error },
            loading: { _, _ in throw error }, notifications: { _, _ in throw error })
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
        let outcomes = try await outcomes(services)
        #expect(outcomes.prefix(6) == Self.failures.prefix(6))
    }

    @Test func `where there is no answer another attempt is asked for, however many there were`() async {
        let services = throwing(ServiceUnavailable("Away.", retryAfter: 5_000))
        for attempt in [1, 100] {
            await #expect(throws: ServiceUnavailable("Away.", retryAfter: 5_000)) {
                try await outcomes(services, attempt: attempt)
            }
        }
    }

    @Test func `a run that is cancelled has not failed`() async {
        await #expect(throws: CancellationError.self) { try await outcomes(throwing(CancellationError()), attempt: 3) }
    }

    @Test func `what is given up is reported, but a payment only where a person says that it was not made`() {
        let exhausted = Self.effects.map { ShopModel.failure(of: $0, end: .exhausted(lastReason: "Away."))?.name ?? "nothing" }
        #expect(exhausted == Self.failures.map { $0 == "cart/checkoutFailed" ? "nothing" : $0 })
        #expect(Self.effects.map { ShopModel.failure(of: $0, end: .dropped)?.name ?? "nothing" } == Self.failures)
    }

    @Test func `a notification that is refused is left for a person`() async {
        var services = ShopServices.simulated()
        services.notifications = { _, _ in .refused("No.") }
        let environment = ShopEnvironment(catalog: .small, services: services)
        await #expect(throws: EffectRefusal("No.")) {
            try await ShopModel.perform(Self.effects[7], run: run(), in: environment)
        }
    }

    @Test(arguments: [SessionAction.signedOut(SignOut(clear: false)), .signedOut(SignOut(clear: true)), .expired])
    func `loads are called off when the last session ends, and nothing else is`(_ end: SessionAction) throws {
        var account = try Account.registered(("dune", 1))
        try account.apply(.profile(.load))
        try account.apply(.cart(.load))
        try account.apply(.catalog(.load))
        try account.toggle("tea")
        try account.apply(.cart(.checkout))
        try account.apply(.profile(.update(ProfileChange(name: "Bea"))))
        #expect(account.cancellations.isEmpty)
        try account.apply(.session(end))
        #expect(account.cancellations == [.key("load.cart"), .key("load.catalog"), .key("load.profile")])
        let ended = try #require(account.log.last)
        let followUps = ShopModel.followUps(of: ended, previous: ShopState(), next: account.state)
        #expect(followUps.map(\.name) == ["cart/loadFailed", "catalog/loadFailed", "profile/loadFailed"])
        for followUp in followUps { try account.apply(followUp) }
        #expect(!account.state.cart.isLoading && !account.state.catalog.isLoading && !account.state.profile.isLoading)
        #expect(
            account.state.cart.checkout != nil && account.state.profile.isUpdating && !account.state.favorites.pending.isEmpty)
        // Asked for again by the next who signs in.
        try account.apply(.session(.signedIn))
        #expect(account.effects.count == 7)
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
