import JSON
import Redux
import Shop
import Testing

/// An account of the shop in a test: applies actions as a store would, with stamps that the test sets.
struct Account {
    var state = ShopState()
    var revision: Revision = 0
    /// The time of the next stamp.
    var now: Milliseconds = 1_000_000
    var skewed = false
    var batched = false
    var environment: ShopEnvironment
    let id: AccountID
    /// The effects asked for, in order.
    private(set) var effects: [ShopEffect] = []
    /// The keys of those effects.
    private(set) var effectKeys: [String?] = []
    /// The effects called off, in order.
    private(set) var cancellations: [EffectCancellation] = []
    /// What was applied, as it would be logged.
    private(set) var log: [ShopModel.StampedAction] = []

    init(id: Int64 = 7, catalog: Catalog = .small, settings: ShopSettings = ShopSettings()) {
        self.id = AccountID(rawValue: id)!
        environment = ShopEnvironment(catalog: catalog, settings: settings)
    }

    /// A registered account with these lines in its cart.
    static func registered(_ lines: (String, Int)...) throws -> Account {
        var account = Account()
        try account.apply(.session(.registered(Registration(email: "ada@example.com", name: "Ada", verified: true))))
        for (productID, quantity) in lines { try account.add(productID, quantity) }
        return account
    }

    /// Applies an action; returns whether it changed anything. A refusal leaves everything as it was.
    @discardableResult
    mutating func apply(_ action: ShopAction) throws(Refusal) -> Bool {
        let stamp = Stamp(
            revision: revision + 1, at: now, id: ActionID(high: 0x0192_f0c1_2b3c_7d4e, low: UInt64(revision + 1)), account: id,
            skewed: skewed, batched: batched)
        let facts = ShopModel.facts(for: action, state: state, in: environment)
        let stamped = Stamped(action, facts: facts, stamp: stamp)
        let previous = state
        var next = state
        try ShopModel.reduce(into: &next, action: stamped)
        state = next
        revision += 1
        log.append(stamped)
        let requests = ShopModel.effects(of: stamped, previous: previous, next: next)
        effects += requests.map(\.effect)
        effectKeys += requests.map(\.key)
        cancellations += ShopModel.cancellations(of: stamped, previous: previous, next: next)
        return next != previous
    }

    /// Adds to the cart, long after the last action.
    @discardableResult
    mutating func add(_ productID: String, _ quantity: Int = 1) throws(Refusal) -> Bool {
        now += 10_000
        return try apply(.cart(.addItem(ProductAddition(productID: productID, quantity: quantity))))
    }

    @discardableResult
    mutating func set(_ productID: String, _ quantity: Int) throws(Refusal) -> Bool {
        try apply(.cart(.setQuantity(ProductQuantity(productID: productID, quantity: quantity))))
    }

    @discardableResult
    mutating func remove(_ productID: String) throws(Refusal) -> Bool {
        try apply(.cart(.removeItem(ProductReference(productID: productID))))
    }

    @discardableResult
    mutating func toggle(_ productID: String) throws(Refusal) -> Bool {
        try apply(.favorites(.toggle(ProductReference(productID: productID))))
    }

    /// Reports the save of a favourite.
    @discardableResult
    mutating func saved(_ productID: String, _ generation: Revision) throws(Refusal) -> Bool {
        try apply(.favorites(.saveSucceeded(SaveOutcome(account: id, productID: productID, generation: generation))))
    }

    /// Reports that a favourite was not saved.
    @discardableResult
    mutating func notSaved(_ productID: String, _ generation: Revision) throws(Refusal) -> Bool {
        try apply(.favorites(.saveFailed(SaveFailure(account: id, productID: productID, generation: generation, reason: "No."))))
    }

    /// Checks that an action is refused in this way, and that nothing changed.
    func expectRefused(
        _ kind: RefusalKind, at location: SourceLocation = #_sourceLocation, _ body: (inout Account) throws -> Void
    ) {
        var copy = self
        let refusal = #expect(throws: Refusal.self, sourceLocation: location) { try body(&copy) }
        #expect(refusal?.kind == kind, sourceLocation: location)
        #expect(copy.state == state, sourceLocation: location)
    }

    /// The lines as `(id, quantity)` in text, for comparing at a glance.
    var lines: String { state.cart.lines.map { "\($0.productID)×\($0.quantity)" }.joined(separator: " ") }
}

extension Catalog {
    /// Four products: plenty, few, none, and one with an accent.
    static let small = checked(
        [
            .test(
                "dune", title: "Dune", author: "Frank Herbert", category: "Books", price: 1_299, stock: 200, rating: 4.7, at: 3),
            .test("emma", title: "Émma", author: "Jane Austen", category: "Books", price: 999, stock: 3, rating: 4.1, at: 1),
            .test("lamp", title: "A lamp", author: "Łumen", category: "Home", price: 8_900, stock: 0, rating: 3.9, at: 4),
            .test("tea", title: "tea", author: "House", category: "Home", price: 999, stock: 500, rating: 4.7, at: 2),
        ])

    /// `count` products `p0`…, of 1.00 each, with 200 in stock.
    static func of(_ count: Int) -> Catalog {
        checked((0..<count).map { .test("p\($0)", title: "Product \($0)") })
    }

    /// A catalog of products that a test knows to be in order.
    static func checked(_ products: [Product], currency: String = "EUR") -> Catalog {
        do { return try Catalog(validating: products, currency: currency) } catch { preconditionFailure("\(error)") }
    }
}

extension Product {
    static func test(
        _ productID: String, title: String = "Title", author: String = "Author", description: String = "About it.",
        category: String = "Things", price: Int64 = 100, stock: Int = 200, rating: Double = 4, at: Milliseconds = 0
    ) -> Product {
        Product(
            productID: productID, title: title, author: author, description: description, category: category, price: price,
            stock: stock, rating: rating, publishedAt: at)
    }
}

/// The canonical JSON of a value, as text.
func canonical(_ value: any Encodable) throws -> String {
    String(decoding: try JSONEncoding.encode(value), as: UTF8.self)
}

/// A value read back from its JSON; members that it does not know are refused.
func reread<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoding.decode(Value.self, from: JSONReader.read(JSONEncoding.encode(value)), unknownMembers: .refuse)
}

/// A source of random numbers that a seed determines (SplitMix64).
struct Seeded: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
