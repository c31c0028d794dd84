import Redux
import Shop
import Testing

struct UITests {
    @Test func `tabs, sheets and the network are as they are set`() throws {
        var account = Account()
        try account.apply(.ui(.setTab(TabChoice(tab: .cart))))
        try account.apply(.ui(.showSheet(SheetChoice(sheet: .login))))
        try account.apply(.ui(.showSheet(SheetChoice(sheet: .cart))))
        try account.apply(.ui(.hideSheet(SheetChoice(sheet: .login))))
        try account.apply(.ui(.setNetworkStatus(NetworkStatus(connected: false))))
        #expect(account.state.ui.tab == .cart)
        #expect(account.state.ui.sheets.cart && !account.state.ui.sheets.login)
        #expect(!account.state.ui.isConnected)
        #expect(try account.apply(.ui(.setTab(TabChoice(tab: .cart)))) == false)
    }

    @Test func `a toast hides at a time from the stamp`() throws {
        var account = Account()
        try account.apply(.ui(.showToast(ToastRequest(message: "Hi", kind: .info, durationMs: 2_000))))
        #expect(account.state.ui.toast?.message == "Hi")
        #expect(account.state.ui.toast?.hidesAt == account.now + 2_000)
        try account.apply(.ui(.hideToast))
        #expect(account.state.ui.toast == nil)
    }

    @Test(arguments: [(1_999, false, true), (2_000, false, false), (2_000, true, true)])
    func `an expired toast is dropped by the next action, unless the clock stands behind`(
        after: Milliseconds, skewed: Bool, remains: Bool
    ) throws {
        var account = Account()
        try account.apply(.ui(.showToast(ToastRequest(message: "Hi", kind: .info, durationMs: 2_000))))
        account.now += after
        account.skewed = skewed
        try account.apply(.store(.migrated))
        #expect((account.state.ui.toast != nil) == remains)
    }

    @Test func `what happens to the cart is told`() throws {
        var account = try Account.registered()
        try account.add("dune", 2)
        #expect(account.toast == "success: Item added to cart")
        try account.set("dune", 1)
        #expect(account.toast == "success: Item added to cart")
        try account.remove("dune")
        #expect(account.toast == "info: Item removed from cart")
        try account.add("dune")
        try account.add("tea")
        try account.apply(.cart(.clear))
        #expect(account.toast == "info: Cart emptied")
    }

    @Test func `an order closes the cart's sheet`() throws {
        var account = try Account.registered(("dune", 1))
        try account.apply(.ui(.showSheet(SheetChoice(sheet: .cart))))
        try account.apply(.cart(.checkout))
        let orderID = try #require(account.state.cart.checkout?.orderID)
        try account.apply(.cart(.checkoutSucceeded(OrderReference(orderID: orderID))))
        #expect(account.toast == "success: Order placed")
        #expect(!account.state.ui.sheets.cart)
    }

    @Test func `failures are told`() throws {
        var account = try Account.registered(("dune", 1))
        try account.apply(.cart(.checkout))
        let orderID = try #require(account.state.cart.checkout?.orderID)
        try account.apply(.cart(.checkoutFailed(CheckoutFailure(orderID: orderID, reason: "Declined."))))
        #expect(account.toast == "error: Declined.")
        try account.apply(.catalog(.load))
        try account.apply(.catalog(.loadFailed(FailureReason(reason: "No catalog."))))
        #expect(account.toast == "error: No catalog.")
        try account.toggle("tea")
        try account.apply(.ui(.hideToast))
        try account.notSaved("tea", account.revision - 1)
        #expect(account.toast == "error: No.")
    }

    @Test func `what changes nothing is not told`() throws {
        var account = try Account.registered()
        try account.apply(.ui(.hideToast))
        try account.notSaved("dune", 3)
        try account.apply(.cart(.loadFailed(FailureReason(reason: "No."))))
        try account.apply(.cart(.checkoutFailed(CheckoutFailure(orderID: "x", reason: "No."))))
        #expect(account.toast == nil)
    }

    @Test func `signing in and out is told, and moves the client`() throws {
        var account = Account()
        try account.apply(.ui(.showSheet(SheetChoice(sheet: .login))))
        try account.apply(.session(.signedIn))
        #expect(account.toast == "success: Welcome back!")
        #expect(!account.state.ui.sheets.login)
        try account.apply(.ui(.setTab(TabChoice(tab: .profile))))
        try account.apply(.session(.signedOut(SignOut(clear: false))))
        #expect(account.toast == "info: Logged out")
        #expect(account.state.ui.tab == .products)
    }

    @Test func `what is left of a client is reset when the account is brought back`() throws {
        var account = Account()
        #expect(ShopModel.recovery(of: account.state) == nil)
        try account.apply(.ui(.setTab(TabChoice(tab: .cart))))
        #expect(ShopModel.recovery(of: account.state) == .store(.recovered))
        try account.apply(.store(.recovered))
        #expect(account.state.ui == UIState())
    }
}

extension Account {
    /// The toast in text.
    fileprivate var toast: String? { state.ui.toast.map { "\($0.kind.rawValue): \($0.message)" } }
}
