import Redux
import Shop
import Testing

struct CartTests {
    @Test func `adding makes a line with today's title and price`() throws {
        var account = Account()
        try account.add("dune", 2)
        let line = CartLine(
            productID: "dune", title: "Dune", unitPrice: 1_299, quantity: 2, addedAt: account.now, lastAddedAt: account.now,
            lastAddedQuantity: 2)
        #expect(account.state.cart.lines == [line])
        #expect(account.state.cart.currency == "EUR")
        #expect(account.state.cart.updatedAt == account.now)
    }

    @Test func `adding again makes the line longer and keeps when it was first added`() throws {
        var account = Account()
        try account.add("dune", 2)
        let first = account.now
        try account.add("dune", 3)
        #expect(account.lines == "dune×5")
        #expect(account.state.cart.lines[0].addedAt == first)
        #expect(account.state.cart.lines[0].lastAddedAt == account.now)
    }

    @Test func `a sum above 99 is capped`() throws {
        var account = Account()
        try account.add("dune", 95)
        try account.add("dune", 10)
        #expect(account.lines == "dune×99")
    }

    @Test(arguments: [0, -1, 100, .max, .min])
    func `adding fewer than 1 or more than 99 is refused`(quantity: Int) {
        Account().expectRefused(.invalidQuantity) { try $0.add("dune", quantity) }
    }

    @Test func `adding 99 is accepted`() throws {
        var account = Account()
        try account.add("dune", 99)
        #expect(account.lines == "dune×99")
    }

    @Test func `adding what the catalog does not have is refused`() {
        Account().expectRefused(.productNotFound) { try $0.add("no-such") }
    }

    @Test func `adding what is sold out, or more than there is, is refused`() throws {
        var account = Account()
        account.expectRefused(.outOfStock) { try $0.add("lamp") }
        try account.add("emma", 2)
        account.expectRefused(.outOfStock) { try $0.add("emma", 2) }
        try account.add("emma", 1)
        #expect(account.lines == "emma×3")
    }

    @Test func `a fifty-first line is refused, a longer line is not`() throws {
        var account = Account(catalog: .of(CartLimits.linesMax + 1))
        for index in 0..<CartLimits.linesMax { try account.add("p\(index)") }
        account.expectRefused(.cartFull) { try $0.add("p\(CartLimits.linesMax)") }
        try account.add("p0")
        #expect(account.state.cart.lines.count == CartLimits.linesMax)
        #expect(account.state.cart.lines[0].quantity == 2)
    }

    @Test func `where guests may only browse, adding needs a log-in`() throws {
        var account = Account(settings: ShopSettings(guests: .browse))
        account.expectRefused(.requiresLogin) { try $0.add("dune") }
        account.expectRefused(.requiresLogin) { try $0.add("no-such", 0) }
        account.expectRefused(.requiresLogin) { try $0.set("dune", 1) }
        try account.apply(.session(.registered(Registration(email: "a@b.c", name: "A", verified: true))))
        try account.add("dune")
    }

    @Test func `a guest's cart from before can still be made smaller`() throws {
        var account = Account()
        try account.add("dune", 3)
        account.environment.settings.guests = .browse
        try account.set("dune", 2)
        try account.remove("dune")
        #expect(account.state.cart.lines.isEmpty)
    }

    @Test func `a total that does not fit is refused`() throws {
        let dear = Account(catalog: .of(0))
        var account = dear
        let fact = ProductFact(productID: "p", title: "P", price: .max / 2, stock: 99)
        let stamp = Stamp(revision: 1, at: 1, id: ActionID(high: 1, low: 1), account: account.id)
        let action = ShopModel.StampedAction(
            .cart(.addItem(ProductAddition(productID: "p", quantity: 3))), facts: ShopFacts(currency: "EUR", products: [fact]),
            stamp: stamp)
        let refusal = #expect(throws: Refusal.self) { try ShopModel.reduce(into: &account.state, action: action) }
        #expect(refusal?.kind == .totalOverflow)
    }

    @Test func `a cart in another currency is not mixed with today's prices`() throws {
        var account = Account()
        try account.add("dune")
        account.environment.catalog = try Catalog(validating: Catalog.small.products, currency: "CHF")
        account.expectRefused(.currencyChanged) { try $0.add("tea") }
        account.expectRefused(.currencyChanged) { try $0.set("dune", 2) }
        try account.apply(.cart(.load))
        try account.apply(.cart(.loaded))
        #expect(account.state.cart.currency == "CHF")
        try account.add("tea")
    }

    @Test func `setting a quantity`() throws {
        var account = Account()
        try account.add("dune", 2)
        #expect(try account.set("dune", 99) == true)
        #expect(account.lines == "dune×99")
        #expect(try account.set("dune", 99) == false)
    }

    @Test(arguments: [0, -5, .min])
    func `setting a quantity of 0 or less removes the line`(quantity: Int) throws {
        var account = Account()
        try account.add("dune", 2)
        try account.set("dune", quantity)
        #expect(account.state.cart.lines.isEmpty)
        #expect(account.state.cart.currency == nil)
    }

    @Test func `setting a quantity is refused above 99, above the stock, and without a line`() throws {
        var account = Account()
        try account.add("dune")
        try account.add("emma")
        account.expectRefused(.invalidQuantity) { try $0.set("dune", 100) }
        account.expectRefused(.outOfStock) { try $0.set("emma", 4) }
        account.expectRefused(.notInCart) { try $0.set("tea", 1) }
        account.expectRefused(.notInCart) { try $0.set("tea", 0) }
        account.environment.catalog = .of(1)
        account.expectRefused(.productNotFound) { try $0.set("dune", 2) }
    }

    @Test func `removing a line`() throws {
        var account = Account()
        try account.add("dune")
        try account.add("tea")
        try account.remove("dune")
        #expect(account.lines == "tea×1")
        account.expectRefused(.notInCart) { try $0.remove("dune") }
    }

    @Test func `clearing removes all lines; clearing an empty cart changes nothing`() throws {
        var account = Account()
        try account.add("dune")
        try account.add("tea")
        #expect(try account.apply(.cart(.clear)) == true)
        #expect(account.state.cart.lines.isEmpty)
        #expect(try account.apply(.cart(.clear)) == false)
    }
}

struct DoubleTapTests {
    /// Adds one `dune`, and as much as said after so many milliseconds; whether that changed anything.
    private func again(after milliseconds: Milliseconds, _ quantity: Int = 1, _ change: (inout Account) -> Void = { _ in }) throws
        -> Bool
    {
        var account = Account()
        try account.add("dune")
        account.now += milliseconds
        change(&account)
        return try account.apply(.cart(.addItem(ProductAddition(productID: "dune", quantity: quantity))))
    }

    @Test func `the same addition within 500 ms is ignored`() throws {
        #expect(try again(after: 0) == false)
        #expect(try again(after: 499) == false)
    }

    @Test func `it counts from 500 ms on`() throws {
        #expect(try again(after: 500) == true)
    }

    @Test func `another quantity counts at once`() throws {
        #expect(try again(after: 10, 2) == true)
    }

    @Test func `it counts inside a batch`() throws {
        #expect(try again(after: 0) { $0.batched = true } == true)
    }

    @Test func `it counts while the clock stands behind`() throws {
        #expect(try again(after: 0) { $0.skewed = true } == true)
    }

    @Test func `an ignored tap is never refused`() throws {
        var account = Account()
        try account.add("emma", 3)
        account.now += 10
        #expect(try account.apply(.cart(.addItem(ProductAddition(productID: "emma", quantity: 3)))) == false)
        account.now += 500
        account.expectRefused(.outOfStock) { try $0.apply(.cart(.addItem(ProductAddition(productID: "emma", quantity: 3)))) }
    }

    @Test func `another product counts at once, and so does a line that was removed in between`() throws {
        var account = Account()
        try account.add("dune")
        try account.apply(.cart(.addItem(ProductAddition(productID: "tea"))))
        try account.remove("dune")
        #expect(try account.apply(.cart(.addItem(ProductAddition(productID: "dune")))) == true)
        #expect(account.lines == "tea×1 dune×1")
    }
}

struct CartLoadingTests {
    @Test func `loading brings titles, prices and quantities up to date and drops what is gone`() throws {
        var account = Account()
        for productID in ["dune", "emma", "tea"] { try account.add(productID, 3) }
        account.environment.catalog = try Catalog(
            validating: [.test("dune", title: "Dune!", price: 1_500, stock: 2), .test("tea", price: 999, stock: 0)],
            currency: "EUR")
        try account.apply(.cart(.load))
        #expect(account.state.cart.isLoading)
        #expect(account.effects.last == .load(.cart))
        try account.apply(.cart(.loaded))
        #expect(!account.state.cart.isLoading)
        #expect(account.lines == "dune×2 tea×3")
        #expect(account.state.cart.lines[0].title == "Dune!")
        #expect(account.state.cart.lines[0].unitPrice == 1_500)
    }

    @Test func `a line added while the catalog was asked is kept`() throws {
        var account = Account()
        try account.apply(.cart(.load))
        try account.add("dune")
        try account.apply(.cart(.loaded))
        #expect(account.lines == "dune×1")
    }

    @Test func `a load is skipped while one runs, and an answer that nobody waits for changes nothing`() throws {
        var account = Account()
        #expect(try account.apply(.cart(.loaded)) == false)
        #expect(try account.apply(.cart(.loadFailed(FailureReason(reason: "No.")))) == false)
        try account.apply(.cart(.load))
        #expect(try account.apply(.cart(.load)) == false)
        #expect(account.effects.count == 1)
    }

    @Test func `a failed load says why until it is cleared or tried again`() throws {
        var account = Account()
        try account.apply(.cart(.load))
        try account.apply(.cart(.loadFailed(FailureReason(reason: "No."))))
        #expect(account.state.cart.error == CartFault(.loadFailed, "No."))
        var retried = account
        try retried.apply(.cart(.load))
        #expect(retried.state.cart.error == nil)
        try account.apply(.cart(.clearError))
        #expect(account.state.cart.error == nil)
        #expect(try account.apply(.cart(.clearError)) == false)
    }

    @Test func `a locked cart is left alone`() throws {
        var account = try Account.registered(("dune", 1))
        try account.apply(.cart(.checkout))
        try account.apply(.cart(.load))
        account.environment.catalog = .of(1)
        try account.apply(.cart(.loaded))
        #expect(account.lines == "dune×1")
    }
}
