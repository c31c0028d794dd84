import Accounts
import Counter
import Foundation
import Persistence
import Redux
import Runtime
import Testing

/// A whole account layer in a folder of its own: open, dispatch, stop, open again on the same file.
final class Bench<Model: AccountModel>: Sendable {
    let accounts: AccountService<Model>
    let time: ManualTime
    let loops: [EventLoop]
    private let folder: String
    var location: String { folder }

    init(
        in folder: String = Bench.newFolder(), environment: Model.Environment, time: ManualTime = ManualTime(),
        loops count: Int = 2,
        limits: AccountLimits = AccountLimits(), faults: FaultInjection = .none, busyMilliseconds: Int32 = 5_000
    ) throws {
        self.folder = folder
        self.time = time
        loops = try EventLoop.group(count: count, time: .manual(time))
        var options = Database.Options()
        options.faults = faults
        options.freeBytesMin = 0
        // So few that in most tests the log's index has a part of the log and lacks another.
        options.indexGeneration = 8
        options.busyMilliseconds = busyMilliseconds
        options.modelVersion = History<Model>().states.version
        let database = try Database.open(
            path: folder + "/accounts.sqlite", model: Model.name, mode: .createIfNew, options: options)
        accounts = AccountService(
            database: database, loops: loops, environment: environment, limits: limits,
            log: Log(level: .error, form: .text, sink: { _ in }))
        accounts.start()
    }

    static func newFolder() -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("storehouse-\(UUID().uuidString)").path
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Stops cleanly and starts again on the same file.
    func restarted(environment: Model.Environment) async throws -> Bench {
        await close()
        return try Bench(in: folder, environment: environment, time: time)
    }

    func close() async {
        await withCheckedContinuation { done in accounts.close { done.resume() } }
        for loop in loops { await loop.stop() }
    }

    /// Closes, and leaves nothing behind.
    func end() async {
        await close()
        remove()
    }

    /// Removes the folder of one that is closed.
    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    // MARK: What clients do

    func create() async throws -> (handle: AccountHandle, token: String) {
        let result = await withCheckedContinuation { done in accounts.create { done.resume(returning: $0) } }
        let (handle, token) = try result.get()
        return (handle, token)
    }

    func open(_ account: AccountID) async -> Result<AccountHandle, OpenFault> {
        await withCheckedContinuation { done in accounts.open(account) { done.resume(returning: $0) } }
    }

    func dispatch(_ request: DispatchRequest<Model>, to account: AccountID) async -> Verdict {
        await withCheckedContinuation { done in accounts.dispatch(request, to: account) { done.resume(returning: $0) } }
    }

    /// Dispatches and gives the answer's text: `REVISION CHANGED NAME@REVISION …`, or the refusal's slug.
    func dispatch(_ actions: Model.Action..., to account: AccountID, change: (inout DispatchRequest<Model>) -> Void = { _ in })
        async -> String
    {
        var request = DispatchRequest<Model>(actions, render: Self.render)
        change(&request)
        return await text(of: dispatch(request, to: account))
    }

    static var render: @Sendable (Receipt<Model>) -> RenderedAnswer {
        { receipt in
            let names = receipt.actions.map { "\($0.name)@\($0.revision)" }.joined(separator: " ")
            return RenderedAnswer(status: 200, fields: [], body: Array("\(receipt.revision) \(receipt.changed) \(names)".utf8))
        }
    }

    func text(of verdict: Verdict) -> String {
        switch verdict {
        case .done(let answer): String(decoding: answer.body, as: UTF8.self)
        case .replayed(let answer): "replayed " + String(decoding: answer.body, as: UTF8.self)
        case .refused(let refusal, let index): refusal.kind.slug + (index.map { " at \($0)" } ?? "")
        default: "\(verdict)"
        }
    }

    /// Lets the loops run their timers after the manual clock was moved, until `condition` holds; fails where it never does.
    func until(_ condition: @Sendable () async -> Bool, _ location: SourceLocation = #_sourceLocation) async {
        let deadline = ContinuousClock.now + .seconds(40)
        while await !condition() {
            guard ContinuousClock.now < deadline else {
                Issue.record("what was waited for has not come", sourceLocation: location)
                return
            }
            for loop in loops { await withCheckedContinuation { done in loop.execute { _ in done.resume() } } }
            await Task.yield()
        }
    }
}

extension Bench {
    /// What a full check of the file says; also while it is open.
    func findings() throws -> [Inspector.Finding] {
        try Examination(
            Model.self, of: Inspector.open(path: "\(location)/\(Copies.database)", model: nil), asking: .isWhole
        ).findings
    }
}

extension Bench where Model == CounterModel {
    convenience init(limits: AccountLimits = AccountLimits(), faults: FaultInjection = .none, loops: Int = 2) throws {
        try self.init(environment: CounterModel.Environment(), loops: loops, limits: limits, faults: faults)
    }

    /// The number at a past revision, or why it cannot be had.
    func value(of account: AccountID, at revision: Revision) async -> String {
        let result = await withCheckedContinuation { done in
            accounts.past.state(of: account, at: revision) { done.resume(returning: $0) }
        }
        switch result {
        case .success(let point): return "\(point.state.value)"
        case .failure(let fault): return "\(fault)"
        }
    }

    /// The committed number.
    func value(of handle: AccountHandle) throws -> String {
        String(decoding: try handle.published.view("counter") ?? [], as: UTF8.self)
    }
}
