public import Redux

/// Everything that can happen to an account of the shop, by slice.
public enum ShopAction: Hashable, Sendable {
    /// About the account's sessions.
    case session(SessionAction)
    /// About the account's owner.
    case profile(ProfileAction)
    /// About what the account looks for.
    case catalog(CatalogAction)
    /// About the products it marked.
    case favorites(FavoritesAction)
    /// About what it is going to buy.
    case cart(CartAction)
    /// About what its client shows.
    case ui(UIAction)
    /// Taking changes back.
    case history(HistoryAction)
    /// About the keeping of the account itself.
    case store(StoreAction)
}

/// What the service reports about the keeping of an account.
public enum StoreAction: Hashable, Sendable {
    /// The account was brought back into memory with transient state left over; that state is as new now.
    case recovered
    /// The account is served by another schema or reducer version from here on.
    case migrated

    static let kinds: [ActionKind<ShopAction>] = [
        .kind("store/recovered", .fact, summary: "Transient state was reset", .store(.recovered)),
        .kind("store/migrated", .fact, summary: "The account is served by another version from here on", .store(.migrated)),
    ]

    var name: String {
        switch self {
        case .recovered: "store/recovered"
        case .migrated: "store/migrated"
        }
    }
}

/// An action of one slice: its name, and its payload.
protocol SliceAction {
    /// The wire name.
    var name: String { get }
    /// The payload in its newest form; nil where there is none.
    var payload: (any Encodable)? { get }
}

extension StoreAction: SliceAction {
    var payload: (any Encodable)? { nil }
}

extension ShopAction: WireAction {
    /// Every kind, slice by slice, intentions before facts.
    public static let kinds: [ActionKind<ShopAction>] =
        FavoritesAction.kinds + CartAction.kinds + CatalogAction.kinds + ProfileAction.kinds + UIAction.kinds
        + HistoryAction.kinds
        + SessionAction.kinds + StoreAction.kinds

    /// The origin of each kind by its name.
    private static let origins: [String: ActionOrigin] = [String: ActionOrigin](
        uniqueKeysWithValues: kinds.map { ($0.name, $0.origin) })

    /// The action as one of its slice.
    var ofSlice: any SliceAction {
        switch self {
        case .session(let action): action
        case .profile(let action): action
        case .catalog(let action): action
        case .favorites(let action): action
        case .cart(let action): action
        case .ui(let action): action
        case .history(let action): action
        case .store(let action): action
        }
    }

    /// The name on the wire, `domain/event`.
    public var name: String {
        switch self {
        case .session(let action): action.name
        case .profile(let action): action.name
        case .catalog(let action): action.name
        case .favorites(let action): action.name
        case .cart(let action): action.name
        case .ui(let action): action.name
        case .history(let action): action.name
        case .store(let action): action.name
        }
    }

    /// Whether a client asks for this, or the service reports it.
    public var origin: ActionOrigin { Self.origins[name] ?? .intention }

    /// Writes the payload in its newest form.
    public func encodePayload(to encoder: any Encoder) throws {
        if let payload = ofSlice.payload { try payload.encode(to: encoder) } else { try NoPayload().encode(to: encoder) }
    }
}
