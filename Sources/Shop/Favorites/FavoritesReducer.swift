import Redux

/// Bounds on the favourites of one account.
public enum FavoritesLimits {
    /// The most favourites their owner can see when adding one. Removals that fail are taken back above it.
    public static let favoritesMax = 1_000
    /// The most changes that can wait for their save; with it, saved favourites stay below `favoritesMax` plus this.
    public static let pendingSavesMax = 2_000
}

/// What happens to the favourites.
///
/// A toggle is applied at once and listed as pending. Its outcome acts only while that very request is pending: success makes it
/// saved, failure takes back exactly that change. A newer request for the same product supersedes the older one, whose outcome then
/// changes nothing, as does one of another account.
enum FavoritesReducer {
    static let schema = SliceSchema("favorites")

    static func reduce(into favorites: inout FavoritesState, action: FavoritesAction, context: ReducerContext) throws(Refusal) {
        switch action {
        case .toggle(let payload):
            let wasFavorite = favorites.contains(payload.productID)
            // A favourite whose product has left the catalog can still be taken away.
            guard wasFavorite || context.facts?.known == true else { throw .productNotFound(payload.productID) }
            try request(&favorites, payload.productID, favorite: !wasFavorite, generation: context.stamp.revision)
        case .saveSucceeded(let outcome):
            guard outcome.account == context.stamp.account,
                let save = favorites.settle(outcome.productID, generation: outcome.generation)
            else { return }
            favorites.confirm(save.productID, favorite: save.favorite)
        case .saveFailed(let outcome):
            guard outcome.account == context.stamp.account,
                let save = favorites.settle(outcome.productID, generation: outcome.generation)
            else { return }
            favorites.error = FavoriteFault(productID: save.productID, favorite: save.favorite, reason: outcome.reason)
        }
    }

    /// Asks for a product to be a favourite or not, whatever it is now.
    static func request(
        _ favorites: inout FavoritesState, _ productID: String, favorite: Bool, generation: Revision
    ) throws(Refusal) {
        if favorite, favorites.count >= FavoritesLimits.favoritesMax {
            throw Refusal(.favoritesFull, "There are \(FavoritesLimits.favoritesMax) favourites already; take one away first.")
        }
        if favorites.pending.count >= FavoritesLimits.pendingSavesMax, favorites.pendingSave(of: productID) == nil {
            throw Refusal(.favoritesFull, "\(FavoritesLimits.pendingSavesMax) changes wait to be saved; try again later.")
        }
        favorites.request(PendingSave(productID: productID, favorite: favorite, generation: generation))
        favorites.error = nil
    }
}

extension Refusal {
    /// The catalog does not have the product that the payload names.
    static func productNotFound(_ productID: String) -> Refusal {
        Refusal(.productNotFound, "The catalog has no product “\(productID)”.", pointer: "/payload/productID")
    }
}
