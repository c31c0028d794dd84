public import Redux

/// A place in the client.
public enum Tab: String, CaseIterable, FallbackCase {
    /// The list of products.
    case products
    /// The cart.
    case cart
    /// The owner's page.
    case profile

    /// Where a client starts.
    public static var fallback: Tab { .products }
}

/// Something that a client lays over its tabs.
public enum Sheet: String, Codable, CaseIterable, Hashable, Sendable {
    /// To log in.
    case login
    /// The cart.
    case cart
}

/// How a toast is meant.
public enum ToastKind: String, CaseIterable, FallbackCase {
    /// Something went well.
    case success
    /// Something went wrong.
    case error
    /// Something happened.
    case info

    /// The plain one.
    public static var fallback: ToastKind { .info }
}

/// A short notice that goes away by itself.
public struct Toast: Codable, Hashable, Sendable {
    /// What it says.
    public var message: String
    /// How it is meant.
    @FallsBack public var kind: ToastKind
    /// When the client hides it; the state drops it with the first action from then on.
    public var hidesAt: Milliseconds
}

/// Which sheets are shown.
public struct Sheets: Codable, Hashable, Sendable {
    /// Whether the log-in is shown.
    public var login = false
    /// Whether the cart is shown.
    public var cart = false

    /// Gets or sets whether a sheet is shown.
    public subscript(sheet: Sheet) -> Bool {
        get {
            switch sheet {
            case .login: login
            case .cart: cart
            }
        }
        set {
            switch sheet {
            case .login: login = newValue
            case .cart: cart = newValue
            }
        }
    }
}

/// What a client shows. Transient: it is as new after the account has been away from memory.
public struct UIState: Codable, Hashable, Sendable {
    /// The current tab.
    @FallsBack public var tab: Tab
    /// Which sheets are shown.
    public var sheets: Sheets
    /// The current notice.
    @ExplicitNull public var toast: Toast?
    /// Whether the client says that it has a network.
    public var isConnected: Bool

    /// A client that has just been opened.
    public init() {
        tab = .products
        sheets = Sheets()
        toast = nil
        isConnected = true
    }
}

/// Where to go: `{"tab": "cart"}`.
public struct TabChoice: Codable, Hashable, Sendable {
    /// The tab.
    public var tab: Tab

    /// Asks for a tab.
    public init(tab: Tab) {
        self.tab = tab
    }
}

/// Which sheet is meant: `{"sheet": "login"}`.
public struct SheetChoice: Codable, Hashable, Sendable {
    /// The sheet.
    public var sheet: Sheet

    /// Names a sheet.
    public init(sheet: Sheet) {
        self.sheet = sheet
    }
}

/// A notice to be shown: `{"message": "Saved", "kind": "success", "durationMs": 2000}`.
public struct ToastRequest: Codable, Hashable, Sendable {
    /// What it says, at most 500 bytes.
    public var message: String
    /// How it is meant.
    public var kind: ToastKind
    /// How long it stays, 1 to 60,000 ms.
    public var durationMs: Int64

    /// Asks for a notice.
    public init(message: String, kind: ToastKind, durationMs: Int64) {
        self.message = message
        self.kind = kind
        self.durationMs = durationMs
    }

    /// Reads the payload and checks its bounds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        message = try container.decodeText(forKey: .message, bytesMax: PayloadLimits.messageBytesMax)
        kind = try container.decode(ToastKind.self, forKey: .kind)
        durationMs = try container.decode(Int64.self, forKey: .durationMs)
        try container.require(
            1...PayloadLimits.toastMillisecondsMax ~= durationMs, forKey: .durationMs,
            "a toast stays for 1 to \(PayloadLimits.toastMillisecondsMax) ms")
    }
}

/// Whether there is a network: `{"connected": true}`.
public struct NetworkStatus: Codable, Hashable, Sendable {
    /// Whether the client has a network.
    public var connected: Bool

    /// States whether there is a network.
    public init(connected: Bool) {
        self.connected = connected
    }
}
