/// What look-ups, views and effects of the shop may consult; a value, replaced as a whole when the catalog is read anew.
public struct ShopEnvironment: Sendable {
    /// The products on offer.
    public var catalog: Catalog
    /// The shop's rules that a configuration may change.
    public var settings: ShopSettings
    /// Where effects meet the world.
    public var services: ShopServices

    /// Puts an environment together.
    public init(catalog: Catalog, settings: ShopSettings = ShopSettings(), services: ShopServices = .simulated()) {
        self.catalog = catalog
        self.settings = settings
        self.services = services
    }
}

/// What an anonymous account may do.
public enum GuestPolicy: String, Codable, Hashable, Sendable, CaseIterable {
    /// Browse, keep favourites and fill a cart; checking out needs a registered account.
    case cart
    /// Browse and keep favourites.
    case browse
}

/// What becomes of an account's working data when its last session is ended by logging out.
public enum LogoutPolicy: String, Codable, Hashable, Sendable, CaseIterable {
    /// It stays with the account.
    case detach
    /// The cart, the search and the undo history are emptied; favourites, profile and orders stay.
    case clear
}

/// The shop's rules that a configuration may change.
public struct ShopSettings: Hashable, Sendable {
    /// What an anonymous account may do.
    public var guests: GuestPolicy
    /// What becomes of the working data when the last session is ended by logging out; for whoever reports the end.
    public var logout: LogoutPolicy

    /// The rules, each with its default.
    public init(guests: GuestPolicy = .cart, logout: LogoutPolicy = .detach) {
        self.guests = guests
        self.logout = logout
    }
}
