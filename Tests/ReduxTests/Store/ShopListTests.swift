import Foundation
import Redux
import Testing

/// The smallest store there is, and the whole of what a store test needs: a state, an action, a comparison.
struct ShopList: Codable, Equatable, Sendable {
    var items: [String] = []

    enum Action: Codable, Equatable, Sendable {
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

    @Test func `one log line per transition holds its whole history`() throws {
        var log: [Data] = []
        let logging = StoreCore<ShopList, ShopList.Action>(
            initialState: ShopList(),
            middleware: [.observe { action, _, _ in if let line = try? JSONEncoder().encode(action) { log.append(line) } }],
            reduce: ShopList.reduce)
        try logging.dispatch(.add("milk"))
        try logging.dispatch(.add("bread"))
        #expect(throws: Refusal.self) { try logging.dispatch(.remove("tea")) }
        try logging.dispatch(.remove("milk"))
        var state = ShopList()
        let recorded = try log.map { try JSONDecoder().decode(ShopList.Action.self, from: $0) }
        #expect(recorded == [.add("milk"), .add("bread"), .remove("milk")])
        try replay(recorded, into: &state, reduce: ShopList.reduce)
        #expect(state == logging.state)
    }

    @Test func `its state is kept as JSON and brought back`() throws {
        try store.dispatch(.add("bread"))
        let kept = try JSONEncoder().encode(store.state)
        let other = StoreCore(initialState: ShopList(), reduce: ShopList.reduce)
        other.replace(state: try JSONDecoder().decode(ShopList.self, from: kept))
        try other.dispatch(.remove("milk"))
        #expect(other.state == ShopList(items: ["bread"]))
    }
}
