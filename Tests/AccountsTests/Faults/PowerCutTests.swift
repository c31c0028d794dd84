import Accounts
import Foundation
import Persistence
import Redux
import Testing

/// STORAGE: what was acknowledged survives a power cut at any instant, and a build without `synchronous=FULL` would be found out.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A power cut` {
    private static let lines = 40

    /// A life under load, remembered: two accounts, checkpoints in between, every answer noted with the mark as it was then.
    private struct Life {
        let cut: PowerCut
        let accounts: [AccountID]
        /// What each line was told, by its number over all accounts.
        let told: [Int: (account: Int, line: String, revision: Revision)]
    }

    private func live(isNormal: Bool = false, plan: FaultyDisk.Plan? = nil) async throws -> Life {
        let start = try await NoteKeeper.prepare()
        let disk = FaultyDisk(folder: start.folder, remembers: true, isNormal: isNormal)
        let initial = Copies.read(start.folder)
        FaultyFileSystem.insert(disk)
        let bench = try Bench<FirstNotes>(in: start.folder, environment: NoteWorld(), loops: 1)
        let accounts = [start.account, try await bench.create().handle.id]
        let told = Told()
        disk.arm(plan)
        for round in 0..<Self.lines / 10 {
            await withTaskGroup(of: Void.self) { group in
                for account in accounts.indices {
                    group.addTask {
                        for step in 0..<10 {
                            let number = (round * 10 + step) * 2 + account
                            let line = "line \(number)"
                            let answer = await bench.dispatch(.write(OldLine(line: line)), to: accounts[account])
                            guard let revision = Revision(answer.prefix { $0 != " " }) else { continue }
                            let mark = FileManager.default.contents(atPath: "\(start.folder)/\(Copies.database).mark")
                            disk.note(.acknowledged(number, mark: Array(mark ?? Data())))
                            await told.add(number, (account, line, revision))
                        }
                    }
                }
            }
            if round % 2 == 0 { await bench.checkpoint() }
        }
        let events = disk.events
        await bench.close()
        FaultyFileSystem.remove(disk)
        Copies.remove(start.folder)
        return Life(cut: PowerCut(initial: initial, events: events), accounts: accounts, told: await told.all)
    }

    private actor Told {
        var all: [Int: (account: Int, line: String, revision: Revision)] = [:]
        func add(_ number: Int, _ answer: (account: Int, line: String, revision: Revision)) { all[number] = answer }
    }

    /// What came of one cut.
    private enum Outcome: Equatable {
        case whole
        /// It opens, and an acknowledged line is not there.
        case lost
        /// It does not open, and says why.
        case refused(String)
    }

    private func play(_ life: Life, at index: Int, seed: UInt64) async throws -> Outcome {
        var generator = SeededGenerator(seed: seed)
        let image = life.cut.image(at: index, using: &generator)
        var files = image.files
        // The mark is written after each commit and not synced: the one before the first event, or the newest.
        if let mark = image.mark, Bool.random(using: &generator) {
            for path in files.keys where path.hasSuffix(".mark") { files[path] = mark }
        }
        let folder = try Copies.write(files)
        defer { Copies.remove(folder) }
        var options = Database.Options()
        options.freeBytesMin = 0
        options.indexGeneration = 8
        let database: Database
        do {
            database = try Database.open(path: "\(folder)/\(Copies.database)", model: "notes", mode: .existing, options: options)
        } catch {
            return .refused("\(error)")
        }
        var logs: [[String]] = []
        for account in life.accounts {
            let page = await withCheckedContinuation { done in
                database.entries(of: account, limit: 10_000) { done.resume(returning: $0) }
            }
            // The second account may be younger than the cut.
            logs.append(try page.get().entries.map { String(decoding: $0.payload, as: UTF8.self) })
        }
        await withCheckedContinuation { done in database.close { done.resume() } }
        for number in image.acknowledged {
            guard let (account, line, revision) = life.told[number] else { continue }
            let found = logs[account]
            guard found.count >= revision, found[Int(revision) - 1] == #"{"line":"\#(line)"}"# else { return .lost }
        }
        // Nothing that nobody sent, and nothing twice.
        return logs.allSatisfy { Set($0).count == $0.count } ? .whole : .lost
    }

    /// Cuts right after each answer, and at random instants.
    private func outcomes(of life: Life, cuts: Int) async throws -> [Outcome] {
        var generator = SeededGenerator(seed: 20_261_130)
        let answers = life.cut.events.indices.filter { if case .acknowledged = life.cut.events[$0] { true } else { false } }
        var found: [Outcome] = []
        for number in 0..<cuts {
            let index =
                number % 2 == 0
                ? (answers.randomElement(using: &generator) ?? 0) + 1
                : Int.random(in: 0...life.cut.events.count, using: &generator)
            found.append(try await play(life, at: index, seed: UInt64(number)))
        }
        return found
    }

    @Test func `loses no acknowledged action, at any instant, whatever of the unsynced writes survives`() async throws {
        let life = try await live()
        #expect(life.told.count == Self.lines * 2)
        let found = try await outcomes(of: life, cuts: 100)
        print("tried: power cut, \(found.count) cuts among \(life.cut.events.count) events")
        #expect(found.filter { $0 != .whole } == [])
    }

    @Test func `is shown to find a build out that commits with synchronous=NORMAL`() async throws {
        let life = try await live(isNormal: true)
        #expect(life.told.count == Self.lines * 2)
        let found = try await outcomes(of: life, cuts: 40)
        let lost = found.filter { $0 != .whole }.count
        print("tried: power cut under NORMAL, \(found.count) cuts, \(lost) lost something acknowledged")
        #expect(lost > 10, "only \(lost) of \(found.count) cuts lost something")
        // The mark finds out most of them, where it survived.
        #expect(
            found.contains {
                if case .refused(let reason) = $0 { reason.contains("acknowledged commits are missing") } else { false }
            })
    }

    @Test(arguments: [1, 2, 5, 9])
    func `after a failed sync, whose writes could be read until then, loses nothing that was acknowledged`(_ number: Int)
        async throws
    {
        let life = try await live(plan: .init(operation: .sync, failure: .error, number: number, lasts: false))
        #expect(life.told.count < Self.lines * 2, "the writer stops at the failed sync")
        #expect(life.cut.events.contains { if case .failedSync = $0 { true } else { false } })
        let found = try await outcomes(of: life, cuts: 20)
        #expect(found.filter { $0 != .whole } == [])
    }
}
