public import Redux

extension ShopModel {
    /// Shared data that needs no token: the catalog.
    public static let resources: [Resource<ShopModel>] = [
        Resource("catalog", summary: "The products on offer, a page at a time", parameters: CatalogParameters.all) {
            (parameters, environment) throws(ResourceFault) in
            try CatalogParameters.answer(parameters, in: environment)
        }
    ]
}

/// How the parameters of `GET /catalog` are read.
enum CatalogParameters {
    /// Products of a page where nothing is said.
    static let limitDefault = 20
    /// The most products of a page.
    static let limitMax = 100

    static let all: [Resource<ShopModel>.Parameter] = [
        .init("query", summary: "Words, each to be found in title, author, description or category"),
        .init("category", summary: "Only of this category"),
        .init("minPrice", type: "integer", bounds: 0...Int64.max, summary: "Only at this price or more, in minor units"),
        .init("maxPrice", type: "integer", bounds: 0...Int64.max, summary: "Only at this price or less, in minor units"),
        .init("inStock", type: "boolean", values: ["true", "false"], summary: "Only what is in stock"),
        .init("minRating", type: "number", bounds: 0...5, summary: "Only rated so or better, 0 to 5"),
        .init("sort", values: SortOrder.allCases.map(\.rawValue), summary: "The order; by title where nothing is said"),
        .init(
            "limit", type: "integer", bounds: 1...Int64(limitMax),
            summary: "The most products of the page, 1 to 100; 20 where nothing is said"),
        .init("after", summary: "The `next` of the page before"),
    ]

    static func answer(_ parameters: [String: String], in environment: ShopEnvironment) throws(ResourceFault) -> CatalogPage {
        var query = CatalogQuery()
        query.query = try text("query", parameters, bytesMax: PayloadLimits.queryBytesMax) ?? ""
        query.filter.category = try text("category", parameters, bytesMax: PayloadLimits.categoryBytesMax)
        query.filter.minPrice = try price("minPrice", parameters)
        query.filter.maxPrice = try price("maxPrice", parameters)
        query.filter.inStockOnly = try flag("inStock", parameters) ?? false
        query.filter.minRating = try rating("minRating", parameters)
        if let text = parameters["sort"] {
            guard let sort = SortOrder(rawValue: text) else {
                let known = SortOrder.allCases.map(\.rawValue).joined(separator: ", ")
                throw ResourceFault(parameter: "sort", "Sort by one of \(known).")
            }
            query.sort = sort
        }
        let limit = try limit(parameters)
        guard let page = environment.catalog.page(of: query, limit: limit, after: parameters["after"]) else {
            throw ResourceFault(parameter: "after", "The catalog has no such product any more; start from the first page.")
        }
        return page
    }

    private static func text(
        _ name: String, _ parameters: [String: String], bytesMax: Int
    ) throws(ResourceFault) -> String? {
        guard let text = parameters[name] else { return nil }
        guard text.utf8.count <= bytesMax else {
            throw ResourceFault(parameter: name, "At most \(bytesMax) bytes are allowed.")
        }
        return text
    }

    private static func price(_ name: String, _ parameters: [String: String]) throws(ResourceFault) -> Int64? {
        guard let text = parameters[name] else { return nil }
        guard let price = Int64(text), price >= 0 else {
            throw ResourceFault(parameter: name, "A price is a number of minor units, 0 or more.")
        }
        return price
    }

    private static func flag(_ name: String, _ parameters: [String: String]) throws(ResourceFault) -> Bool? {
        guard let text = parameters[name] else { return nil }
        guard let flag = Bool(text) else { throw ResourceFault(parameter: name, "Say true or false.") }
        return flag
    }

    private static func rating(_ name: String, _ parameters: [String: String]) throws(ResourceFault) -> Double? {
        guard let text = parameters[name] else { return nil }
        guard let rating = Double(text), 0...PayloadLimits.ratingMax ~= rating else {
            throw ResourceFault(parameter: name, "A rating is a number from 0 to 5.")
        }
        return rating
    }

    private static func limit(_ parameters: [String: String]) throws(ResourceFault) -> Int {
        guard let text = parameters["limit"] else { return limitDefault }
        guard let limit = Int(text), 1...limitMax ~= limit else {
            throw ResourceFault(parameter: "limit", "A page has 1 to \(limitMax) products.")
        }
        return limit
    }
}
