import Redux
import Shop
import Testing

struct SessionTests {
    @Test func `a new account is a guest's, signed in`() {
        #expect(ShopState().session.signedIn)
        #expect(ShopState().session.kind == .guest)
    }

    @Test func `registering makes the account a registered one with a profile`() throws {
        var account = Account()
        try account.apply(.session(.registered(Registration(email: "ada@example.com", name: "Ada", verified: false))))
        #expect(account.state.session.kind == .registered)
        #expect(account.state.profile.name == "Ada")
        #expect(account.state.profile.email == "ada@example.com")
        #expect(account.state.profile.verified == false)
    }

    @Test func `registering keeps a guest's favourites and cart`() throws {
        var account = Account()
        try account.add("dune", 2)
        try account.toggle("tea")
        try account.apply(.session(.registered(Registration(email: "ada@example.com", name: "Ada", verified: true))))
        #expect(account.lines == "dune×2")
        #expect(account.state.favorites.productIDs == ["tea"])
    }

    @Test(arguments: [SessionAction.expired, .signedOut(SignOut(clear: false)), .signedOut(SignOut(clear: true))])
    func `once the last session has ended every intention is refused`(end: SessionAction) throws {
        var account = try Account.registered(("dune", 1))
        try account.apply(.session(end))
        #expect(!account.state.session.signedIn)
        let payload = ProductReference(productID: "tea")
        let intentions: [ShopAction] = [
            .favorites(.toggle(payload)), .cart(.addItem(ProductAddition(productID: "tea"))), .cart(.clear), .cart(.checkout),
            .cart(.load), .catalog(.search(SearchQuery(query: "a"))), .profile(.update(ProfileChange(name: "B"))),
            .ui(.setTab(TabChoice(tab: .cart))), .history(.undo),
        ]
        for intention in intentions { account.expectRefused(.signedOut) { try $0.apply(intention) } }
    }

    @Test func `a refusal for being signed out comes before any other`() throws {
        var account = Account()
        try account.apply(.session(.expired))
        account.expectRefused(.signedOut) { try $0.add("no-such", 0) }
    }

    @Test func `signing in again opens the account as it was`() throws {
        var account = try Account.registered(("dune", 1))
        try account.apply(.session(.signedOut(SignOut(clear: false))))
        #expect(account.state.session.ended?.wrappedValue == .loggedOut)
        try account.apply(.session(.signedIn))
        #expect(account.state.session.ended == nil)
        #expect(account.lines == "dune×1")
        try account.add("tea")
    }

    @Test func `logging out with clear takes the working data and keeps what is the account's`() throws {
        var account = try Account.registered(("dune", 1))
        try account.toggle("tea")
        try account.apply(.catalog(.search(SearchQuery(query: "x"))))
        try account.apply(.session(.signedOut(SignOut(clear: true))))
        #expect(account.state.cart.lines.isEmpty)
        #expect(account.state.catalog == CatalogState())
        #expect(account.state.history == HistoryState())
        #expect(account.state.favorites.productIDs == ["tea"])
        #expect(account.state.profile.name == "Ada")
    }

    @Test func `a payment under way becomes an order also after logging out with clear`() throws {
        var account = try Account.registered(("dune", 2))
        try account.apply(.cart(.checkout))
        let orderID = try #require(account.state.cart.checkout?.orderID)
        try account.apply(.session(.signedOut(SignOut(clear: true))))
        try account.apply(.cart(.checkoutSucceeded(OrderReference(orderID: orderID))))
        #expect(account.state.orders.placed.map(\.total) == [2 * 1_299])
        #expect(account.state.cart.status == .open)
    }

    @Test func `a favourite's outcome that comes after logging out is taken`() throws {
        var account = Account()
        try account.toggle("dune")
        try account.apply(.session(.expired))
        try account.saved("dune", 1)
        #expect(account.state.favorites.confirmed == ["dune"])
    }

    @Test(arguments: [true, false])
    func `every session event of the service has its fact`(clear: Bool) {
        let registered = SessionEvent.registered(email: "a@b.c", name: "A", verified: true)
        let events: [SessionEvent] = [registered, .signedIn, .signedOut(clear: clear), .expired]
        let expected: [ShopAction] = [
            .session(.registered(Registration(email: "a@b.c", name: "A", verified: true))), .session(.signedIn),
            .session(.signedOut(SignOut(clear: clear))), .session(.expired),
        ]
        #expect(events.map { ShopModel.fact(for: $0) } == expected)
    }

    @Test func `signing in loads the profile and the cart, once`() throws {
        var account = Account()
        let previous = account.state
        try account.apply(.session(.signedIn))
        #expect(followUps(account, previous) == [.profile(.load), .cart(.load)])
        try account.apply(.cart(.load))
        try account.apply(.profile(.load))
        #expect(followUps(account, previous) == [])
    }

    private func followUps(_ account: Account, _ previous: ShopState) -> [ShopAction] {
        let stamp = account.log[0].stamp
        return ShopModel.followUps(of: Stamped(.session(.signedIn), stamp: stamp), previous: previous, next: account.state)
    }
}

struct ProfileTests {
    @Test func `an update is in progress until its outcome`() throws {
        var account = Account()
        try account.apply(.profile(.update(ProfileChange(name: "Ada"))))
        #expect(account.state.profile.isUpdating)
        #expect(account.effects == [ShopModel.effect(updating: "Ada", of: account, at: 1)])
        try account.apply(.profile(.updateSucceeded(ProfileUpdated(name: "Ada", generation: 1))))
        #expect(!account.state.profile.isUpdating)
        #expect(account.state.profile.name == "Ada")
    }

    @Test func `another update is skipped meanwhile`() throws {
        var account = Account()
        try account.apply(.profile(.update(ProfileChange(name: "Ada"))))
        #expect(try account.apply(.profile(.update(ProfileChange(name: "Bea")))) == false)
        #expect(account.effects.count == 1)
    }

    @Test func `a failed update keeps the name and says why`() throws {
        var account = try Account.registered()
        try account.apply(.profile(.update(ProfileChange(name: "Bea"))))
        try account.apply(.profile(.updateFailed(ProfileUpdateFailure(generation: account.revision, reason: "No."))))
        #expect(account.state.profile.name == "Ada")
        #expect(account.state.profile.error == "No.")
        #expect(!account.state.profile.isUpdating)
        try account.apply(.profile(.update(ProfileChange(name: "Bea"))))
        #expect(account.state.profile.error == nil)
    }

    @Test func `an outcome of an older update changes nothing`() throws {
        var account = Account()
        try account.apply(.profile(.update(ProfileChange(name: "Ada"))))
        try account.apply(.profile(.updateFailed(ProfileUpdateFailure(generation: 1, reason: "No."))))
        try account.apply(.profile(.update(ProfileChange(name: "Bea"))))
        #expect(try account.apply(.profile(.updateSucceeded(ProfileUpdated(name: "Ada", generation: 1)))) == false)
        #expect(try account.apply(.profile(.updateFailed(ProfileUpdateFailure(generation: 1, reason: "No.")))) == false)
        #expect(account.state.profile.isUpdating)
    }

    @Test func `loading has a flag, and an end either way`() throws {
        var account = Account()
        try account.apply(.profile(.load))
        #expect(account.state.profile.isLoading)
        #expect(try account.apply(.profile(.load)) == false)
        #expect(account.effects == [.load(.profile)])
        try account.apply(.profile(.loadFailed(FailureReason(reason: "No."))))
        #expect(account.state.profile.error == "No.")
        try account.apply(.profile(.load))
        try account.apply(.profile(.loaded))
        #expect(!account.state.profile.isLoading)
        #expect(account.state.profile.error == nil)
    }
}

extension ShopModel {
    /// The effect of a profile update that was asked for at a revision.
    fileprivate static func effect(updating name: String, of account: Account, at revision: Revision) -> ShopEffect {
        .updateProfile(ProfileSave(account: account.id, name: name, generation: revision))
    }
}
