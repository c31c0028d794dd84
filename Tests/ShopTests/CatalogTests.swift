import JSON
import Redux
import Shop
import Testing

struct CatalogTests {
    /// The ids that a query finds in the small catalog.
    private func found(_ query: String = "", _ filter: CatalogFilter = CatalogFilter(), _ sort: SortOrder = .title) -> [String] {
        let query = CatalogQuery(query: query, filter: filter, sort: sort)
        return Catalog.small.page(of: query, limit: 10)?.products.map(\.productID) ?? []
    }

    @Test(arguments: [
        ("", ["lamp", "dune", "emma", "tea"]), ("DUNE", ["dune"]), ("emma", ["emma"]), ("ÉMMA", ["emma"]), ("herb", ["dune"]),
        ("lumen", ["lamp"]), ("books", ["dune", "emma"]), ("about", ["lamp", "dune", "emma", "tea"]), ("frank books", ["dune"]),
        ("frank home", []), ("nothing", []), ("  ", ["lamp", "dune", "emma", "tea"]), ("\u{0}", ["lamp", "dune", "emma", "tea"]),
        ("dune\u{0}x", []), ("dunefrank", []),
    ])
    func `a search finds parts of words in title, author, description and category`(query: String, ids: [String]) {
        #expect(found(query) == ids)
    }

    @Test func `filters work each and together`() {
        #expect(found("", CatalogFilter(category: "Home")) == ["lamp", "tea"])
        #expect(found("", CatalogFilter(category: "home")) == [])
        #expect(found("", CatalogFilter(minPrice: 1_299)) == ["lamp", "dune"])
        #expect(found("", CatalogFilter(maxPrice: 999)) == ["emma", "tea"])
        #expect(found("", CatalogFilter(inStockOnly: true)) == ["dune", "emma", "tea"])
        #expect(found("", CatalogFilter(minRating: 4.7)) == ["dune", "tea"])
        #expect(found("", CatalogFilter(category: "Home", maxPrice: 1_000, inStockOnly: true, minRating: 4)) == ["tea"])
        #expect(found("a", CatalogFilter(category: "Books", minPrice: 1_000)) == ["dune"])
        #expect(found("", CatalogFilter(minPrice: 2, maxPrice: 1)) == [])
    }

    @Test(arguments: [
        (SortOrder.title, ["lamp", "dune", "emma", "tea"]), (.priceAscending, ["emma", "tea", "dune", "lamp"]),
        (.priceDescending, ["lamp", "dune", "emma", "tea"]), (.newest, ["lamp", "dune", "tea", "emma"]),
        (.rating, ["dune", "tea", "emma", "lamp"]),
    ])
    func `products are in the order that is asked for, ties by id`(sort: SortOrder, ids: [String]) {
        #expect(found("", CatalogFilter(), sort) == ids)
    }

    @Test(arguments: SortOrder.allCases, [1, 7, 100])
    func `pages follow each other without gap or repeat`(sort: SortOrder, limit: Int) throws {
        let products = (0..<100).map { Product.test("p\($0)", title: "T\($0 % 7)", price: Int64($0 % 5), rating: Double($0 % 4)) }
        let catalog = try Catalog(validating: products, currency: "EUR")
        let query = CatalogQuery(filter: CatalogFilter(minPrice: 1), sort: sort)
        let whole = try #require(catalog.page(of: query, limit: 1_000)).products
        var walked: [Product] = []
        var cursor: String?
        repeat {
            let page = try #require(catalog.page(of: query, limit: limit, after: cursor))
            #expect(page.total == whole.count && page.products.count <= limit)
            walked += page.products
            cursor = page.next
        } while cursor != nil
        #expect(walked == whole && whole.count == 80)
    }

    @Test func `a cursor that names nothing is no page`() {
        #expect(Catalog.small.page(of: CatalogQuery(), limit: 1, after: "gone") == nil)
        #expect(Catalog.small.page(of: CatalogQuery(), limit: 1, after: "tea")?.products == [])
    }

    @Test(arguments: [
        ("Émile Zola", "emile zola"), ("E\u{301}mile", "emile"), ("STRASSE", "strasse"), ("Straße", "strasse"), ("Łódź", "lodz"),
        ("Søren Ærø", "soren aero"), ("Œuvre", "oeuvre"), ("İstanbul ığdır", "istanbul igdir"), ("Nguyễn", "nguyen"),
        ("Ἀθῆναι ΑΘΗΝΑΙ", "αθηναι αθηναι"), ("Ёлка й", "елка и"), ("Þór", "thor"), ("東京", "東京"),
    ])
    func `search does not tell case and accents apart`(text: String, plain: String) throws {
        let catalog = try Catalog(
            validating: [.test("x", title: text), .test("y", title: "zzz", author: "zzz")], currency: "EUR")
        for query in [text, plain, plain.uppercased()] {
            #expect(catalog.page(of: CatalogQuery(query: query), limit: 5)?.products.map(\.productID) == ["x"], "\(query)")
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the index finds what looking through every text finds`(seed: UInt64) throws {
        var random = Seeded(seed)
        func text(_ words: Int) -> String {
            (0..<words).map { _ in
                String((0..<Int.random(in: 1...5, using: &random)).map { _ in "abc".randomElement(using: &random)! })
            }
            .joined(separator: " ")
        }
        let products = (0..<60).map {
            Product.test("p\($0)", title: text(2), author: text(1), description: text(4), category: text(1))
        }
        let catalog = try Catalog(validating: products, currency: "EUR")
        for _ in 0..<100 {
            let query = text(Int.random(in: 1...2, using: &random))
            let expected = products.filter { product in
                query.split(separator: " ").allSatisfy { word in
                    [product.title, product.author, product.description, product.category].contains { $0.contains(word) }
                }
            }
            let found = catalog.page(of: CatalogQuery(query: query), limit: 100)?.products ?? []
            #expect(Set(found) == Set(expected), "seed \(seed), query \(query)")
        }
    }

    @Test func `every fault is listed with its position`() {
        let products: [Product] = [
            .test("ok"), .test("Not OK", title: " ", price: -1), .test("ok", stock: -1, rating: .nan),
            .test("dear", category: "", price: CatalogLimits.priceMax + 1),
        ]
        let faults = #expect(throws: CatalogFaults.self) { _ = try Catalog(validating: products, currency: "euro") }
        #expect(
            faults?.faults.map { "\($0.position ?? -1) \($0.member)" } == [
                "-1 currency", "1 productID", "1 title", "1 price", "2 productID", "2 stock", "2 rating", "3 category", "3 price",
            ])
        #expect(faults?.description.contains("/products/1/price (Not OK): a price is") == true)
    }

    @Test(arguments: ["", "-a", "a-", "ä", "a b", String(repeating: "a", count: PayloadLimits.productIDBytesMax + 1)])
    func `an id is of small letters, digits and inner hyphens`(id: String) {
        #expect(throws: CatalogFaults.self) { _ = try Catalog(validating: [.test(id)], currency: "EUR") }
    }

    @Test func `the length of texts and the number of products are bounded`() {
        let long = String(repeating: "a", count: CatalogLimits.descriptionBytesMax + 1)
        #expect(throws: CatalogFaults.self) { _ = try Catalog(validating: [.test("a", description: long)], currency: "EUR") }
        #expect(throws: CatalogFaults.self) { _ = try Catalog(validating: [.test("a", title: long)], currency: "EUR") }
        let many = Array(repeating: Product.test("a"), count: CatalogLimits.productsMax + 1)
        let faults = #expect(throws: CatalogFaults.self) { _ = try Catalog(validating: many, currency: "EUR") }
        #expect(faults?.faults.count == 1)
    }

    @Test func `a full cart of the dearest products still has a total`() throws {
        let products = (0..<CartLimits.linesMax).map { Product.test("p\($0)", price: CatalogLimits.priceMax) }
        var account = Account(catalog: try Catalog(validating: products, currency: "EUR"))
        for product in products { try account.add(product.productID, CartLimits.quantityMax) }
        #expect(account.state.cart.lines.total == Int64(CartLimits.linesMax * CartLimits.quantityMax) * CatalogLimits.priceMax)
    }

    @Test func `catalogs are told apart by content, not by order`() throws {
        let reversed = try Catalog(validating: Catalog.small.products.reversed(), currency: "EUR")
        #expect(reversed == .small)
        #expect(try Catalog(validating: Catalog.small.products, currency: "CHF") != .small)
    }

    @Test func `ten thousand products are searched quickly`() throws {
        let words = (0..<2_000).map { "w\($0 &* 7919 % 10_007)" }
        let products = (0..<10_000).map { index in
            let text = (0..<20).map { words[(index &* 31 &+ $0 &* 97) % words.count] }.joined(separator: " ")
            return Product.test("p\(index)", title: "Title \(index)", description: text, price: Int64(index % 500))
        }
        let catalog = try Catalog(validating: products, currency: "EUR")
        let clock = ContinuousClock()
        var found = 0
        let elapsed = clock.measure {
            for query in ["w12", "title 99", "w1 w2", "zzz"] {
                found += catalog.page(of: CatalogQuery(query: query, sort: .priceAscending), limit: 20)?.total ?? 0
            }
        }
        #expect(found > 0)
        // Unoptimised code under load needs much more than the milliseconds of a release; this bound finds a quadratic search.
        #expect(elapsed < .seconds(2))
    }
}

struct CatalogSliceTests {
    @Test func `search, filter and order are remembered, and filters cleared`() throws {
        var account = Account()
        try account.apply(.catalog(.search(SearchQuery(query: "Dune"))))
        try account.apply(.catalog(.setFilter(FilterChanges(category: .set("Books"), minPrice: .set(5)))))
        try account.apply(.catalog(.setFilter(FilterChanges(minPrice: .clear, inStockOnly: .set(true)))))
        try account.apply(.catalog(.setSort(SortChoice(by: .rating))))
        let filter = CatalogFilter(category: "Books", inStockOnly: true)
        #expect(account.state.catalog.catalogQuery == CatalogQuery(query: "Dune", filter: filter, sort: .rating))
        try account.apply(.catalog(.clearFilters))
        #expect(account.state.catalog.catalogQuery == CatalogQuery(query: "Dune", sort: .rating))
    }

    @Test func `a load drops a category that is gone, and no other`() throws {
        for (category, remains) in [("Gone", false), ("Books", true)] {
            var account = Account()
            try account.apply(.catalog(.setFilter(FilterChanges(category: .set(category)))))
            try account.apply(.catalog(.load))
            #expect(account.state.catalog.isLoading)
            try account.apply(.catalog(.loaded))
            #expect((account.state.catalog.filter.category != nil) == remains)
            #expect(account.state.catalog.loadedAt == account.now)
        }
    }

    @Test func `a load is skipped while one runs, and can fail`() throws {
        var account = Account()
        #expect(try account.apply(.catalog(.loaded)) == false)
        try account.apply(.catalog(.load))
        #expect(try account.apply(.catalog(.load)) == false)
        #expect(account.effects == [.load(.catalog)])
        try account.apply(.catalog(.loadFailed(FailureReason(reason: "No."))))
        #expect(account.state.catalog.error == "No.")
        try account.apply(.catalog(.load))
        #expect(account.state.catalog.error == nil)
    }
}
