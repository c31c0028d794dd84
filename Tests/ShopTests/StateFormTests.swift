import JSON
import Redux
import Shop
import Testing

/// The wire form of state and actions.
struct StateFormTests {
    @Test func `a new account's state is this very text`() throws {
        #expect(
            try canonical(ShopModel.initialState(for: AccountID(rawValue: 1)!)) == """
                {"cart":{"checkout":null,"currency":null,"error":null,"isLoading":false,"lines":[],"status":"open","updatedAt":null},\
                "catalog":{"error":null,"filter":{"category":null,"inStockOnly":false,"maxPrice":null,"minPrice":null,"minRating":null},\
                "isLoading":false,"loadedAt":null,"query":"","sort":"title"},\
                "favorites":{"confirmed":[],"error":null,"pending":[],"productIDs":[]},\
                "history":{"redo":[],"undo":[]},"orders":{"older":0,"placed":[]},\
                "profile":{"email":null,"error":null,"generation":null,"isLoading":false,"isUpdating":false,"name":null,\
                "updatedAt":null,"verified":false},\
                "session":{"ended":null,"kind":"guest","signedIn":true,"signedInAt":null},\
                "ui":{"isConnected":true,"sheets":{"cart":false,"login":false},"tab":"products","toast":null}}
                """)
    }

    @Test func `the slices are the members of the state`() throws {
        let state = try JSONReader.read(JSONEncoding.encode(ShopState()))
        guard case .object(let members) = state else { return #expect(Bool(false), "not an object") }
        #expect(members.members.map(\.name).sorted() == ShopModel.slices.map(\.name).sorted())
    }

    @Test func `a state with something in every slice reads back as itself`() throws {
        var account = try Account.registered(("dune", 2), ("emma", 1))
        try account.toggle("tea")
        try account.toggle("dune")
        try account.notSaved("dune", account.revision)
        try account.apply(.catalog(.setFilter(FilterChanges(category: .set("Books"), minRating: .set(4.25)))))
        try account.apply(.profile(.update(ProfileChange(name: "Ada L."))))
        try account.apply(.history(.undo))
        try account.apply(.cart(.checkout))
        #expect(try reread(account.state) == account.state)
        try account.apply(.cart(.checkoutSucceeded(OrderReference(orderID: account.state.cart.checkout!.orderID))))
        #expect(try reread(account.state) == account.state)
        try account.apply(.session(.expired))
        #expect(try reread(account.state) == account.state)
    }

    @Test func `stored cases that are no longer known fall back`() throws {
        let text = try canonical(ShopState())
            .replacing("\"sort\":\"title\"", with: "\"sort\":\"oldest\"")
            .replacing("\"tab\":\"products\"", with: "\"tab\":\"map\"")
            .replacing("\"status\":\"open\"", with: "\"status\":\"frozen\"")
            .replacing("\"kind\":\"guest\"", with: "\"kind\":\"admin\"")
        let state = try JSONDecoding.decode(ShopState.self, from: JSONReader.read(text), unknownMembers: .refuse)
        #expect(state == ShopState())
    }

    @Test(arguments: ShopAction.kinds.map(\.name))
    func `an example of each kind reads as an action of that name, and is written as it was`(name: String) throws {
        let kind = try #require(ShopAction.kinds.first { $0.name == name })
        let example = try kind.example.map { try JSONEncoding.encode($0) } ?? Array("{}".utf8)
        let action = try JSONDecoding.withDecoder(JSONReader.read(example), unknownMembers: .refuse) { try kind.decode($0) }
        #expect(action.name == name)
        #expect(action.origin == kind.origin)
        #expect(try JSONEncoding.encode { try action.encodePayload(to: $0) } == example)
    }

    @Test func `names are unique, and every refusal has its own slug`() {
        #expect(Set(ShopAction.kinds.map(\.name)).count == ShopAction.kinds.count)
        #expect(Set(ShopModel.refusals.map(\.slug)).count == ShopModel.refusals.count)
        #expect(ShopModel.refusals.allSatisfy { $0.status == ($0 == .invalidAccount ? 400 : 409) })
    }

    @Test func `an addition without a quantity adds one`() throws {
        #expect(
            try decode("cart/addItem", #"{"productID":"dune"}"#)
                == .cart(.addItem(ProductAddition(productID: "dune", quantity: 1))))
    }

    @Test func `a filter's member is kept, taken away or set`() throws {
        let changes = FilterChanges(category: .clear, maxPrice: .set(5))
        #expect(try decode("catalog/setFilter", #"{"category":null,"maxPrice":5}"#) == .catalog(.setFilter(changes)))
        #expect(try canonical(changes) == #"{"category":null,"maxPrice":5}"#)
    }

    @Test(arguments: [
        ("cart/addItem", #"{"productID":"dune","quantity":1.5}"#), ("cart/addItem", #"{"quantity":1}"#),
        ("cart/addItem", #"{"productID":"dune","price":1}"#), ("cart/clear", #"{"all":true}"#),
        ("catalog/setSort", #"{"by":"colour"}"#), ("catalog/setFilter", #"{"minPrice":-1}"#),
        ("catalog/setFilter", #"{"minRating":5.5}"#), ("profile/update", #"{"name":" "}"#),
        ("ui/setTab", #"{"tab":"map"}"#), ("ui/showToast", #"{"message":"x","kind":"info","durationMs":0}"#),
        ("ui/showToast", #"{"message":"x","kind":"info","durationMs":60001}"#), ("ui/showSheet", #"{"sheet":"map"}"#),
        ("catalog/search", "{\"query\":\"\(String(repeating: "a", count: PayloadLimits.queryBytesMax + 1))\"}"),
        ("profile/update", "{\"name\":\"\(String(repeating: "a", count: PayloadLimits.nameBytesMax + 1))\"}"),
        (
            "ui/showToast",
            "{\"message\":\"\(String(repeating: "a", count: PayloadLimits.messageBytesMax + 1))\",\"kind\":\"info\",\"durationMs\":1}"
        ),
        ("catalog/setFilter", "{\"category\":\"\(String(repeating: "a", count: PayloadLimits.categoryBytesMax + 1))\"}"),
    ])
    func `a payload outside its bounds is not understood`(name: String, payload: String) {
        #expect(throws: (any Error).self) { try decode(name, payload) }
    }

    @Test func `a payload at its bounds is understood`() throws {
        let longest = String(repeating: "a", count: PayloadLimits.queryBytesMax)
        #expect(try decode("catalog/search", "{\"query\":\"\(longest)\"}") == .catalog(.search(SearchQuery(query: longest))))
        _ = try decode("ui/showToast", #"{"message":"x","kind":"error","durationMs":60000}"#)
    }

    private func decode(_ name: String, _ payload: String) throws -> ShopAction {
        let kind = try #require(ShopAction.kinds.first { $0.name == name })
        return try JSONDecoding.withDecoder(JSONReader.read(payload), unknownMembers: .refuse) { try kind.decode($0) }
    }
}
