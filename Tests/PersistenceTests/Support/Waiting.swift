import Glibc
import Redux
import Synchronization

@testable import Persistence

/// The callbacks as `async` calls.
extension Database {
    func commit(_ writes: Write...) async -> Result<Void, CommitFault> {
        await withCheckedContinuation { waiting in submit(writes) { waiting.resume(returning: $0) } }
    }

    func loaded(_ account: AccountID, since: Milliseconds = 0) async throws -> LoadedAccount? {
        try await withCheckedContinuation { waiting in
            load(account, idempotencySince: since) { waiting.resume(returning: $0) }
        }.get()
    }

    func page(
        _ account: AccountID, after: Revision = 0, before: Revision = .max, name: String? = nil, limit: Int = 1_000
    ) async throws -> LogPage {
        try await withCheckedContinuation { waiting in
            entries(of: account, after: after, before: before, name: name, limit: limit) { waiting.resume(returning: $0) }
        }.get()
    }

    func due(upTo: Milliseconds, limit: Int = 100) async throws -> [OutboxEntry] {
        try await withCheckedContinuation { waiting in
            dueEffects(upTo: upTo, limit: limit) { waiting.resume(returning: $0) }
        }.get()
    }

    func value<Value: Sendable>(
        _ ask: (Database, @escaping @Sendable (Result<Value, StorageFault>) -> Void) -> Void
    ) async throws -> Value {
        try await withCheckedContinuation { waiting in ask(self) { waiting.resume(returning: $0) } }.get()
    }

    func closed() async {
        await withCheckedContinuation { waiting in close { waiting.resume() } }
    }
}

extension Result<Void, CommitFault> {
    var fault: CommitFault? {
        switch self {
        case .success: nil
        case .failure(let fault): fault
        }
    }
}

/// A gate that a blocked writer waits at, and what came by in the meantime.
final class Gate: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    /// Blocks a writer's thread until `open`: yields, since there is nothing to measure here.
    func wait() {
        while !isOpen.withLock({ $0 }) { sched_yield() }
    }
}

/// A list that several threads add to.
final class Collected<Value: Sendable>: Sendable {
    private let list = Mutex<[Value]>([])
    var values: [Value] { list.withLock { $0 } }
    func add(_ value: Value) { list.withLock { $0.append(value) } }
}

extension Database {
    /// Opens a database of the model `counter` in a test's folder.
    static func test(
        _ folder: Folder, mode: Mode = .createIfNew, model: String = "counter", faults: FaultInjection = .none,
        change: (inout Options) -> Void = { _ in }
    ) throws -> Database {
        var options = Options()
        options.faults = faults
        options.freeBytesMin = 0
        // So few that in most tests the index has a part of the log and lacks another.
        options.indexGeneration = 4
        change(&options)
        return try open(path: folder.database, model: model, mode: mode, options: options)
    }
}
