import CSQLite
import Dispatch
import Persistence
import Synchronization

/// Holds the writer at each commit until a schedule says how it ends.
final class CommitGate: Sendable {
    enum Verdict: Sendable { case commits, full, unknown }

    private struct State {
        var isOpen = true
        /// The writer stands at a commit and waits for a verdict.
        var isStanding = false
        var verdict = Verdict.commits
    }

    private let state = Mutex(State())
    private let answered = DispatchSemaphore(value: 0)

    /// What `Bench` is given. Open, it lets everything through.
    var injection: FaultInjection {
        FaultInjection { [self] _ in
            let mustWait = state.withLock { state in
                state.isStanding = !state.isOpen
                return state.isStanding
            }
            guard mustWait else { return nil }
            answered.wait()
            return switch state.withLock({ $0.verdict }) {
            case .commits: nil
            case .full: .full
            case .unknown: .ioError(applied: false)
            }
        }
    }

    /// From now on each commit waits for `decide`.
    func close() { state.withLock { $0.isOpen = false } }

    /// Whether the writer stands at a commit.
    var isStanding: Bool { state.withLock { $0.isStanding } }

    /// Ends the commit the writer stands at.
    func decide(_ verdict: Verdict) {
        state.withLock {
            $0.verdict = verdict
            $0.isStanding = false
        }
        answered.signal()
    }

    /// Lets the commit the writer stands at, if there is one, and all others through.
    func open() {
        let mustAnswer = state.withLock { state in
            defer { (state.isOpen, state.isStanding, state.verdict) = (true, false, .commits) }
            return state.isStanding
        }
        if mustAnswer { answered.signal() }
    }
}

/// Looks at the log of a database beside the service: what is committed at this instant.
final class Witness: Sendable {
    /// The connection's address: used under the lock alone, and closed with this.
    private let connection: Mutex<UInt>

    init?(_ path: String) {
        var opened: OpaquePointer?
        guard unsafe sqlite3_open_v2(path, &opened, SQLITE_OPEN_READONLY, nil) == SQLITE_OK, let pointer = unsafe opened else {
            return nil
        }
        connection = Mutex(UInt(bitPattern: pointer))
    }

    deinit { _ = connection.withLock { unsafe sqlite3_close(OpaquePointer(bitPattern: $0)) } }

    /// The payloads of an account's log, by revision from 1.
    func log(of account: Int64) -> [String] {
        connection.withLock { address in
            var prepared: OpaquePointer?
            let sql = "SELECT payload FROM log WHERE account = ? ORDER BY revision"
            guard unsafe sqlite3_prepare_v2(OpaquePointer(bitPattern: address), sql, -1, &prepared, nil) == SQLITE_OK else {
                return []
            }
            defer { unsafe sqlite3_finalize(prepared) }
            unsafe sqlite3_bind_int64(prepared, 1, account)
            var found: [String] = []
            while unsafe sqlite3_step(prepared) == SQLITE_ROW {
                let bytes = unsafe UnsafeRawBufferPointer(
                    start: sqlite3_column_blob(prepared, 0), count: Int(sqlite3_column_bytes(prepared, 0)))
                found.append(unsafe String(decoding: bytes, as: UTF8.self))
            }
            return found
        }
    }
}
