public import Redux

/// One inverse action of a slice: what puts a part of it back. It carries all it needs, so that no catalog is asked.
public enum HistoryStep: Codable, Hashable, Sendable {
    /// Puts a line into the cart, in the place of the product's line or at an index; its price is in `currency`.
    case putLine(line: CartLine, index: Int, currency: String)
    /// Removes the line of a product.
    case removeLine(productID: String)
    /// Asks for a product to be a favourite or not; saved like any other change of a favourite.
    case setFavorite(productID: String, favorite: Bool)
    /// Sets what is looked for in the catalog.
    case setCriteria(query: String, filter: CatalogFilter, sort: SortOrder)

    /// Whether the step is about the cart.
    var isOfCart: Bool {
        switch self {
        case .putLine, .removeLine: true
        case .setFavorite, .setCriteria: false
        }
    }
}

/// How to take one action back, or to bring it back.
///
/// One reference: every action copies the list of them, and most of them only to hand them on.
public struct HistoryEntry: Hashable, Sendable {
    private let contents: Contents

    /// Never changed once it is made.
    private final class Contents: Sendable {
        let action: String
        let revision: Revision
        let steps: [HistoryStep]

        init(_ action: String, _ revision: Revision, _ steps: [HistoryStep]) {
            self.action = action
            self.revision = revision
            self.steps = steps
        }
    }

    /// An entry of its parts.
    public init(action: String, revision: Revision, steps: [HistoryStep]) {
        contents = Contents(action, revision, steps)
    }

    /// The name of the action that is taken back.
    public var action: String { contents.action }
    /// The revision that action led to.
    public var revision: Revision { contents.revision }
    /// What to do, in this order.
    public var steps: [HistoryStep] { contents.steps }

    /// One reference is equal to itself at once; else the parts are compared, the short ones first.
    public static func == (left: HistoryEntry, right: HistoryEntry) -> Bool {
        left.contents === right.contents
            || left.revision == right.revision && left.action == right.action && left.steps == right.steps
    }

    /// Of the parts, so that equal entries that were made apart hash alike.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(action)
        hasher.combine(revision)
        hasher.combine(steps)
    }
}

extension HistoryEntry: Codable {
    private enum CodingKeys: CodingKey { case action, revision, steps }

    /// Three members: `action`, `revision`, `steps`; the form of stored states.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            action: try members.decode(String.self, forKey: .action),
            revision: try members.decode(Revision.self, forKey: .revision),
            steps: try members.decode([HistoryStep].self, forKey: .steps))
    }

    /// The three members that `init(from:)` reads.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(action, forKey: .action)
        try members.encode(revision, forKey: .revision)
        try members.encode(steps, forKey: .steps)
    }
}

/// How to take back the last changes of cart, favourites and catalog criteria, and how to bring them back.
public struct HistoryState: Codable, Hashable, Sendable {
    /// What can be taken back, the latest last; at most `HistoryLimits.entriesMax`.
    public var undo: [HistoryEntry]
    /// What can be brought back, the next last.
    public var redo: [HistoryEntry]

    /// No history.
    public init() {
        undo = []
        redo = []
    }
}

/// Bounds on a history.
public enum HistoryLimits {
    /// The most actions that can be taken back; the oldest is forgotten first.
    public static let entriesMax = 20
}

/// What the cart, the favourites and the criteria are to become; the values of a past state, stamped by the service.
public struct Restoration: Codable, Hashable, Sendable {
    /// The past revision that the values are of.
    public var revision: Revision
    /// The lines of the cart.
    public var lines: [CartLine]
    /// The currency of their prices; nil where there are none.
    @ExplicitNull public var currency: String?
    /// The favourites, ascending.
    public var favorites: [String]
    /// The words looked for.
    public var query: String
    /// Which products are shown.
    public var filter: CatalogFilter
    /// In which order.
    @FallsBack public var sort: SortOrder

    /// What a past state held.
    public init(of past: ShopState, at revision: Revision) {
        self.revision = revision
        lines = past.cart.lines
        currency = past.cart.currency
        favorites = past.favorites.productIDs
        query = past.catalog.query
        filter = past.catalog.filter
        sort = past.catalog.sort
    }
}

/// Taking changes back.
public enum HistoryAction: Hashable, Sendable {
    /// Asks for the last change to be taken back.
    case undo
    /// Asks for the change that was taken back last.
    case redo
    /// Sets cart lines, favourites and criteria to what they were. Only the service knows what they were, so only it may dispatch
    /// this; being asked for by a client all the same, it is the one fact that can be refused: during a checkout, or where there
    /// is no room for what would be put back.
    case restore(Restoration)

    static let kinds: [ActionKind<ShopAction>] = [
        .kind("history/undo", summary: "Take the last change of cart, favourites or criteria back", .history(.undo)),
        .kind("history/redo", summary: "Bring back what was taken back last", .history(.redo)),
        .kind(
            "history/restore", .fact, summary: "Cart lines, favourites and criteria are as they were at a revision",
            example: Restoration(of: ShopState(), at: 1)
        ) { .history(.restore($0)) },
    ]
}

extension HistoryAction: SliceAction {
    var name: String {
        switch self {
        case .undo: "history/undo"
        case .redo: "history/redo"
        case .restore: "history/restore"
        }
    }

    var payload: (any Encodable)? {
        switch self {
        case .undo, .redo: nil
        case .restore(let payload): payload
        }
    }
}
