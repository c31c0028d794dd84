import Redux
import Testing

/// The smallest store there is, and the whole of what a store test needs: a state, an action, a comparison.
struct ShopList: Equatable, Sendable {
    var items: [String] = []

    enum Action: Sendable {
        case add(String)
        case remove(String)
    }

    static func reduce(into state: inout ShopList, action: Action) throws(Refusal) {
        switch action {
        case .add(let item):
            state.items.append(item)
        case .remove(let item):
            guard let place = state.items.firstIndex(of: item) else {
                throw Refusal(.notOnTheList, "There is no \(item) on the list.")
            }
            state.items.remove(at: place)
        }
    }
}

extension RefusalKind {
    static let notOnTheList = RefusalKind("not-on-the-list", title: "The item is not on the list.")
}

@Suite struct `A shop list` {
    let store = StoreCore(initialState: ShopList(items: ["milk"]), reduce: ShopList.reduce)

    @Test func `an item is added at the end`() throws {
        try store.dispatch(.add("bread"))
        #expect(store.state == ShopList(items: ["milk", "bread"]))
    }

    @Test func `an item is removed`() throws {
        try store.dispatch(.remove("milk"))
        #expect(store.state == ShopList())
    }

    @Test func `removing what is not there is refused`() {
        let refusal = #expect(throws: Refusal.self) { try store.dispatch(.remove("tea")) }
        #expect(refusal?.kind == .notOnTheList)
        #expect(store.state == ShopList(items: ["milk"]))
    }
}
