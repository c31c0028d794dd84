import Accounts
import Persistence
import Redux
import Runtime
import Testing

/// STORAGE: every operation of a scenario fails in turn, once or from then on, in each way it can.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A disk that fails at any operation` {
    /// An operation and a way in which it fails.
    struct Fault: CustomTestStringConvertible, Sendable {
        let operation: FaultyDisk.Operation
        let failure: FaultyDisk.Failure
        let lasts: Bool
        var testDescription: String { "\(operation) \(failure)\(lasts ? " from then on" : "")" }

        /// Torn writes for good differ from none at all only in the first.
        static let all: [Fault] = [false, true].flatMap { lasts in
            (lasts ? [.error, .full] : FaultyDisk.Failure.allCases).map { Fault(operation: .write, failure: $0, lasts: lasts) }
                + [.sync, .truncate, .read].map { Fault(operation: $0, failure: .error, lasts: lasts) }
        }
    }

    private static let lines = 1...5
    /// Operations of a scenario, at most: a sweep that has not ended by then would never.
    private static let operationsMax = 2_000

    @Test(arguments: Fault.all)
    func `loses nothing that was acknowledged, invents nothing, and all is right again after it`(_ fault: Fault) async throws {
        let start = try await NoteKeeper.prepare()
        var number = 1
        while number < Self.operationsMax {
            let plan = FaultyDisk.Plan(operation: fault.operation, failure: fault.failure, number: number, lasts: fault.lasts)
            guard try await run(plan, from: start, "\(fault.testDescription), \(number)") else { break }
            number += 1
        }
        // For the table of faults: how many were tried.
        print("tried: \(fault.testDescription), \(number - 1) operations")
        #expect(number > (fault.operation == .truncate ? 0 : 1), "no operation of this kind was met")
        Copies.remove(start.folder)
    }

    /// One scenario with one fault; false where it was over before the fault.
    private func run(_ plan: FaultyDisk.Plan, from start: (folder: String, account: AccountID), _ comment: Comment) async throws
        -> Bool
    {
        let folder = try Copies.copy(start.folder)
        let disk = FaultyDisk(folder: folder)
        FaultyFileSystem.insert(disk)
        defer {
            FaultyFileSystem.remove(disk)
            Copies.remove(folder)
        }
        let keeper = NoteKeeper(start.account)
        var bench = try Bench<FirstNotes>(in: folder, environment: NoteWorld(), loops: 1)
        disk.arm(plan)
        for number in Self.lines {
            await keeper.write(number, on: bench)
            // A checkpoint in the middle, so that the log is begun anew, too.
            if number == 3 { await bench.checkpoint() }
        }
        if disk.fired == 0 {
            // It may come while all is written back and the log is emptied.
            await bench.close()
        } else if bench.accounts.database.metrics.hasFailed {
            // The writer has stopped for good: only a new start tells what became of the last writes. Until then, reads go on.
            disk.heal()
            let fate = await keeper.write(99, on: bench)
            #expect(fate == .unknown || plan.operation == .read && fate == .refused, "\(comment)")
            try await keeper.compare(with: bench.accounts.database, comment)
            await bench.close()
        } else {
            disk.heal()
            // An account that could not be read is set aside for a minute.
            bench.time.advance(byMilliseconds: 60_001)
            try await keeper.settle(Self.lines, on: bench, comment)
            await bench.close()
        }
        let hasFired = disk.fired > 0
        disk.heal()
        bench = try Bench<FirstNotes>(in: folder, environment: NoteWorld(), loops: 1)
        try await keeper.settle(Self.lines, on: bench, comment)
        await bench.close()
        let whole = try Examination(
            FirstNotes.self, of: Inspector.open(path: folder + "/\(Copies.database)", model: nil), asking: .isWhole)
        #expect(whole.findings == [], "\(comment)")
        return hasFired
    }

    @Test(arguments: [FaultyDisk.Operation.read, .write, .sync])
    func `while it is opened after a kill -9 is refused, or whole; the next start is whole`(_ operation: FaultyDisk.Operation)
        async throws
    {
        let start = try await NoteKeeper.prepare()
        let keeper = NoteKeeper(start.account)
        let bench = try Bench<FirstNotes>(in: start.folder, environment: NoteWorld(), loops: 1)
        for number in 1...5 { await keeper.write(number, on: bench) }
        let killed = try Copies.copy(start.folder)
        await bench.end()
        var refusals = 0
        for number in 1..<Self.operationsMax {
            let folder = try Copies.copy(killed)
            let disk = FaultyDisk(folder: folder)
            FaultyFileSystem.insert(disk)
            disk.arm(.init(operation: operation, failure: .error, number: number, lasts: false))
            let opened: Bench<FirstNotes>?
            do { opened = try Bench(in: folder, environment: NoteWorld(), loops: 1) } catch is StorageFault { opened = nil }
            let hasFired = disk.fired > 0
            disk.heal()
            if let opened {
                try await keeper.compare(with: opened.accounts.database, "\(operation) \(number)")
                await opened.close()
            } else {
                refusals += 1
            }
            let again = try Bench<FirstNotes>(in: folder, environment: NoteWorld(), loops: 1)
            try await keeper.compare(with: again.accounts.database, "\(operation) \(number), again")
            await again.end()
            FaultyFileSystem.remove(disk)
            guard hasFired else { break }
        }
        print("tried: \(operation) error while opening, \(refusals) refused")
        #expect(refusals > 0)
        Copies.remove(killed)
    }
}
