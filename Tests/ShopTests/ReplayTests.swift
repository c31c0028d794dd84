import JSON
import Redux
import Shop
import Testing

/// Folding the log gives the state, for generated lives of an account.
struct ReplayTests {
    @Test(arguments: [1, 2, 3, 20_261_130, 0xfeed_beef] as [UInt64])
    func `folding what was logged gives the same state, with facts instead of a catalog`(seed: UInt64) throws {
        let (account, refusals) = try Self.live(seed: seed, actions: 400)
        var folded = ShopModel.initialState(for: account.id)
        for action in account.log { try ShopModel.reduce(into: &folded, action: action) }
        #expect(try canonical(folded) == canonical(account.state), "seed \(seed)")
        #expect(account.log.count > 100 && refusals > 10, "seed \(seed): the life is worth folding")
    }

    @Test(arguments: [4, 5] as [UInt64])
    func `folding from text is the same as folding from memory`(seed: UInt64) throws {
        let account = try Self.live(seed: seed, actions: 200).account
        var folded = ShopModel.initialState(for: account.id)
        for logged in account.log {
            let kind = try #require(ShopAction.kinds.first { $0.name == logged.action.name })
            let payload = try JSONEncoding.encode { try logged.action.encodePayload(to: $0) }
            let action = try JSONDecoding.withDecoder(JSONReader.read(payload), unknownMembers: .refuse) { try kind.decode($0) }
            #expect(action == logged.action)
            let facts = try logged.facts.map { try reread($0) }
            try ShopModel.reduce(into: &folded, action: Stamped(action, facts: facts, stamp: logged.stamp))
            folded = try reread(folded)
        }
        #expect(folded == account.state, "seed \(seed)")
    }

    @Test(arguments: [6, 7, 8] as [UInt64])
    func `what always holds of a state holds all its life`(seed: UInt64) throws {
        var states: [ShopState] = []
        _ = try Self.live(seed: seed, actions: 400) { states.append($0) }
        for state in states {
            let cart = state.cart
            #expect(cart.lines.count <= CartLimits.linesMax, "seed \(seed)")
            #expect(cart.lines.allSatisfy { 1...CartLimits.quantityMax ~= $0.quantity }, "seed \(seed)")
            #expect(Set(cart.lines.map(\.productID)).count == cart.lines.count, "seed \(seed)")
            #expect((cart.checkout != nil) == (cart.status == .checkingOut), "seed \(seed)")
            #expect((cart.currency == nil) == cart.lines.isEmpty, "seed \(seed)")
            #expect(state.favorites.productIDs == state.favorites.productIDs.sorted(), "seed \(seed)")
            #expect(state.favorites.productIDs.count == state.favorites.count, "seed \(seed)")
            #expect(state.history.undo.count <= HistoryLimits.entriesMax, "seed \(seed)")
        }
    }

    @Test(arguments: [9, 10, 11] as [UInt64])
    func `no fact is refused, whenever it comes`(seed: UInt64) throws {
        var random = Seeded(seed)
        var account = try Self.live(seed: seed, actions: 100).account
        for _ in 0..<300 {
            let action = Self.fact(&random, account)
            #expect(throws: Never.self, "seed \(seed)") { try account.apply(action) }
        }
    }

    /// The life of an account: actions of all kinds, in an order that the seed determines, while the catalog changes now and then.
    private static func live(
        seed: UInt64, actions: Int, see: (ShopState) -> Void = { _ in }
    ) throws -> (account: Account, refusals: Int) {
        var random = Seeded(seed)
        var account = Account()
        var refusals = 0
        for _ in 0..<actions {
            account.now += Milliseconds.random(in: 0...900, using: &random)
            account.batched = Int.random(in: 0..<5, using: &random) == 0
            account.skewed = Int.random(in: 0..<20, using: &random) == 0
            if Int.random(in: 0..<40, using: &random) == 0 { account.environment.catalog = catalog(&random) }
            let isFact = Int.random(in: 0..<3, using: &random) == 0
            let action = isFact ? fact(&random, account) : intention(&random)
            do throws(Refusal) { try account.apply(action) } catch { refusals += 1 }
            see(account.state)
        }
        return (account, refusals)
    }

    private static let ids = ["dune", "emma", "lamp", "tea", "no-such"]

    private static func catalog(_ random: inout Seeded) -> Catalog {
        let products = ids.dropLast().shuffled(using: &random).dropLast().map { id in
            Product.test(id, price: .random(in: 0...5_000, using: &random), stock: .random(in: 0...150, using: &random))
        }
        return .checked(Array(products), currency: Bool.random(using: &random) ? "EUR" : "CHF")
    }

    private static func intention(_ random: inout Seeded) -> ShopAction {
        let id = ids.randomElement(using: &random)!
        let quantity = [1, 1, 2, 50, 99, 100, 0, -1].randomElement(using: &random)!
        let all: [ShopAction] = [
            .favorites(.toggle(ProductReference(productID: id))), .favorites(.toggle(ProductReference(productID: id))),
            .cart(.addItem(ProductAddition(productID: id, quantity: quantity))),
            .cart(.addItem(ProductAddition(productID: id, quantity: 1))), .cart(.removeItem(ProductReference(productID: id))),
            .cart(.setQuantity(ProductQuantity(productID: id, quantity: quantity))), .cart(.clear), .cart(.load),
            .cart(.checkout),
            .cart(.checkout), .cart(.clearError), .catalog(.load), .catalog(.search(SearchQuery(query: id))),
            .catalog(.setFilter(FilterChanges(category: .set("Things"), minPrice: .clear))), .catalog(.clearFilters),
            .catalog(.setSort(SortChoice(by: SortOrder.allCases.randomElement(using: &random)!))),
            .profile(.update(ProfileChange(name: id))), .profile(.load), .ui(.setTab(TabChoice(tab: .cart))), .ui(.hideToast),
            .history(.undo), .history(.undo), .history(.redo),
        ]
        return all.randomElement(using: &random)!
    }

    /// A fact; mostly one that is waited for.
    private static func fact(_ random: inout Seeded, _ account: Account) -> ShopAction {
        let state = account.state
        let product = state.favorites.pending.randomElement(using: &random)?.productID ?? "dune"
        let generation = state.favorites.pendingSave(of: product)?.generation ?? Revision.random(in: 1...100, using: &random)
        let orderID = state.cart.checkout?.orderID ?? "another"
        let profile = state.profile.generation ?? 1
        let reason = FailureReason(reason: "No.")
        let all: [ShopAction] = [
            .favorites(.saveSucceeded(SaveOutcome(account: account.id, productID: product, generation: generation))),
            .favorites(.saveFailed(SaveFailure(account: account.id, productID: product, generation: generation, reason: "No."))),
            .cart(.loaded), .cart(.loadFailed(reason)), .cart(.checkoutStarted(OrderReference(orderID: orderID))),
            .cart(.checkoutSucceeded(OrderReference(orderID: orderID))),
            .cart(.checkoutFailed(CheckoutFailure(orderID: orderID, reason: "No."))), .catalog(.loaded),
            .catalog(.loadFailed(reason)),
            .profile(.updateSucceeded(ProfileUpdated(name: "Ada", generation: profile))), .profile(.loaded),
            .profile(.updateFailed(ProfileUpdateFailure(generation: profile, reason: "No."))), .profile(.loadFailed(reason)),
            .session(.registered(Registration(email: "a@b.c", name: "Ada", verified: true))), .session(.signedIn),
            .session(.signedIn),
            .session(.expired), .session(.signedOut(SignOut(clear: Bool.random(using: &random)))), .store(.recovered),
            .store(.migrated),
        ]
        return all.randomElement(using: &random)!
    }
}
