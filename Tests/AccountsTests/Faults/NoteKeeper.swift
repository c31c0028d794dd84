import Accounts
import Persistence
import Redux
import Testing

/// A client that writes numbered lines into one account, each under its own Idempotency-Key, and knows what it was told of each.
///
/// What it holds against the service: every line it was told of is in the log at the revision it was told, and in the end each is there once.
final class NoteKeeper {
    /// What a client was told.
    enum Fate: Hashable {
        /// 200.
        case done(Revision)
        /// 507, or a refusal before anything was tried.
        case refused
        /// 503 `commit-unknown`.
        case unknown
    }

    let account: AccountID
    private(set) var fates: [Int: Fate] = [:]

    init(_ account: AccountID) { self.account = account }

    /// A new database with an account in it and two lines, closed: what each run starts from.
    static func prepare() async throws -> (folder: String, account: AccountID) {
        let bench = try Bench<FirstNotes>(environment: NoteWorld(), loops: 1)
        let (handle, _) = try await bench.create()
        for line in ["first", "second"] { _ = await bench.dispatch(.write(OldLine(line: line)), to: handle.id) }
        await bench.close()
        return (bench.location, handle.id)
    }

    /// Writes line `number`, or asks again for what became of it.
    @discardableResult
    func write(_ number: Int, on bench: Bench<FirstNotes>, told: (Fate) -> Void = { _ in }) async -> Fate {
        var request = DispatchRequest<FirstNotes>([.write(OldLine(line: "line \(number)"))], render: Bench.render)
        request.key = IdempotencyKey(key: "key \(number)", fingerprint: [UInt8(truncatingIfNeeded: number)])
        let fate = Self.fate(of: await bench.dispatch(request, to: account))
        told(fate)
        if case .done(let before) = fates[number] {
            #expect(fate == .done(before), "what was told once is told again")
        } else {
            fates[number] = fate
        }
        return fate
    }

    private static func fate(of verdict: Verdict) -> Fate {
        switch verdict {
        case .done(let answer), .replayed(let answer):
            let revision = answer.body.prefix { $0 != UInt8(ascii: " ") }
            return .done(Revision(String(decoding: revision, as: UTF8.self)) ?? -1)
        case .commitFailed(.outcomeUnknown), .commitFailed(.conflict): return .unknown
        case .commitFailed: return .refused
        // It could not be read, so nothing was tried.
        case .storage, .unreadable, .overloaded: return .refused
        default:
            Issue.record("an answer no client of this kind gets: \(verdict)")
            return .unknown
        }
    }

    /// Asks for every line that is not known to be there, which must succeed now, and compares all with the log.
    func settle(_ lines: ClosedRange<Int>, on bench: Bench<FirstNotes>, _ comment: Comment) async throws {
        for number in lines {
            if case .done = fates[number] { continue }
            let fate = await write(number, on: bench)
            guard case .done = fate else {
                Issue.record("\(comment): line \(number) is \(fate) after the fault")
                return
            }
        }
        try await compare(with: bench.accounts.database, comment)
    }

    /// Every line told of is where it was said to be, and none is there twice.
    func compare(with database: Database, _ comment: Comment) async throws {
        let page = try await withCheckedContinuation { done in
            database.entries(of: account, limit: 10_000) { done.resume(returning: $0) }
        }.get()
        let payloads = page.entries.map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(Set(payloads).count == payloads.count, "\(comment): a line is there twice")
        for (number, fate) in fates {
            let payload = #"{"line":"line \#(number)"}"#
            let found = payloads.firstIndex(of: payload).map { Revision($0) + 1 }
            switch fate {
            case .done(let revision): #expect(found == revision, "\(comment): line \(number)")
            case .refused: #expect(found == nil, "\(comment): line \(number) was refused")
            case .unknown: break
            }
        }
        #expect(payloads.count <= fates.count + 2, "\(comment): nothing is there that nobody sent")
    }
}

extension Bench {
    /// Waits until the writer has done all it was given.
    func writerIdle() async {
        await withCheckedContinuation { done in accounts.database.submit([]) { _ in done.resume() } }
    }

    /// An idle writer's checkpoint: two ticks without a write between them.
    func checkpoint() async {
        accounts.database.tick()
        accounts.database.tick()
        await writerIdle()
    }
}
