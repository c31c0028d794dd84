import Redux
import Shop
import Testing

struct FavoritesTests {
    @Test func `a toggle shows at once and is pending`() throws {
        var account = Account()
        try account.toggle("dune")
        #expect(account.state.favorites.productIDs == ["dune"])
        #expect(account.state.favorites.confirmed == [])
        #expect(account.state.favorites.pending == [PendingSave(productID: "dune", favorite: true, generation: 1)])
        let save = FavoriteSave(account: account.id, productID: "dune", favorite: true, generation: 1)
        #expect(account.effects == [.saveFavorite(save)])
        #expect(account.effectKeys == ["favorite.dune"])
    }

    @Test func `toggling twice restores what is shown`() throws {
        var account = Account()
        try account.toggle("dune")
        try account.toggle("dune")
        #expect(account.state.favorites.productIDs == [])
        #expect(account.state.favorites.pending == [PendingSave(productID: "dune", favorite: false, generation: 2)])
    }

    @Test func `an unknown product is refused, unless it is a favourite already`() throws {
        var account = Account()
        account.expectRefused(.productNotFound) { try $0.toggle("no-such") }
        try account.toggle("dune")
        account.environment.catalog = .of(1)
        try account.toggle("dune")
        #expect(account.state.favorites.productIDs == [])
        account.expectRefused(.productNotFound) { try $0.toggle("dune") }
    }

    @Test func `a success makes it saved`() throws {
        var account = Account()
        try account.toggle("dune")
        try account.saved("dune", 1)
        #expect(account.state.favorites.confirmed == ["dune"])
        #expect(account.state.favorites.pending == [])
    }

    @Test func `a failure takes back exactly its own change and says so`() throws {
        var account = Account()
        try account.toggle("tea")
        try account.toggle("dune")
        try account.notSaved("tea", 1)
        #expect(account.state.favorites.productIDs == ["dune"])
        #expect(account.state.favorites.error == FavoriteFault(productID: "tea", favorite: true, reason: "No."))
        try account.saved("dune", 2)
        #expect(account.state.favorites.productIDs == ["dune"])
    }

    @Test func `a failed removal puts the favourite back`() throws {
        var account = Account()
        try account.toggle("dune")
        try account.saved("dune", 1)
        try account.toggle("dune")
        #expect(account.state.favorites.productIDs == [])
        try account.notSaved("dune", account.revision)
        #expect(account.state.favorites.productIDs == ["dune"])
    }

    @Test func `an answer of an older generation changes nothing`() throws {
        var account = Account()
        try account.toggle("dune")
        try account.toggle("dune")
        #expect(try account.saved("dune", 1) == false)
        #expect(try account.notSaved("dune", 1) == false)
        #expect(account.state.favorites.pending.map(\.generation) == [2])
    }

    @Test func `an answer for another account changes nothing`() throws {
        var account = Account()
        try account.toggle("dune")
        let other = AccountID(rawValue: account.id.rawValue + 1)!
        let saved = SaveOutcome(account: other, productID: "dune", generation: 1)
        let failed = SaveFailure(account: other, productID: "dune", generation: 1, reason: "No.")
        #expect(try account.apply(.favorites(.saveSucceeded(saved))) == false)
        #expect(try account.apply(.favorites(.saveFailed(failed))) == false)
    }

    @Test func `ids are shown in ascending order, whatever is saved and pending`() throws {
        var account = Account()
        for productID in ["tea", "dune", "lamp", "emma"] { try account.toggle(productID) }
        try account.saved("lamp", 3)
        try account.saved("dune", 2)
        try account.toggle("dune")
        #expect(account.state.favorites.productIDs == ["emma", "lamp", "tea"])
        #expect(account.state.favorites.count == 3)
    }

    @Test func `a thousand and first favourite is refused, and there is room again after taking one away`() throws {
        var account = Account(catalog: .of(FavoritesLimits.favoritesMax + 1))
        for index in 0..<FavoritesLimits.favoritesMax { try account.toggle("p\(index)") }
        let last = "p\(FavoritesLimits.favoritesMax)"
        account.expectRefused(.favoritesFull) { try $0.toggle(last) }
        try account.toggle("p0")
        try account.toggle(last)
        #expect(account.state.favorites.count == FavoritesLimits.favoritesMax)
    }

    @Test func `changes that wait to be saved are bounded`() throws {
        var account = Account(catalog: .of(FavoritesLimits.pendingSavesMax + 1))
        for index in 0..<FavoritesLimits.pendingSavesMax {
            try account.toggle("p\(index)")
            try account.toggle("p\(index)")
        }
        account.expectRefused(.favoritesFull) { try $0.toggle("p\(FavoritesLimits.pendingSavesMax)") }
        try account.toggle("p0")
    }

    /// Every way in which three requests, on one product or on two, and their outcomes can follow each other.
    ///
    /// The outcomes come in any order and any time after their requests. The oracle is the rule in its plainest form: per product
    /// the saved value, and the newest request as long as it waits.
    @Test(arguments: ["aaa", "aab", "aba", "abb"])
    func `all interleavings of three requests and their outcomes obey the rule`(products: String) throws {
        var count = 0
        let names = products.map { $0 == "a" ? "dune" : "tea" }
        for outcomes in 0..<8 {
            for schedule in Self.schedules {
                var account = Account()
                var oracle = Oracle()
                var generations: [Int: Revision] = [:]
                for event in schedule {
                    let product = names[event.request]
                    if event.isOutcome {
                        let succeeds = outcomes >> event.request & 1 == 1
                        let generation = try #require(generations[event.request])
                        let acts = oracle.settle(product, generation, succeeds)
                        let changed = try succeeds ? account.saved(product, generation) : account.notSaved(product, generation)
                        #expect(changed == acts, "\(products) outcomes \(outcomes), \(schedule)")
                    } else {
                        try account.toggle(product)
                        generations[event.request] = account.revision
                        oracle.request(product, account.revision)
                    }
                    try #require(
                        account.state.favorites.productIDs == oracle.shown, "\(products) outcomes \(outcomes), \(schedule)")
                    try #require(account.state.favorites.confirmed == oracle.saved.sorted())
                }
                #expect(account.state.favorites.pending.isEmpty)
                count += 1
            }
        }
        #expect(count == 8 * 90)
    }

    private struct Event: CustomStringConvertible {
        let request: Int
        let isOutcome: Bool
        var description: String { (isOutcome ? "outcome " : "request ") + "\(request)" }
    }

    /// The 6! / 2³ = 90 orders of three requests and three outcomes in which each outcome follows its own request.
    private static let schedules: [[Event]] = {
        var schedules: [[Event]] = []
        func extend(_ schedule: [Event]) {
            if schedule.count == 6 { return schedules.append(schedule) }
            for request in 0..<3 {
                let done = schedule.filter { $0.request == request }.count
                if done < 2 { extend(schedule + [Event(request: request, isOutcome: done == 1)]) }
            }
        }
        extend([])
        return schedules
    }()

    /// The rule as plainly as it can be said.
    private struct Oracle {
        var saved: Set<String> = []
        var waiting: [String: (favorite: Bool, generation: Revision)] = [:]

        var shown: [String] {
            var shown = saved
            for (product, wish) in waiting { if wish.favorite { shown.insert(product) } else { shown.remove(product) } }
            return shown.sorted()
        }

        mutating func request(_ product: String, _ generation: Revision) {
            waiting[product] = (!shown.contains(product), generation)
        }

        /// Whether the outcome acts.
        mutating func settle(_ product: String, _ generation: Revision, _ succeeds: Bool) -> Bool {
            guard let wish = waiting[product], wish.generation == generation else { return false }
            waiting[product] = nil
            if succeeds { if wish.favorite { saved.insert(product) } else { saved.remove(product) } }
            return true
        }
    }
}
