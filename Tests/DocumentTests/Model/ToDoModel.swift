package import Redux

/// A list of things to do: an account's state, its actions, and the pure function between them.
package enum ToDoModel: AccountModel {
    package struct State: Codable, Equatable, Sendable {
        var items: [Item] = []
    }

    struct Item: Codable, Equatable, Sendable {
        let id: Revision
        let text: String
        var isDone = false
    }

    package struct NewItem: Codable, Sendable { let text: String }
    package struct Choice: Codable, Sendable { let id: Revision }

    package enum Action: WireAction {
        case add(NewItem)
        case finish(Choice)

        package static let kinds: [ActionKind<Action>] = [
            .kind("todo/add", summary: "Adds an item.", example: NewItem(text: "Water the plants"), Action.add),
            .kind("todo/finish", summary: "Ticks an item off.", example: Choice(id: 1), Action.finish),
        ]
        package var name: String {
            switch self {
            case .add: "todo/add"
            case .finish: "todo/finish"
            }
        }
        package func encodePayload(to encoder: any Encoder) throws {
            switch self {
            case .add(let item): try item.encode(to: encoder)
            case .finish(let choice): try choice.encode(to: encoder)
            }
        }
    }

    package static func reduce(into state: inout State, action: StampedAction) throws(Refusal) {
        switch action.action {
        case .add(let item):
            guard state.items.count < 100 else { throw Refusal(.listFull, "A hundred things are enough.") }
            state.items.append(Item(id: action.stamp.revision, text: item.text))
        case .finish(let choice):
            guard let place = state.items.firstIndex(where: { $0.id == choice.id }) else {
                throw Refusal(.itemNotFound, "There is no item \(choice.id).", pointer: "/payload/id")
            }
            state.items[place].isDone = true
        }
    }

    package static let name = "todo"
    package static let reducerVersion = 1
    package static let slices = [SliceSchema("items")]
    package static let refusals: [RefusalKind] = [.listFull, .itemNotFound]
    package static let views: [View<ToDoModel>] = [
        View("open", summary: "What is left to do") { state, _ in state.items.filter { !$0.isDone } }
    ]
    package static func initialState(for account: AccountID) -> State { State() }

    package typealias Facts = NoFacts
    package typealias Effect = NoEffect
    package typealias Environment = NoEnvironment
}

extension RefusalKind {
    static let listFull = RefusalKind("list-full", title: "The list is full")
    static let itemNotFound = RefusalKind("item-not-found", title: "The list has no such item")
}
