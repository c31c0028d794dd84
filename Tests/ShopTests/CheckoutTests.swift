import Redux
import Shop
import Testing

struct CheckoutTests {
    /// A registered account whose checkout is under way, and the id of its order.
    private func checkingOut() throws -> (Account, String) {
        var account = try Account.registered(("dune", 2), ("tea", 1))
        try account.apply(.cart(.checkout))
        return (account, try #require(account.state.cart.checkout?.orderID))
    }

    @Test func `a checkout locks the cart and asks for the payment`() throws {
        let (account, orderID) = try checkingOut()
        #expect(account.state.cart.status == .checkingOut)
        #expect(account.lines == "dune×2 tea×1")
        let payment = PaymentRequest(account: account.id, orderID: orderID, amount: 2 * 1_299 + 999, currency: "EUR")
        #expect(account.effects == [.pay(payment), .remind(OrderReference(orderID: orderID))])
        #expect(account.effectKeys == [nil, "checkout.overdue"])
    }

    @Test func `the order's id is that of the action`() throws {
        let (_, orderID) = try checkingOut()
        #expect(orderID == "0192f0c1-2b3c-7d4e-0000-000000000004")
    }

    @Test func `a checkout is started by a follow-up`() throws {
        var (account, orderID) = try checkingOut()
        let action = try #require(account.log.last)
        let started = ShopAction.cart(.checkoutStarted(OrderReference(orderID: orderID)))
        #expect(ShopModel.followUps(of: action, previous: ShopState(), next: account.state) == [started])
        account.now += 5
        try account.apply(started)
        #expect(account.state.cart.checkout?.startedAt == account.now)
        #expect(try account.apply(started) == false)
    }

    @Test func `the cart is locked while it runs`() throws {
        let (account, _) = try checkingOut()
        account.expectRefused(.checkoutInProgress) { try $0.add("dune") }
        account.expectRefused(.checkoutInProgress) { try $0.add("no-such", 0) }
        account.expectRefused(.checkoutInProgress) { try $0.set("dune", 1) }
        account.expectRefused(.checkoutInProgress) { try $0.set("dune", 0) }
        account.expectRefused(.checkoutInProgress) { try $0.remove("no-such") }
        account.expectRefused(.checkoutInProgress) { try $0.apply(.cart(.clear)) }
        account.expectRefused(.checkoutInProgress) { try $0.apply(.cart(.checkout)) }
        account.expectRefused(.checkoutInProgress) { try $0.apply(.history(.undo)) }
    }

    @Test func `success empties the cart and places the order`() throws {
        var (account, orderID) = try checkingOut()
        account.now += 300
        try account.apply(.cart(.checkoutSucceeded(OrderReference(orderID: orderID))))
        #expect(account.state.cart.lines.isEmpty)
        #expect(account.state.cart.status == .open)
        #expect(account.state.cart.checkout == nil)
        let order = try #require(account.state.orders.placed.first)
        #expect(order.orderID == orderID)
        #expect(order.lines.map(\.productID) == ["dune", "tea"])
        #expect(order.lines.map(\.quantity) == [2, 1])
        #expect(order.total == 2 * 1_299 + 999)
        #expect(order.at == account.now)
    }

    @Test func `failure keeps the cart, unlocks it and says why`() throws {
        var (account, orderID) = try checkingOut()
        try account.apply(.cart(.checkoutFailed(CheckoutFailure(orderID: orderID, reason: "Declined."))))
        #expect(account.lines == "dune×2 tea×1")
        #expect(account.state.cart.status == .open)
        #expect(account.state.cart.error == CartFault(.checkoutFailed, "Declined."))
        #expect(account.state.orders.placed.isEmpty)
    }

    @Test func `a payment that takes long is said to, once, and the cart stays locked`() throws {
        var (account, orderID) = try checkingOut()
        #expect(try account.apply(.cart(.checkoutOverdue(OrderReference(orderID: "another")))) == false)
        try account.apply(.cart(.checkoutOverdue(OrderReference(orderID: orderID))))
        #expect(account.state.cart.status == .checkingOut)
        #expect(account.state.cart.error?.kind == .checkoutOverdue)
        account.expectRefused(.checkoutInProgress) { try $0.apply(.cart(.checkout)) }
        try account.apply(.cart(.checkoutSucceeded(OrderReference(orderID: orderID))))
        #expect(account.state.cart.error == nil)
        #expect(account.state.orders.placed.count == 1)
        #expect(try account.apply(.cart(.checkoutOverdue(OrderReference(orderID: orderID)))) == false)
    }

    @Test func `an order that was placed is notified of, one that was not is not`() throws {
        var (account, orderID) = try checkingOut()
        try account.apply(.cart(.checkoutFailed(CheckoutFailure(orderID: orderID, reason: "Declined."))))
        let asked = account.effects.count
        try account.apply(.cart(.checkout))
        let order = try #require(account.state.cart.checkout)
        try account.apply(.cart(.checkoutSucceeded(OrderReference(orderID: order.orderID))))
        let notification = OrderNotification(
            account: account.id, orderID: order.orderID, total: 2 * 1_299 + 999, currency: "EUR")
        #expect(account.effects.dropFirst(asked + 2) == [.notify(notification)])
        #expect(account.cancellations == [.key("checkout.overdue"), .key("checkout.overdue")])
    }

    @Test func `another try forgets the fault and has an order of its own`() throws {
        var (account, orderID) = try checkingOut()
        try account.apply(.cart(.checkoutFailed(CheckoutFailure(orderID: orderID, reason: "Declined."))))
        try account.apply(.cart(.checkout))
        #expect(account.state.cart.error == nil)
        #expect(account.state.cart.checkout?.orderID != orderID)
    }

    @Test func `an outcome acts once, and only on its own order`() throws {
        var (account, orderID) = try checkingOut()
        let other = OrderReference(orderID: "another")
        #expect(try account.apply(.cart(.checkoutStarted(other))) == false)
        #expect(try account.apply(.cart(.checkoutSucceeded(other))) == false)
        #expect(try account.apply(.cart(.checkoutFailed(CheckoutFailure(orderID: "another", reason: "No.")))) == false)
        try account.apply(.cart(.checkoutSucceeded(OrderReference(orderID: orderID))))
        #expect(try account.apply(.cart(.checkoutSucceeded(OrderReference(orderID: orderID)))) == false)
        #expect(try account.apply(.cart(.checkoutFailed(CheckoutFailure(orderID: orderID, reason: "No.")))) == false)
        #expect(account.state.orders.placed.count == 1)
    }

    @Test func `a guest has to log in first, whatever is in the cart`() throws {
        var account = Account()
        account.expectRefused(.requiresLogin) { try $0.apply(.cart(.checkout)) }
        try account.add("dune")
        account.expectRefused(.requiresLogin) { try $0.apply(.cart(.checkout)) }
    }

    @Test func `an empty cart is not checked out`() throws {
        try Account.registered().expectRefused(.cartEmpty) { try $0.apply(.cart(.checkout)) }
    }

    @Test func `what is gone or sold out is not checked out`() throws {
        var account = try Account.registered(("dune", 2), ("tea", 1))
        account.environment.catalog = try Catalog(validating: [.test("dune", stock: 1), .test("tea")], currency: "EUR")
        account.expectRefused(.outOfStock) { try $0.apply(.cart(.checkout)) }
        account.environment.catalog = try Catalog(validating: [.test("dune", stock: 1)], currency: "EUR")
        account.expectRefused(.productNotFound) { try $0.apply(.cart(.checkout)) }
    }

    @Test func `a cart in another currency is not checked out`() throws {
        var account = try Account.registered(("dune", 2))
        account.environment.catalog = try Catalog(validating: Catalog.small.products, currency: "CHF")
        account.expectRefused(.currencyChanged) { try $0.apply(.cart(.checkout)) }
    }

    @Test func `what is paid is what the cart shows`() throws {
        var account = try Account.registered(("dune", 1))
        account.environment.catalog = try Catalog(validating: [.test("dune", price: 9_999)], currency: "EUR")
        try account.apply(.cart(.checkout))
        #expect(account.state.cart.checkout?.total == 1_299)
    }

    @Test func `the newest orders are kept, the older ones counted`() throws {
        var account = try Account.registered()
        for _ in 0..<(OrdersLimits.ordersMax + 2) {
            try account.add("dune")
            try account.apply(.cart(.checkout))
            let orderID = try #require(account.state.cart.checkout?.orderID)
            try account.apply(.cart(.checkoutSucceeded(OrderReference(orderID: orderID))))
        }
        #expect(account.state.orders.placed.count == OrdersLimits.ordersMax)
        #expect(account.state.orders.older == 2)
    }
}
