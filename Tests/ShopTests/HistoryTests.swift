import Redux
import Shop
import Testing

struct HistoryTests {
    @Test func `there is nothing to undo or redo at first`() {
        Account().expectRefused(.nothingToUndo) { try $0.apply(.history(.undo)) }
        Account().expectRefused(.nothingToRedo) { try $0.apply(.history(.redo)) }
    }

    @Test func `each change of the cart is taken back and brought back`() throws {
        var account = Account()
        var states = [account.state.cart.lines]
        let changes: [(inout Account) throws -> Void] = [
            { try $0.add("dune", 2) }, { try $0.add("tea") }, { try $0.add("dune", 3) }, { try $0.set("tea", 7) },
            { try $0.remove("dune") }, { try $0.add("emma") }, { try $0.apply(.cart(.clear)) },
        ]
        for change in changes {
            try change(&account)
            states.append(account.state.cart.lines)
        }
        for lines in states.dropLast().reversed() {
            try account.apply(.history(.undo))
            #expect(account.state.cart.lines == lines)
        }
        for lines in states.dropFirst() {
            try account.apply(.history(.redo))
            #expect(account.state.cart.lines == lines)
        }
    }

    @Test func `from any cart to any other, and back again`() throws {
        // Every order of every part of four products; the quantities tell what was put from what was there.
        var carts: [[String]] = [[]]
        for length in 0..<4 {
            for cart in carts where cart.count == length {
                carts += ["p0", "p1", "p2", "p3"].filter { !cart.contains($0) }.map { cart + [$0] }
            }
        }
        #expect(carts.count == 65)
        func account(_ cart: [String], seed: Int) throws -> Account {
            var account = Account(catalog: .of(4))
            for (index, product) in cart.enumerated() { try account.add(product, 1 + (index + seed) % 2) }
            return account
        }
        for from in carts {
            for (seed, to) in carts.enumerated() {
                var present = try account(from, seed: 0)
                let lines = present.state.cart.lines
                let past = try account(to, seed: seed).state
                try present.apply(try #require(ShopModel.restoration(of: past, at: 1)))
                #expect(present.state.cart.lines == past.cart.lines, "from \(from) to \(to)")
                guard lines != past.cart.lines else { continue }
                try present.apply(.history(.undo))
                #expect(present.state.cart.lines == lines, "from \(to) back to \(from)")
            }
        }
    }

    @Test func `a cart that is put back has its currency again`() throws {
        var account = Account()
        try account.add("dune")
        try account.apply(.cart(.clear))
        try account.apply(.history(.undo))
        #expect(account.state.cart.currency == "EUR")
        try account.apply(.history(.redo))
        #expect(account.state.cart.currency == nil)
    }

    @Test func `taking a favourite back is saved like a toggle`() throws {
        var account = Account()
        try account.toggle("dune")
        try account.apply(.history(.undo))
        #expect(account.state.favorites.productIDs == [])
        let save = FavoriteSave(account: account.id, productID: "dune", favorite: false, generation: 2)
        #expect(account.effects.last == .saveFavorite(save))
        #expect(account.effects.count == 2)
    }

    @Test func `what a failed save took back already is not taken back again`() throws {
        var account = Account()
        try account.toggle("dune")
        try account.notSaved("dune", 1)
        try account.apply(.history(.undo))
        #expect(account.state.favorites.productIDs == [])
        #expect(account.effects.count == 1)
    }

    @Test func `words, filter and order are taken back together`() throws {
        var account = Account()
        try account.apply(.catalog(.search(SearchQuery(query: "dune"))))
        try account.apply(.catalog(.setFilter(FilterChanges(category: .set("Books")))))
        try account.apply(.catalog(.setSort(SortChoice(by: .newest))))
        try account.apply(.history(.undo))
        try account.apply(.history(.undo))
        #expect(account.state.catalog.catalogQuery == CatalogQuery(query: "dune"))
    }

    @Test func `a new change forgets what was taken back`() throws {
        var account = Account()
        try account.add("dune")
        try account.apply(.history(.undo))
        try account.add("tea")
        account.expectRefused(.nothingToRedo) { try $0.apply(.history(.redo)) }
    }

    @Test func `what changes nothing is not recorded`() throws {
        var account = Account()
        try account.apply(.cart(.clear))
        try account.apply(.catalog(.clearFilters))
        try account.apply(.ui(.setTab(TabChoice(tab: .cart))))
        #expect(account.state.history.undo.isEmpty)
    }

    @Test func `the last twenty changes are kept`() throws {
        var account = Account()
        for quantity in 1...(HistoryLimits.entriesMax + 1) {
            if quantity == 1 { try account.add("dune") } else { try account.set("dune", quantity) }
        }
        #expect(account.state.history.undo.count == HistoryLimits.entriesMax)
        for _ in 0..<HistoryLimits.entriesMax { try account.apply(.history(.undo)) }
        #expect(account.lines == "dune×1")
        account.expectRefused(.nothingToUndo) { try $0.apply(.history(.undo)) }
    }

    @Test func `a placed order forgets the cart's changes and keeps the others`() throws {
        var account = try Account.registered(("dune", 1))
        try account.toggle("tea")
        try account.apply(.cart(.checkout))
        let orderID = try #require(account.state.cart.checkout?.orderID)
        try account.apply(.cart(.checkoutSucceeded(OrderReference(orderID: orderID))))
        #expect(account.state.history.undo.map(\.action) == ["favorites/toggle"])
    }

    @Test func `a cart is not put together in two currencies`() throws {
        var account = Account()
        try account.add("dune")
        try account.remove("dune")
        account.environment.catalog = try Catalog(validating: Catalog.small.products, currency: "CHF")
        try account.add("tea")
        try account.apply(.history(.undo))
        try account.apply(.history(.undo))
        #expect(account.state.cart.currency == "EUR")
        try account.remove("dune")
        try account.add("tea")
        let past = try #require(ShopModel.restoration(of: try stateWithDune(), at: 1))
        try account.apply(past)
        #expect(account.lines == "dune×1")
        #expect(account.state.cart.currency == "EUR")
    }

    private func stateWithDune() throws -> ShopState {
        var account = Account()
        try account.add("dune")
        return account.state
    }

    @Test func `a restoration sets lines, favourites and criteria, keeps the rest, and can be taken back`() throws {
        var past = Account()
        try past.add("emma", 2)
        try past.toggle("dune")
        try past.apply(.catalog(.search(SearchQuery(query: "old"))))
        var account = try Account.registered(("dune", 1))
        try account.toggle("tea")
        let present = account.state
        try account.apply(try #require(ShopModel.restoration(of: past.state, at: 3)))
        #expect(account.lines == "emma×2")
        #expect(account.state.favorites.productIDs == ["dune"])
        #expect(account.state.catalog.query == "old")
        #expect(account.state.profile == present.profile)
        #expect(account.state.session == present.session)
        try account.apply(.history(.undo))
        #expect(account.state.cart.lines == present.cart.lines)
        #expect(account.state.favorites.productIDs == ["tea"])
        #expect(account.state.catalog.query == "")
    }

    @Test func `nothing is restored during a checkout`() throws {
        var account = try Account.registered(("dune", 1))
        try account.apply(.cart(.checkout))
        let restoration = try #require(ShopModel.restoration(of: ShopState(), at: 0))
        account.expectRefused(.checkoutInProgress) { try $0.apply(restoration) }
    }

    @Test func `a copy of an account waits for nothing`() throws {
        var account = try Account.registered(("dune", 1))
        try account.toggle("tea")
        try account.apply(.cart(.load))
        try account.apply(.profile(.update(ProfileChange(name: "Bea"))))
        try account.apply(.cart(.checkout))
        var copy = account
        copy.state = ShopModel.sandbox(of: account.state)
        try copy.apply(.cart(.checkout))
        #expect(copy.effects.count == account.effects.count + 2)
        #expect(try copy.apply(.profile(.update(ProfileChange(name: "Bea")))) == true)
        #expect(copy.state.favorites.pending == [])
        try account.apply(.session(.signedOut(SignOut(clear: false))))
        #expect(ShopModel.sandbox(of: account.state).session.signedIn)
    }
}
