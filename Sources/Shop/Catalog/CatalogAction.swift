import Redux

/// What to search for: `{"query": "dune"}`.
public struct SearchQuery: Codable, Hashable, Sendable {
    /// Words to be found, at most 200 bytes; empty finds all.
    public var query: String

    /// Asks for words.
    public init(query: String) {
        self.query = query
    }

    /// Reads the payload and checks its bounds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        query = try container.decodeText(forKey: .query, bytesMax: PayloadLimits.queryBytesMax)
    }
}

/// How one member of a filter is to change.
public enum FilterChange<Value: Codable & Hashable & Sendable>: Hashable, Sendable {
    /// The member is not given: it stays as it is.
    case keep
    /// The member is `null`: it no longer narrows.
    case clear
    /// The member has a value.
    case set(Value)

    /// The value after the change.
    func applied(to value: Value?) -> Value? {
        switch self {
        case .keep: value
        case .clear: nil
        case .set(let value): value
        }
    }
}

/// A change of the filter: any of `{"category", "minPrice", "maxPrice", "inStockOnly", "minRating"}`; `null` takes one away.
public struct FilterChanges: Codable, Hashable, Sendable {
    /// The category.
    public var category: FilterChange<String>
    /// The lowest price, in minor units, not negative.
    public var minPrice: FilterChange<Int64>
    /// The highest price, in minor units, not negative.
    public var maxPrice: FilterChange<Int64>
    /// Whether only what is in stock is shown.
    public var inStockOnly: FilterChange<Bool>
    /// The lowest rating, 0 to 5.
    public var minRating: FilterChange<Double>

    private enum CodingKeys: CodingKey {
        case category, minPrice, maxPrice, inStockOnly, minRating
    }

    /// Changes what is given and keeps the rest.
    public init(
        category: FilterChange<String> = .keep, minPrice: FilterChange<Int64> = .keep, maxPrice: FilterChange<Int64> = .keep,
        inStockOnly: FilterChange<Bool> = .keep, minRating: FilterChange<Double> = .keep
    ) {
        self.category = category
        self.minPrice = minPrice
        self.maxPrice = maxPrice
        self.inStockOnly = inStockOnly
        self.minRating = minRating
    }

    /// Reads the payload and checks its bounds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func change<Value>(_ type: Value.Type, _ key: CodingKeys, _ rule: String, _ holds: (Value) -> Bool) throws
            -> FilterChange<Value>
        {
            guard container.contains(key) else { return .keep }
            guard let value = try container.decodeIfPresent(type, forKey: key) else { return .clear }
            try container.require(holds(value), forKey: key, rule)
            return .set(value)
        }
        category = try change(String.self, .category, "longer than the \(PayloadLimits.categoryBytesMax) bytes that are allowed")
        {
            $0.utf8.count <= PayloadLimits.categoryBytesMax
        }
        minPrice = try change(Int64.self, .minPrice, "a price is not negative") { $0 >= 0 }
        maxPrice = try change(Int64.self, .maxPrice, "a price is not negative") { $0 >= 0 }
        inStockOnly = try change(Bool.self, .inStockOnly, "") { _ in true }
        minRating = try change(Double.self, .minRating, "a rating is between 0 and 5") { 0...PayloadLimits.ratingMax ~= $0 }
    }

    /// Writes the members that change.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        func write<Value>(_ change: FilterChange<Value>, _ key: CodingKeys) throws {
            switch change {
            case .keep: break
            case .clear: try container.encodeNil(forKey: key)
            case .set(let value): try container.encode(value, forKey: key)
            }
        }
        try write(category, .category)
        try write(minPrice, .minPrice)
        try write(maxPrice, .maxPrice)
        try write(inStockOnly, .inStockOnly)
        try write(minRating, .minRating)
    }
}

/// How to order products: `{"by": "title"}`.
public struct SortChoice: Codable, Hashable, Sendable {
    /// The order.
    public var by: SortOrder

    /// Asks for an order.
    public init(by: SortOrder) {
        self.by = by
    }
}

/// What can happen to what an account is looking for.
public enum CatalogAction: Hashable, Sendable {
    /// Asks for products with these words.
    case search(SearchQuery)
    /// Asks for a narrower or wider choice.
    case setFilter(FilterChanges)
    /// Asks for another order.
    case setSort(SortChoice)
    /// Asks for the whole choice again; the words and the order stay.
    case clearFilters
    /// Asks for the catalog to be loaded; skipped while it is.
    case load
    /// The catalog was loaded; what is known about the filter's category comes as facts.
    case loaded
    /// The catalog could not be loaded.
    case loadFailed(FailureReason)

    static let kinds: [ActionKind<ShopAction>] = [
        .kind("catalog/search", summary: "Search title, author, description and category", example: SearchQuery(query: "dune")) {
            .catalog(.search($0))
        },
        .kind(
            "catalog/setFilter", summary: "Change the given members of the filter; null takes one away",
            example: FilterChanges(maxPrice: .set(2_000), inStockOnly: .set(true))
        ) { .catalog(.setFilter($0)) },
        .kind("catalog/setSort", summary: "Change the order", example: SortChoice(by: .newest)) { .catalog(.setSort($0)) },
        .kind("catalog/clearFilters", summary: "Take all members of the filter away", .catalog(.clearFilters)),
        .kind("catalog/load", summary: "Load the catalog; skipped while it is being loaded", .catalog(.load)),
        .kind("catalog/loaded", .fact, summary: "The catalog was loaded", .catalog(.loaded)),
        .kind(
            "catalog/loadFailed", .fact, summary: "The catalog could not be loaded",
            example: FailureReason(reason: "The catalog service does not answer.")
        ) { .catalog(.loadFailed($0)) },
    ]
}

extension CatalogAction: SliceAction {
    var name: String {
        switch self {
        case .search: "catalog/search"
        case .setFilter: "catalog/setFilter"
        case .setSort: "catalog/setSort"
        case .clearFilters: "catalog/clearFilters"
        case .load: "catalog/load"
        case .loaded: "catalog/loaded"
        case .loadFailed: "catalog/loadFailed"
        }
    }

    var payload: (any Encodable)? {
        switch self {
        case .search(let payload): payload
        case .setFilter(let payload): payload
        case .setSort(let payload): payload
        case .loadFailed(let payload): payload
        case .clearFilters, .load, .loaded: nil
        }
    }
}
