import Accounts
import Foundation
import Identity
import JSON
import Persistence
import Redux
import Runtime
import Shop
import Sodium
import Synchronization

extension Bench where Model == ShopModel {
    /// A shop with one product, services that answer at once, and time that stands still.
    static func shop(
        in folder: String = Bench.newFolder(), limits: AccountLimits = AccountLimits(), faults: FaultInjection = .none
    ) throws -> Bench {
        let dune = Product(
            productID: "dune", title: "Dune", author: "Frank Herbert", description: "Sand.", category: "Fiction", price: 1299,
            stock: 100, rating: 5, publishedAt: 0)
        let environment = ShopEnvironment(
            catalog: try Catalog(validating: [dune], currency: "EUR"),
            services: .simulated(Simulation(all: SimulatedService(delay: 0))))
        return try Bench(in: folder, environment: environment, limits: limits, faults: faults)
    }
}

extension Bench {
    /// A desk whose passwords cost next to nothing.
    func desk(_ change: (inout IdentityPolicy) -> Void = { _ in }) -> IdentityDesk<Model> {
        var policy = IdentityPolicy()
        policy.cost = .least
        change(&policy)
        return IdentityDesk(accounts, policy: policy)
    }

    /// The names in an account's log, oldest first.
    func log(of account: AccountID) async throws -> [String] {
        let page = await withCheckedContinuation { done in
            accounts.database.entries(of: account, limit: 1000) { done.resume(returning: $0) }
        }
        return try page.get().entries.map(\.name)
    }

    /// A part of an account's committed state.
    func part(_ pointer: String, of handle: AccountHandle) throws -> JSONValue? {
        try JSONPointer(parsing: "/state" + pointer).value(in: JSONReader.read(handle.published.body(), limits: .stored))
    }

    /// Whose token this is, if anybody's.
    func holder(of token: String) async throws -> AccountID? {
        guard let parsed = accounts.mint.parse(token) else { return nil }
        let result = await withCheckedContinuation { done in accounts.authenticate(parsed) { done.resume(returning: $0) } }
        return try result.get()?.0.id
    }

    func session(of token: String) async throws -> Session? {
        guard let parsed = accounts.mint.parse(token) else { return nil }
        let result = await withCheckedContinuation { done in accounts.authenticate(parsed) { done.resume(returning: $0) } }
        return try result.get()?.1
    }

    func logOut(_ token: String, clear: Bool = false) async throws {
        guard let session = try await session(of: token) else { return }
        try await withCheckedContinuation { done in accounts.end(session, clear: clear) { done.resume(returning: $0) } }.get()
    }
}

extension IdentityDesk {
    func register(
        _ email: String = "ada@example.com", _ password: String = "password123", name: String = "Ada", guest: AccountHandle? = nil
    ) async -> Result<NewSession, IdentityFault> {
        await withCheckedContinuation { done in
            register(.init(email: email, password: password, name: name), guest: guest) { done.resume(returning: $0) }
        }
    }

    func logIn(_ email: String = "ada@example.com", _ password: String = "password123") async -> Result<NewSession, IdentityFault>
    {
        await withCheckedContinuation { done in logIn(email: email, password: password) { done.resume(returning: $0) } }
    }

    func verify(_ code: String) async -> Result<AccountID, IdentityFault> {
        await withCheckedContinuation { done in verify(code: code) { done.resume(returning: $0) } }
    }

    func prepareDemo() async -> Result<Void, IdentityFault> {
        await withCheckedContinuation { done in prepareDemo { done.resume(returning: $0) } }
    }
}

extension Result where Failure == IdentityFault {
    /// The fault in words; "ok" where there is none.
    var fault: String {
        switch self {
        case .success: "ok"
        case .failure(let fault): "\(fault)"
        }
    }
}
