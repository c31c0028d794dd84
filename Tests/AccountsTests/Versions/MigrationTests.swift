import Accounts
import Foundation
import Persistence
import Redux
import Runtime
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Another version of the model` {
    private let folder = Bench<FirstNotes>.newFolder()

    /// An account with these lines, written by the first build. With `suspended` no state of it is stored.
    private func write(_ lines: [String], suspended: Bool = false) async throws -> AccountID {
        var limits = AccountLimits()
        limits.idleMilliseconds = 1000
        let bench = try Bench<FirstNotes>(in: folder, environment: NoteWorld(), limits: limits)
        let (handle, _) = try await bench.create()
        for line in lines { _ = await bench.dispatch(.write(OldLine(line: line)), to: handle.id) }
        if suspended {
            await bench.until {
                bench.time.advance(byMilliseconds: 300)
                return bench.accounts.directory.count == 0
            }
        }
        await bench.close()
        return handle.id
    }

    private func later() throws -> Bench<LaterNotes> { try Bench(in: folder, environment: NoteWorld()) }

    private func state(_ handle: AccountHandle) throws -> String {
        let text = String(decoding: try handle.published.body(), as: UTF8.self)
        return text.range(of: "\"state\":").map { String(text[$0.upperBound...].dropLast()) } ?? text
    }

    private func examine<Model: AccountModel>(
        _ model: Model.Type, _ question: Accounts.Verification<Model>.Question = .isWhole
    ) throws -> Examination {
        try Examination(model, of: Inspector.open(path: folder + "/accounts.sqlite", model: nil), asking: question)
    }

    @Test(arguments: [false, true])
    func `takes an account over with a fact in the log and a base, before its first action and only then`(
        suspended: Bool
    ) async throws {
        let account = try await write(["a", "b"], suspended: suspended)
        var bench = try later()
        let handle = try await bench.open(account).get()
        #expect(handle.published.revision == 2, "reading writes nothing")
        #expect(try state(handle) == #"{"page":{"count":2,"lines":["a","b"]}}"#)
        #expect(
            await bench.dispatch(.write(NewLine(text: "c")), to: account) { $0.isDryRun = true }
                == "4 true note/migrated@3 note/write@4")
        #expect(handle.published.revision == 2, "a dry run keeps nothing")
        #expect(await bench.dispatch(.write(NewLine(text: "c")), to: account) == "4 true note/migrated@3 note/write@4")
        #expect(bench.accounts.counters.accountsMigrated.current == 1)
        #expect(await bench.dispatch(.write(NewLine(text: "d")), to: account) == "5 true note/write@5")

        bench = try await bench.restarted(environment: NoteWorld())
        #expect(await bench.dispatch(.write(NewLine(text: "e")), to: account) == "6 true note/write@6")
        #expect(try await state(bench.open(account).get()) == #"{"page":{"count":5,"lines":["a","b","c","d","e"]}}"#)
        await bench.close()
        let whole = try examine(LaterNotes.self)
        #expect(whole.findings == [])
        #expect(whole.entries == 6 && whole.otherVersions == 0)
        bench.remove()
    }

    @Test func `leaves an account that is only read as it was, also over a clean stop`() async throws {
        let account = try await write(["a"], suspended: true)
        var bench = try later()
        _ = try await bench.open(account).get()
        bench = try await bench.restarted(environment: NoteWorld())
        #expect(await bench.dispatch(.write(NewLine(text: "b")), to: account) == "3 true note/migrated@2 note/write@3")
        await bench.end()
    }

    @Test func `is checked beforehand: accounts whose state it would change are named`() async throws {
        let changed = try await write(["a", "", "b"])
        let same = try await write(["a"])
        let found = try examine(LaterNotes.self, .agreesWithThisBuild)
        #expect(found.findings.map(\.account) == [changed])
        #expect(found.findings.first?.revision == 3)
        #expect(found.accounts == 2 && found.otherVersions == 2)
        // Whole it is all the same: what another version stored is not for this one to judge.
        #expect(try examine(LaterNotes.self).findings == [])
        #expect(try examine(FirstNotes.self).findings == [])

        // The stored state is what counts, and the difference is before the base.
        let bench = try later()
        #expect(try await state(bench.open(changed).get()) == #"{"page":{"count":3,"lines":["a","","b"]}}"#)
        #expect(await bench.dispatch(.write(NewLine(text: "c")), to: changed).hasPrefix("5 "))
        #expect(await bench.dispatch(.write(NewLine(text: "c")), to: same).hasPrefix("3 "))
        await bench.close()
        #expect(try examine(LaterNotes.self).findings == [])
        #expect(try examine(LaterNotes.self, .agreesWithThisBuild).findings == [])
        bench.remove()
    }

    @Test func `with the same numbers and another reducer is found out`() async throws {
        let account = try await write(["a", "b"])
        let found = try examine(BrokenNotes.self)
        #expect(found.findings.map(\.account) == [account])
        #expect(found.findings.first?.reason == "the stored state is not the fold of the log")
        try await later().end()
    }

    @Test func `that does not know an action sets the account aside, with its log intact, and no other`() async throws {
        let account = try await write(["a", "b"], suspended: true)
        let other = try await write([])
        let bench = try Bench<LostNotes>(in: folder, environment: NoteWorld())
        for _ in 0..<2 {
            guard case .failure(.unreadable(.unknownAction("note/write", at: 1))) = await bench.open(account) else {
                Issue.record("it is not set aside")
                break
            }
        }
        #expect(await bench.dispatch(.erase, to: account).hasPrefix("unreadable"))
        #expect(bench.accounts.counters.accountsUnreadable.current == 1)
        #expect(await bench.dispatch(.erase, to: other) == "1 false note/erase@1")
        #expect(try examine(LostNotes.self, .agreesWithThisBuild).findings.map(\.account) == [account])
        // Looked at again after a while: another look, the same fault, counted once.
        bench.time.advance(byMilliseconds: 60_001)
        #expect(await bench.dispatch(.erase, to: account).hasPrefix("unreadable"))
        #expect(bench.accounts.counters.accountsUnreadable.current == 1)
        await bench.close()

        let again = try Bench<FirstNotes>(in: folder, environment: NoteWorld())
        #expect(try await state(again.open(account).get()) == #"{"page":{"lines":["a","b"]}}"#)
        await again.end()
    }
}
