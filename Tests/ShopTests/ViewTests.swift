import JSON
import Redux
import Shop
import Testing

struct ViewTests {
    /// The canonical JSON of a view.
    private func view(_ name: String, of account: Account) throws -> JSONValue {
        let view = try #require(ShopModel.views.first { $0.name == name })
        return try JSONEncoding.encodeValue { try view.encode(account.state, account.environment, $0) }
    }

    private func text(_ name: String, _ pointer: String, of account: Account) throws -> String {
        let value = try #require(try JSONPointer(parsing: pointer).value(in: view(name, of: account)))
        return String(decoding: value.canonicalBytes, as: UTF8.self)
    }

    @Test func `the views are these`() {
        #expect(ShopModel.views.map(\.name) == ["productList", "cartSummary", "favorites", "profile", "orders", "ui"])
    }

    @Test func `the product list is what the account looks for`() throws {
        var account = Account()
        #expect(try text("productList", "/total", of: account) == "4")
        try account.apply(.catalog(.search(SearchQuery(query: "dune"))))
        #expect(try text("productList", "/products/0/productID", of: account) == "\"dune\"")
        #expect(try text("productList", "/total", of: account) == "1")
        try account.apply(.catalog(.search(SearchQuery(query: "nothing at all"))))
        #expect(try text("productList", "/products", of: account) == "[]")
        #expect(try text("productList", "/isLoading", of: account) == "false")
        try account.apply(.catalog(.load))
        #expect(try text("productList", "/isLoading", of: account) == "true")
    }

    @Test func `whether something can be added is the guests' policy, the session and the cart's lock`() throws {
        var account = Account()
        #expect(try text("productList", "/canAddToCart", of: account) == "true")
        account.environment.settings.guests = .browse
        #expect(try text("productList", "/canAddToCart", of: account) == "false")
        var registered = try Account.registered(("dune", 1))
        registered.environment.settings.guests = .browse
        #expect(try text("productList", "/canAddToCart", of: registered) == "true")
        try registered.apply(.cart(.checkout))
        #expect(try text("productList", "/canAddToCart", of: registered) == "false")
        try account.apply(.session(.expired))
        account.environment.settings.guests = .cart
        #expect(try text("productList", "/canAddToCart", of: account) == "false")
    }

    @Test func `the product list has a hundred products and says where the others begin`() throws {
        let account = Account(catalog: .of(150))
        #expect(try text("productList", "/total", of: account) == "150")
        guard case .array(let products) = try view("productList", of: account).member("products") else {
            return #expect(Bool(false), "no products")
        }
        #expect(products.count == 100)
        #expect(products.last?.member("productID") == (try view("productList", of: account).member("next")))
    }

    @Test func `the cart summary has lines with titles, prices and totals`() throws {
        let account = try Account.registered(("dune", 2), ("tea", 3))
        #expect(
            try text("cartSummary", "/lines/0", of: account) == """
                {"available":true,"inStock":true,"lineTotal":2598,"productID":"dune","quantity":2,"title":"Dune","unitPrice":1299}
                """)
        #expect(try text("cartSummary", "/itemCount", of: account) == "5")
        #expect(try text("cartSummary", "/total", of: account) == "\(2 * 1_299 + 3 * 999)")
        #expect(try text("cartSummary", "/currency", of: account) == "\"EUR\"")
        #expect(try text("cartSummary", "/canCheckout", of: account) == "true")
    }

    @Test func `what the catalog no longer has is marked, with its stamped title and price`() throws {
        var account = try Account.registered(("dune", 2))
        try account.toggle("dune")
        account.environment.catalog = .of(1)
        #expect(
            try text("cartSummary", "/lines/0", of: account) == """
                {"available":false,"inStock":false,"lineTotal":2598,"productID":"dune","quantity":2,"title":"Dune","unitPrice":1299}
                """)
        #expect(try text("cartSummary", "/canCheckout", of: account) == "false")
        #expect(
            try text("favorites", "/products/0", of: account)
                == #"{"available":false,"pending":true,"price":null,"productID":"dune","title":null}"#)
    }

    @Test func `the favourites have titles and say what is pending`() throws {
        var account = Account()
        try account.toggle("tea")
        try account.toggle("dune")
        try account.saved("dune", 2)
        #expect(try text("favorites", "/productIDs", of: account) == #"["dune","tea"]"#)
        #expect(
            try text("favorites", "/products/0", of: account)
                == #"{"available":true,"pending":false,"price":1299,"productID":"dune","title":"Dune"}"#)
        #expect(try text("favorites", "/products/1/pending", of: account) == "true")
    }

    @Test func `the profile has counts`() throws {
        var account = try Account.registered(("dune", 2))
        try account.toggle("tea")
        #expect(
            try text("profile", "", of: account) == """
                {"cartItemCount":2,"email":"ada@example.com","error":null,"favoriteCount":1,"isLoading":false,"isUpdating":false,\
                "kind":"registered","name":"Ada","orderCount":0,"signedIn":true,"verified":true}
                """)
    }

    @Test func `the orders come newest first`() throws {
        var account = try Account.registered()
        for productID in ["dune", "tea"] {
            try account.add(productID)
            try account.apply(.cart(.checkout))
            let orderID = try #require(account.state.cart.checkout?.orderID)
            try account.apply(.cart(.checkoutSucceeded(OrderReference(orderID: orderID))))
        }
        #expect(try text("orders", "/placed/0/lines/0/productID", of: account) == "\"tea\"")
        #expect(try text("orders", "/placed/1/total", of: account) == "1299")
    }

    @Test func `the ui is the slice`() throws {
        var account = Account()
        try account.apply(.ui(.setTab(TabChoice(tab: .profile))))
        #expect(try text("ui", "/tab", of: account) == "\"profile\"")
    }
}

struct CatalogResourceTests {
    private func answer(_ parameters: [String: String]) throws -> String {
        let resource = try #require(ShopModel.resources.first { $0.name == "catalog" })
        return try canonical(resource.answer(parameters, ShopEnvironment(catalog: .small)))
    }

    @Test func `a page has the members that are pinned`() throws {
        let page = try JSONReader.read(answer(["limit": "1"]))
        guard case .object(let members) = page else { return #expect(Bool(false), "not an object") }
        #expect(members.members.map(\.name).sorted() == ["categories", "currency", "next", "products", "total"])
        #expect(
            try canonical(Catalog.small.product("dune")!) == """
                {"author":"Frank Herbert","category":"Books","description":"About it.","price":1299,"productID":"dune",\
                "publishedAt":3,"rating":4.7,"stock":200,"title":"Dune"}
                """)
    }

    @Test func `every parameter narrows or orders`() throws {
        func ids(_ parameters: [String: String]) throws -> [String] {
            let page = try JSONReader.read(answer(parameters))
            guard case .array(let products) = page.member("products") else { return [] }
            return products.compactMap { if case .string(let id) = $0.member("productID") { id } else { nil } }
        }
        #expect(try ids([:]) == ["lamp", "dune", "emma", "tea"])
        #expect(try ids(["query": "frank"]) == ["dune"])
        #expect(try ids(["category": "Home"]) == ["lamp", "tea"])
        #expect(try ids(["minPrice": "1000", "maxPrice": "2000"]) == ["dune"])
        #expect(try ids(["inStock": "true"]) == ["dune", "emma", "tea"])
        #expect(try ids(["minRating": "4.5"]) == ["dune", "tea"])
        #expect(try ids(["sort": "newest", "limit": "2"]) == ["lamp", "dune"])
        #expect(try ids(["after": "emma"]) == ["tea"])
    }

    @Test(arguments: [
        ("limit", "0"), ("limit", "101"), ("limit", "x"), ("sort", "colour"), ("minPrice", "-1"), ("maxPrice", "1.5"),
        ("inStock", "yes"),
        ("minRating", "5.1"), ("minRating", "nan"), ("after", "gone"), ("query", String(repeating: "a", count: 201)),
        ("category", String(repeating: "a", count: 101)),
    ])
    func `a parameter that is not understood is named`(name: String, value: String) throws {
        let fault = #expect(throws: ResourceFault.self) { try answer([name: value]) }
        #expect(fault?.parameter == name)
    }
}

extension JSONValue {
    /// A member of an object.
    fileprivate func member(_ name: String) -> JSONValue? {
        if case .object(let object) = self { object[name] } else { nil }
    }
}
