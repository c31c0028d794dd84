import Redux

/// What happens to what an account is looking for. Refuses nothing: a choice without products is an empty list.
enum CatalogReducer {
    static let schema = SliceSchema("catalog")

    static func reduce(into catalog: inout CatalogState, action: CatalogAction, context: ReducerContext) {
        switch action {
        case .search(let payload):
            catalog.query = payload.query
        case .setFilter(let changes):
            catalog.filter.category = changes.category.applied(to: catalog.filter.category)
            catalog.filter.minPrice = changes.minPrice.applied(to: catalog.filter.minPrice)
            catalog.filter.maxPrice = changes.maxPrice.applied(to: catalog.filter.maxPrice)
            catalog.filter.inStockOnly = changes.inStockOnly.applied(to: catalog.filter.inStockOnly) ?? false
            catalog.filter.minRating = changes.minRating.applied(to: catalog.filter.minRating)
        case .setSort(let choice):
            catalog.sort = choice.by
        case .clearFilters:
            catalog.filter = CatalogFilter()
        case .load:
            guard !catalog.isLoading else { return }
            catalog.isLoading = true
            catalog.error = nil
        case .loaded:
            guard catalog.isLoading else { return }
            catalog.isLoading = false
            catalog.loadedAt = context.stamp.at
            // A category that no longer exists would hide everything for good.
            if context.facts?.categoryKnown == false { catalog.filter.category = nil }
        case .loadFailed(let failure):
            guard catalog.isLoading else { return }
            catalog.isLoading = false
            catalog.error = failure.reason
        }
    }
}
