import Accounts
import CSQLite
import Counter
import Persistence
import Redux
import Runtime
import Testing

/// Entries that are too old go also where no action comes any more.
@Suite(.timeLimit(.minutes(10))) struct `The log of an account at rest` {
    private let day = 86_400_000
    private let kept: Milliseconds = 30 * 86_400_000

    private func bench<Model: AccountModel>(
        _ model: Model.Type, in folder: String = Bench<Model>.newFolder(), _ environment: Model.Environment,
        time: ManualTime = ManualTime(), faults: FaultInjection = .none, _ change: (inout AccountLimits) -> Void = { _ in }
    ) throws -> Bench<Model> {
        var limits = AccountLimits()
        limits.logKeptMilliseconds = kept
        change(&limits)
        return try Bench(in: folder, environment: environment, time: time, limits: limits, faults: faults)
    }

    private func counter(faults: FaultInjection = .none, _ change: (inout AccountLimits) -> Void = { _ in }) throws
        -> Bench<CounterModel>
    {
        try bench(CounterModel.self, .init(), faults: faults, change)
    }

    /// A new account with so many entries.
    private func account(_ bench: Bench<CounterModel>, entries: Int) async throws -> AccountID {
        let id = try await bench.create().handle.id
        await increase(bench, id, by: entries)
        return id
    }

    private func increase(_ bench: Bench<CounterModel>, _ id: AccountID, by entries: Int) async {
        for start in stride(from: 0, to: entries, by: 100) {
            let actions = [CounterAction](repeating: .increase, count: min(100, entries - start))
            _ = await bench.dispatch(DispatchRequest(actions, render: Bench<CounterModel>.render), to: id)
        }
    }

    /// Lets so much time pass that entries of today are too old by more than the slack, and waits until so many logs were shortened in all.
    private func rest<Model: AccountModel>(_ bench: Bench<Model>, days: Int = 32, until shortened: Int) async {
        bench.time.advance(byMilliseconds: days * day)
        await bench.until {
            bench.time.advance(byMilliseconds: 1_000)
            return bench.accounts.counters.logsShortened.current >= shortened
        }
        #expect(bench.accounts.counters.logsShortened.current == shortened)
    }

    /// Lets the housekeeping run a few times.
    private func keepUp<Model: AccountModel>(_ bench: Bench<Model>) async {
        for _ in 0..<20 {
            bench.time.advance(byMilliseconds: 1_000)
            for loop in bench.loops { await withCheckedContinuation { done in loop.execute { _ in done.resume() } } }
        }
    }

    private func kept<Model: AccountModel>(_ bench: Bench<Model>, _ account: AccountID) async throws -> ClosedRange<Revision> {
        let page: LogPage = try await withCheckedContinuation { done in
            bench.accounts.database.entries(of: account, limit: 1) { done.resume(returning: $0) }
        }.get()
        return try #require(page.oldest)...page.newest
    }

    /// Runs SQL on the file of a bench that is closed.
    private func damage<Model: AccountModel>(_ bench: Bench<Model>, _ sql: String) {
        var opened: OpaquePointer?
        #expect(unsafe sqlite3_open_v2("\(bench.location)/\(Copies.database)", &opened, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        #expect(unsafe sqlite3_exec(opened, sql, nil, nil, nil) == SQLITE_OK)
        _ = unsafe sqlite3_close(opened)
    }

    @Test func `is let go but for its newest entry, and the account is what it was`() async throws {
        let bench = try counter()
        let (handle, _) = try await bench.create()
        await increase(bench, handle.id, by: 50)
        let before = try handle.published.body()
        for days in [29, 1] {
            bench.time.advance(byMilliseconds: days * day + day / 4)
            await keepUp(bench)
            #expect(try await kept(bench, handle.id) == 1...50)
        }

        await rest(bench, days: 1, until: 1)
        #expect(try await kept(bench, handle.id) == 50...50)
        #expect(bench.accounts.directory.count == 0, "nothing was brought into memory")
        #expect(await bench.value(of: handle.id, at: 50) == "50")
        #expect(await bench.value(of: handle.id, at: 49) == "49", "the state from which the rest is folded")
        for revision in [0, 1, 48] { #expect(await bench.value(of: handle.id, at: Revision(revision)) == "unavailable") }
        #expect(try bench.findings() == [])
        let loaded = try await bench.open(handle.id).get()
        #expect(try loaded.published.body() == before && loaded.epoch == handle.epoch)
        #expect(await bench.dispatch(.increase, to: handle.id) == "51 true counter/increase@51")

        let again = try await bench.restarted(environment: .init())
        #expect(try again.value(of: await again.open(handle.id).get()) == "51")
        #expect(try again.findings() == [])
        await again.end()
    }

    @Test func `in memory goes as well, and nobody who uses it notices`() async throws {
        let bench = try counter()
        let (handle, _) = try await bench.create()
        handle.keep()
        await increase(bench, handle.id, by: 40)
        bench.time.advance(byMilliseconds: 20 * day)
        await increase(bench, handle.id, by: 3)
        await rest(bench, days: 12, until: 1)
        #expect(handle.isCurrent)
        #expect(try await kept(bench, handle.id) == 41...43)
        #expect(await bench.dispatch(.increase, to: handle.id) == "44 true counter/increase@44")
        await increase(bench, handle.id, by: 200)
        #expect(try bench.value(of: handle) == "244")
        #expect(try bench.findings() == [])
        handle.release()
        await bench.end()
    }

    @Test func `goes up to what is too old, also between states that are stored`() async throws {
        let bench = try counter()
        let id = try await account(bench, entries: 90)
        bench.time.advance(byMilliseconds: 20 * day)
        await increase(bench, id, by: 600)
        await rest(bench, days: 12, until: 1)
        #expect(try await kept(bench, id) == 91...690)
        for revision in [90, 91, 300, 690] { #expect(await bench.value(of: id, at: Revision(revision)) == "\(revision)") }
        #expect(await bench.value(of: id, at: 89) == "unavailable")
        #expect(try bench.findings() == [])
        await rest(bench, days: 20, until: 2)
        #expect(try await kept(bench, id) == 690...690)
        #expect(try bench.findings() == [])
        await bench.end()
    }

    @Test func `is kept where nothing or a number alone is set`() async throws {
        for actions in [nil, 5] as [Revision?] {
            let bench = try counter {
                $0.logKeptMilliseconds = nil
                $0.logActionsKeptMin = actions
            }
            let id = try await account(bench, entries: 100)
            bench.time.advance(byMilliseconds: 4_000 * day)
            await keepUp(bench)
            #expect(try await kept(bench, id) == 1...100)
            #expect(bench.accounts.counters.logsShortened.current == 0)
            await bench.end()
        }
    }

    @Test func `keeps the number that is set as well`() async throws {
        let bench = try counter { $0.logActionsKeptMin = 10 }
        let few = try await account(bench, entries: 10)
        let more = try await account(bench, entries: 50)
        await rest(bench, until: 1)
        #expect(try await kept(bench, few) == 1...10)
        #expect(try await kept(bench, more) == 41...50)
        #expect(try bench.findings() == [])
        await bench.end()
    }

    @Test func `goes in steps where it is long, from stored state to stored state`() async throws {
        let bench = try counter()
        let id = try await account(bench, entries: 2_650)
        let other = try await account(bench, entries: 2)
        await rest(bench, until: 4)
        #expect(try await kept(bench, id) == 2_650...2_650)
        #expect(try await kept(bench, other) == 2...2)
        #expect(try bench.findings() == [])
        #expect(await bench.dispatch(.increase, to: id) == "2651 true counter/increase@2651")
        await bench.end()
    }

    @Test func `is written to once, and not again by later sweeps`() async throws {
        let bench = try counter()
        let first = try await account(bench, entries: 20)
        var others: [AccountID] = []
        // Each is the last account of its sweep: when it has been shortened, the first has been looked at again.
        for number in 1...4 {
            others.append(try await account(bench, entries: 3))
            await rest(bench, until: number == 1 ? 2 : number + 1)
        }
        #expect(try await kept(bench, first) == 20...20)
        for other in others { #expect(try await kept(bench, other) == 3...3) }
        await bench.end()
    }

    @Test func `is left alone where the account is damaged, and others are not`() async throws {
        var bench = try counter()
        let log = try await account(bench, entries: 150)
        let state = try await account(bench, entries: 5)
        let aside = try await account(bench, entries: 5)
        let sound = try await account(bench, entries: 5)
        await bench.close()
        damage(
            bench,
            """
            UPDATE log SET payload = x'7B207D' WHERE account = \(log) AND revision = 149;
            UPDATE snapshot SET state = x'7B7D' WHERE account = \(state);
            DELETE FROM snapshot WHERE account = \(aside); UPDATE log SET at = at + 1 WHERE account = \(aside) AND revision = 5
            """)
        let findings = try bench.findings()
        #expect(Set(findings.map(\.account)) == [log, state, aside])
        bench = try self.bench(CounterModel.self, in: bench.location, .init(), time: bench.time)
        await rest(bench, until: 1)
        #expect(try await kept(bench, log) == 1...150)
        for id in [state, aside] { #expect(try await kept(bench, id) == 1...5) }
        #expect(try await kept(bench, sound) == 5...5)
        #expect(try bench.findings() == findings)
        await bench.end()
    }

    @Test func `goes with the account where that is erased meanwhile`() async throws {
        let gate = CommitGate()
        let bench = try counter(faults: gate.injection)
        let erased = try await account(bench, entries: 5)
        let other = try await account(bench, entries: 5)
        gate.close()
        async let erasing = withCheckedContinuation { done in bench.accounts.erase(erased) { done.resume(returning: $0) } }
        await bench.until { gate.isStanding }
        // The sweep still sees the account, and what it writes stands behind the erasure.
        let waiting = bench.accounts.database.metrics.queueDepth
        bench.time.advance(byMilliseconds: 32 * day)
        await bench.until { bench.accounts.database.metrics.queueDepth > waiting }
        gate.open()
        try await erasing.get()
        await rest(bench, days: 0, until: 1)
        #expect(try await kept(bench, other) == 5...5)
        #expect(bench.accounts.database.metrics.refusedConflict == 1)
        guard case .failure(.noAccount) = await bench.open(erased) else {
            Issue.record("something of it is there again")
            return
        }
        #expect(try bench.findings() == [])
        await bench.end()
    }

    @Test func `of another version of the model goes as far as that one stored a state, and no other state is stored`()
        async throws
    {
        let first = try bench(FirstNotes.self, NoteWorld())
        let short = try await first.create().handle.id
        let long = try await first.create().handle.id
        for number in 0..<5 { _ = await first.dispatch(.write(OldLine(line: "\(number)")), to: short) }
        for number in 0..<300 { _ = await first.dispatch(.write(OldLine(line: "\(number)")), to: long) }
        await first.close()

        let later = try bench(LaterNotes.self, in: first.location, NoteWorld(), time: first.time)
        await rest(later, until: 1)
        #expect(try await kept(later, short) == 1...5)
        #expect(try await kept(later, long) == 257...300)
        #expect(try later.findings() == [])
        for (id, head) in [(short, 5), (long, 300)] {
            #expect(
                await later.dispatch(.write(NewLine(text: "more")), to: id)
                    == "\(head + 2) true note/migrated@\(head + 1) note/write@\(head + 2)")
        }
        // Now they are this one's.
        await rest(later, until: 3)
        #expect(try await kept(later, short) == 7...7)
        #expect(try await kept(later, long) == 302...302)
        #expect(try later.findings() == [])
        await later.end()
    }

    @Test func `stays where what would be stored does not lead to what is stored`() async throws {
        let first = try bench(FirstNotes.self, NoteWorld())
        let id = try await first.create().handle.id
        for line in ["a", "b", "c"] { _ = await first.dispatch(.write(OldLine(line: line)), to: id) }
        await first.close()

        // Its reducer does something else, and its version does not say so.
        let broken = try bench(BrokenNotes.self, in: first.location, NoteWorld(), time: first.time)
        let sound = try await broken.create().handle.id
        for line in ["a", "b"] { _ = await broken.dispatch(.write(OldLine(line: line)), to: sound) }
        await rest(broken, until: 1)
        #expect(try await kept(broken, id) == 1...3)
        #expect(try await kept(broken, sound) == 2...2)
        await broken.end()
    }
}
