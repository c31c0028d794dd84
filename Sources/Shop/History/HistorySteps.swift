import Redux

/// Doing the steps of a history, and finding them by comparing states.
enum HistorySteps {
    /// Does steps, or refuses all of them.
    static func apply(_ steps: [HistoryStep], to state: inout ShopState, _ context: ReducerContext) throws(Refusal) {
        var lines = state.cart.lines
        var currency = state.cart.currency
        for step in steps {
            switch step {
            case .putLine(let line, let index, let lineCurrency):
                lines.removeAll { $0.productID == line.productID }
                if let currency, currency != lineCurrency, !lines.isEmpty {
                    throw Refusal(
                        .currencyChanged, "The cart is in \(currency), what would be put back in \(lineCurrency); clear the cart."
                    )
                }
                currency = lineCurrency
                lines.insert(line, at: min(max(index, 0), lines.count))
            case .removeLine(let productID):
                lines.removeAll { $0.productID == productID }
            case .setFavorite(let productID, let favorite):
                guard state.favorites.contains(productID) != favorite else { continue }
                try FavoritesReducer.request(
                    &state.favorites, productID, favorite: favorite, generation: context.stamp.revision)
            case .setCriteria(let query, let filter, let sort):
                state.catalog.query = query
                state.catalog.filter = filter
                state.catalog.sort = sort
            }
        }
        guard lines != state.cart.lines else { return }
        guard lines.count <= CartLimits.linesMax else {
            throw Refusal(.cartFull, "The cart has no room for what would be put back; remove a line first.")
        }
        guard lines.total != nil else { throw .totalOverflow }
        state.cart.currency = currency
        CartReducer.replaceLines(of: &state.cart, with: lines, at: context.stamp.at)
    }

    /// What makes a state like another one, as far as changes can be taken back.
    static func toward(_ target: ShopState, from state: ShopState) -> [HistoryStep] {
        var steps: [HistoryStep] = []
        if target.cart.lines != state.cart.lines {
            steps += cart(target.cart.lines, target.cart.currency, from: state.cart.lines)
        }
        if target.favorites != state.favorites {
            steps += favorites(target.favorites.productIDs, from: state.favorites.productIDs)
        }
        if target.catalog.catalogQuery != state.catalog.catalogQuery {
            steps.append(.setCriteria(query: target.catalog.query, filter: target.catalog.filter, sort: target.catalog.sort))
        }
        return steps
    }

    /// What makes a state like a past one.
    static func toward(_ past: Restoration, from state: ShopState) -> [HistoryStep] {
        cart(past.lines, past.currency, from: state.cart.lines)
            + favorites(past.favorites, from: state.favorites.productIDs)
            + [.setCriteria(query: past.query, filter: past.filter, sort: past.sort)]
    }

    /// Removals first; then, in the order of the target, each line that is not in its place already is put there.
    private static func cart(_ target: [CartLine], _ currency: String?, from lines: [CartLine]) -> [HistoryStep] {
        // What both begin with stays as it is, and an action leaves most of a cart as it is.
        let common = zip(target, lines).prefix { $0 == $1 }.count
        let wanted = Set(target[common...].map(\.productID))
        let rest = lines[common...]
        let removals = rest.filter { !wanted.contains($0.productID) }.map { HistoryStep.removeLine(productID: $0.productID) }
        var kept = rest.filter { wanted.contains($0.productID) }
        var insertions: [HistoryStep] = []
        for (index, line) in target[common...].enumerated() {
            if index < kept.count, kept[index] == line { continue }
            kept.removeAll { $0.productID == line.productID }
            kept.insert(line, at: min(index, kept.count))
            insertions.append(.putLine(line: line, index: common + index, currency: currency ?? ""))
        }
        return removals + insertions
    }

    /// Both lists ascend.
    private static func favorites(_ target: [String], from present: [String]) -> [HistoryStep] {
        guard target != present else { return [] }
        let wanted = Set(target)
        let held = Set(present)
        let removals = present.filter { !wanted.contains($0) }.map { HistoryStep.setFavorite(productID: $0, favorite: false) }
        let additions = target.filter { !held.contains($0) }.map { HistoryStep.setFavorite(productID: $0, favorite: true) }
        return removals + additions
    }
}
