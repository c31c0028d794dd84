import Redux

// A model whose refusals say what they saw.

/// What is in the till, and how many actions led there: always the account's revision.
struct TillState: Codable, Hashable, Sendable {
    struct Drawer: Codable, Hashable, Sendable {
        var coins = 0
        var actions: Int64 = 0
    }
    var drawer = Drawer()
}

/// A coin of a number that makes each action one of its kind.
struct Coin: Codable, Hashable, Sendable { var number: Int }

enum TillAction: WireAction, Hashable {
    case put(Coin)
    /// Refused where nothing is in the till; the refusal's detail is the revision it saw.
    case take(Coin)

    static let kinds: [ActionKind<TillAction>] = [
        .kind("till/put", summary: "Puts a coin in.", example: Coin(number: 1), { .put($0) }),
        .kind("till/take", summary: "Takes a coin out.", example: Coin(number: 1), { .take($0) }),
    ]
    var name: String {
        switch self {
        case .put: "till/put"
        case .take: "till/take"
        }
    }
    func encodePayload(to encoder: any Encoder) throws {
        switch self {
        case .put(let coin), .take(let coin): try coin.encode(to: encoder)
        }
    }
}

enum Till: AccountModel {
    typealias State = TillState
    typealias Action = TillAction
    typealias Facts = NoFacts
    typealias Effect = NoteEffect
    typealias Environment = NoteWorld

    static let name = "till"
    static let reducerVersion = 1
    static let slices = [SliceSchema("drawer")]
    static let empty = RefusalKind("till-empty", title: "Nothing is in the till")
    static let refusals: [RefusalKind] = [empty]
    static let views: [View<Till>] = []

    static func initialState(for account: AccountID) -> TillState { TillState() }
    static func reduce(into state: inout TillState, action: StampedAction) throws(Refusal) {
        switch action.action {
        case .put: state.drawer.coins += 1
        case .take:
            guard state.drawer.coins > 0 else { throw Refusal(empty, "\(state.drawer.actions)") }
            state.drawer.coins -= 1
        }
        state.drawer.actions += 1
    }
    static func effects(of action: StampedAction, previous: TillState, next: TillState) -> [EffectRequest<NoteEffect>] { [] }
    static func perform(_ effect: NoteEffect, run: EffectRun, in environment: NoteWorld) async -> TillAction? {
        .put(Coin(number: 0))
    }
}
