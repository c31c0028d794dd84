import Redux

/// The list of things to do, a release later: an item says when it was finished, rather than that it was.
enum LaterToDoModel: AccountModel {
    struct State: Codable, Equatable, Sendable {
        var items: [Item] = []
    }

    struct Item: Codable, Equatable, Sendable {
        let id: Revision
        let text: String
        var finishedAt: Milliseconds?
    }

    static let reducerVersion = 2
    static let slices = [
        SliceSchema(
            "items", version: 2,
            migrations: [
                1: { decoder in
                    try [ToDoModel.Item](from: decoder)
                        .map { Item(id: $0.id, text: $0.text, finishedAt: $0.isDone ? 0 : nil) }
                }
            ])
    ]

    static func reduce(into state: inout State, action: StampedAction) throws(Refusal) {
        switch action.action {
        case .add(let item):
            guard state.items.count < 100 else { throw Refusal(.listFull, "A hundred things are enough.") }
            state.items.append(Item(id: action.stamp.revision, text: item.text))
        case .finish(let choice):
            guard let place = state.items.firstIndex(where: { $0.id == choice.id }) else {
                throw Refusal(.itemNotFound, "There is no item \(choice.id).", pointer: "/payload/id")
            }
            state.items[place].finishedAt = action.stamp.at
        }
    }

    typealias Action = ToDoModel.Action
    typealias Facts = NoFacts
    typealias Effect = NoEffect
    typealias Environment = NoEnvironment

    static let name = ToDoModel.name
    static let refusals = ToDoModel.refusals
    static let views: [View<LaterToDoModel>] = []
    static func initialState(for account: AccountID) -> State { State() }
}
