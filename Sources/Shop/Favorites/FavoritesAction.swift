public import Redux

/// How the save of a favourite ended well; it acts only while its very request is pending.
public struct SaveOutcome: Codable, Hashable, Sendable {
    /// The account whose favourite it is.
    public var account: AccountID
    /// The product's id.
    public var productID: String
    /// The revision at which the change was asked for.
    public var generation: Revision

    /// Reports a save.
    public init(account: AccountID, productID: String, generation: Revision) {
        self.account = account
        self.productID = productID
        self.generation = generation
    }
}

/// How the save of a favourite failed; it acts only while its very request is pending.
public struct SaveFailure: Codable, Hashable, Sendable {
    /// The account whose favourite it is.
    public var account: AccountID
    /// The product's id.
    public var productID: String
    /// The revision at which the change was asked for.
    public var generation: Revision
    /// One sentence for a person.
    public var reason: String

    /// Reports a failure.
    public init(account: AccountID, productID: String, generation: Revision, reason: String) {
        self.account = account
        self.productID = productID
        self.generation = generation
        self.reason = reason
    }
}

/// What can happen to the favourites.
public enum FavoritesAction: Hashable, Sendable {
    /// Asks for a product to be a favourite, or not to be one any more.
    case toggle(ProductReference)
    /// A change was saved.
    case saveSucceeded(SaveOutcome)
    /// A change was not saved.
    case saveFailed(SaveFailure)

    static let kinds: [ActionKind<ShopAction>] = [
        .kind(
            "favorites/toggle", summary: "Mark a product, or take the mark away", example: ProductReference(productID: "dune")
        ) { .favorites(.toggle($0)) },
        .kind(
            "favorites/saveSucceeded", .fact, summary: "A change of a favourite was saved",
            example: SaveOutcome(account: exampleAccount, productID: "dune", generation: 1)
        ) { .favorites(.saveSucceeded($0)) },
        .kind(
            "favorites/saveFailed", .fact, summary: "A change of a favourite was not saved, and is taken back",
            example: SaveFailure(
                account: exampleAccount, productID: "dune", generation: 1, reason: "The favourites service does not answer.")
        ) { .favorites(.saveFailed($0)) },
    ]

    private static let exampleAccount = AccountID(rawValue: 1)!
}

extension FavoritesAction: SliceAction {
    var name: String {
        switch self {
        case .toggle: "favorites/toggle"
        case .saveSucceeded: "favorites/saveSucceeded"
        case .saveFailed: "favorites/saveFailed"
        }
    }

    var payload: (any Encodable)? {
        switch self {
        case .toggle(let payload): payload
        case .saveSucceeded(let payload): payload
        case .saveFailed(let payload): payload
        }
    }
}
