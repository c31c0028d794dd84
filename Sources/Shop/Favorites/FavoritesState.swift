public import Redux

/// A change of one favourite that was asked for and has not been saved yet.
public struct PendingSave: Codable, Hashable, Sendable {
    /// The product's id.
    public var productID: String
    /// Whether it is to be a favourite.
    public var favorite: Bool
    /// Names the request, the revision it was made at.
    public var generation: Revision

    /// A request to be answered.
    public init(productID: String, favorite: Bool, generation: Revision) {
        self.productID = productID
        self.favorite = favorite
        self.generation = generation
    }
}

/// The last change of a favourite that could not be saved.
public struct FavoriteFault: Codable, Hashable, Sendable {
    /// The product's id.
    public var productID: String
    /// What the product was to be.
    public var favorite: Bool
    /// One sentence for a person.
    public var reason: String

    /// States what was not saved, and why.
    public init(productID: String, favorite: Bool, reason: String) {
        self.productID = productID
        self.favorite = favorite
        self.reason = reason
    }
}

/// The products an account has marked: what is saved, and on top of it what is still to be.
///
/// Invariants: both lists are in ascending order of product ids without repeats, so there is at most one pending save a product.
public struct FavoritesState: Hashable, Sendable {
    /// The favourites that are saved.
    public private(set) var confirmed: [String]
    /// The changes that are not saved yet.
    public private(set) var pending: [PendingSave]
    /// The last change that could not be saved; nil once a favourite is changed again.
    public var error: FavoriteFault?

    /// No favourites.
    public init() {
        confirmed = []
        pending = []
        error = nil
    }

    /// The favourites as their owner sees them, ascending: the saved ones with the pending changes applied.
    public var productIDs: [String] {
        guard !pending.isEmpty else { return confirmed }
        var merged: [String] = []
        merged.reserveCapacity(confirmed.count + pending.count)
        var saved = confirmed[...]
        for change in pending {
            while let next = saved.first, next < change.productID { merged.append(saved.removeFirst()) }
            if saved.first == change.productID { saved.removeFirst() }
            if change.favorite { merged.append(change.productID) }
        }
        merged.append(contentsOf: saved)
        return merged
    }

    /// How many favourites the owner sees.
    public var count: Int {
        pending.reduce(confirmed.count) { count, change in
            switch (change.favorite, isConfirmed(change.productID)) {
            case (true, false): count + 1
            case (false, true): count - 1
            default: count
            }
        }
    }

    /// Whether the owner sees a product among the favourites.
    public func contains(_ productID: String) -> Bool {
        pendingSave(of: productID)?.favorite ?? isConfirmed(productID)
    }

    /// The change of a product that is not saved yet.
    public func pendingSave(of productID: String) -> PendingSave? {
        let index = pending.lowerBound { $0.productID < productID }
        return index < pending.count && pending[index].productID == productID ? pending[index] : nil
    }

    /// Puts a request in the place of the product's pending one, or adds it.
    mutating func request(_ save: PendingSave) {
        let index = pending.lowerBound { $0.productID < save.productID }
        if index < pending.count, pending[index].productID == save.productID {
            pending[index] = save
        } else {
            pending.insert(save, at: index)
        }
    }

    /// Takes back the pending request of this product and generation and returns it; nil where it is no longer pending.
    mutating func settle(_ productID: String, generation: Revision) -> PendingSave? {
        let index = pending.lowerBound { $0.productID < productID }
        guard index < pending.count, pending[index].productID == productID, pending[index].generation == generation else {
            return nil
        }
        return pending.remove(at: index)
    }

    /// Records what is saved.
    mutating func confirm(_ productID: String, favorite: Bool) {
        let index = confirmed.lowerBound { $0 < productID }
        let isThere = index < confirmed.count && confirmed[index] == productID
        if favorite, !isThere { confirmed.insert(productID, at: index) }
        if !favorite, isThere { confirmed.remove(at: index) }
    }

    /// Drops what is not saved yet: for a copy of the account that must not wait for the original's work.
    mutating func abandonPending() {
        pending = []
    }

    private func isConfirmed(_ productID: String) -> Bool {
        let index = confirmed.lowerBound { $0 < productID }
        return index < confirmed.count && confirmed[index] == productID
    }
}

extension FavoritesState: Codable {
    private enum CodingKeys: CodingKey {
        case productIDs, confirmed, pending, error
    }

    /// Reads the state; `productIDs` is derived and only looked at.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        _ = container.contains(.productIDs)
        confirmed = try container.decode([String].self, forKey: .confirmed)
        pending = try container.decode([PendingSave].self, forKey: .pending)
        error = try container.decodeIfPresent(FavoriteFault.self, forKey: .error)
    }

    /// Writes the state with the derived `productIDs`, for readers.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(productIDs, forKey: .productIDs)
        try container.encode(confirmed, forKey: .confirmed)
        try container.encode(pending, forKey: .pending)
        try container.encode(error, forKey: .error)
    }
}

extension Array {
    /// The index of the first element for which `precedes` no longer holds; the elements for which it holds come first.
    func lowerBound(_ precedes: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if precedes(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
