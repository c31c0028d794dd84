import Redux
import Runtime
import Testing

@testable import Accounts
@testable import Persistence

@Suite struct `The sweep over logs` {
    private let start = MonotonicTime(nanoseconds: 5)

    private func account(_ id: Int64) -> AccountID { AccountID(rawValue: id)! }

    private func due(_ id: Int64, oldest: Revision = 1, mayGoOn: Bool = false) -> DueLog {
        DueLog(
            account: account(id), oldest: oldest, through: oldest + 9, newest: 5_000, mayGoOn: mayGoOn,
            retention: LogRetention(before: 7))
    }

    private func look(_ accounts: Int, through last: Int64?, due: DueLog? = nil) -> DueLogLook {
        DueLogLook(due: due, accounts: accounts, last: last.map { account($0) })
    }

    private func stretch(_ step: LogSweep.Step?) throws -> LogSweep.Stretch {
        guard case .look(let stretch)? = step else { throw Unexpected(step: "\(String(describing: step))") }
        return stretch
    }

    private struct Unexpected: Error { let step: String }

    @Test func `goes through all accounts in slices, and begins anew after an hour`() throws {
        var sweep = LogSweep()
        var now = start
        var last: Int64?
        for _ in 0..<3 {
            let first = try stretch(sweep.begin(at: now))
            #expect(first == .init(after: last.map { account($0) }, limit: LogSweep.accountsMax))
            #expect(sweep.begin(at: now) == nil, "one slice after the other")
            last = (last ?? 0) + Int64(LogSweep.accountsMax)
            #expect(sweep.take(look(first.limit, through: last), of: first) == nil)
            now = now.advanced(byMilliseconds: 1_000)
        }
        let end = try stretch(sweep.begin(at: now))
        #expect(sweep.take(look(3, through: 900), of: end) == nil)
        #expect(sweep.begin(at: now) == nil)
        #expect(sweep.begin(at: start.advanced(byMilliseconds: LogSweep.milliseconds - 1)) == nil)
        now = start.advanced(byMilliseconds: LogSweep.milliseconds)
        let again = try stretch(sweep.begin(at: now))
        #expect(again.after == nil)
        #expect(sweep.take(look(0, through: nil), of: again) == nil)
        #expect(sweep.begin(at: now) == nil, "also where there are no accounts at all")
    }

    @Test func `shortens so many logs in a slice, and goes on behind the last`() throws {
        var sweep = LogSweep()
        var step = sweep.begin(at: start)
        for id in Int64(1)...Int64(LogSweep.logsMax) {
            let next = try stretch(step)
            #expect(next == .init(after: AccountID(rawValue: id - 1), limit: LogSweep.accountsMax - Int(id) + 1))
            #expect(sweep.take(look(1, through: id, due: due(id)), of: next) == .shorten(due(id)))
            #expect(sweep.begin(at: start) == nil)
            step = sweep.finish(.done)
        }
        #expect(step == nil)
        #expect(try stretch(sweep.begin(at: start)).after == account(Int64(LogSweep.logsMax)))
    }

    @Test func `stays with a log of which more may go, as long as something goes`() throws {
        var sweep = LogSweep()
        var next = try stretch(sweep.begin(at: start))
        for step in 0..<3 {
            let found = due(1, oldest: Revision(step) * 10 + 1, mayGoOn: true)
            #expect(sweep.take(look(1, through: 1, due: found), of: next) == .shorten(found))
            next = try stretch(sweep.finish(.done))
            #expect(next.after == nil, "the first account comes again")
        }
        // It is as it was.
        next = try stretch(sweep.take(look(1, through: 1, due: due(1, oldest: 21, mayGoOn: true)), of: next))
        #expect(next.after == account(1))
        #expect(sweep.take(look(0, through: nil), of: next) == nil)
        // The next sweep gives it another chance.
        next = try stretch(sweep.begin(at: start.advanced(byMilliseconds: LogSweep.milliseconds)))
        let found = due(1, oldest: 21, mayGoOn: true)
        #expect(sweep.take(look(1, through: 1, due: found), of: next) == .shorten(found))
    }

    @Test func `comes back to where others were in the way, in another slice`() throws {
        var sweep = LogSweep()
        var next = try stretch(sweep.begin(at: start))
        #expect(sweep.take(look(256, through: 300), of: next) == nil)
        next = try stretch(sweep.begin(at: start))
        sweep.fail(.overloaded)
        #expect(try stretch(sweep.begin(at: start)) == next)
        #expect(sweep.take(look(5, through: 305, due: due(305)), of: next) == .shorten(due(305)))
        #expect(sweep.finish(.notNow) == nil)
        #expect(try stretch(sweep.begin(at: start)) == next)
        #expect(sweep.take(look(5, through: 305, due: due(305)), of: next) == .shorten(due(305)))
        #expect(try stretch(sweep.finish(.done)).after == account(305))
    }

    @Test func `ends where accounts cannot be read, until the next`() throws {
        var sweep = LogSweep()
        _ = sweep.begin(at: start)
        sweep.fail(.failed("a page is damaged"))
        #expect(sweep.begin(at: start) == nil)
        #expect(try stretch(sweep.begin(at: start.advanced(byMilliseconds: LogSweep.milliseconds))).after == nil)
    }
}
