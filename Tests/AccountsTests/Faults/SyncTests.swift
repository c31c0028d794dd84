import Accounts
import Persistence
import Redux
import Testing

/// What is synced, and when: counted under SQLite, by the same file system that fails in the other tests.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `Syncs of the log` {
    /// Runs `body` over a new database whose disk remembers, armed once it is open.
    private func remembered(
        faults: FaultInjection = .none, _ body: (Bench<FirstNotes>, FaultyDisk, AccountID) async throws -> Void
    ) async throws {
        let start = try await NoteKeeper.prepare()
        let disk = FaultyDisk(folder: start.folder, remembers: true)
        FaultyFileSystem.insert(disk)
        let bench = try Bench<FirstNotes>(in: start.folder, environment: NoteWorld(), loops: 1, faults: faults)
        // The log's first header has a sync of its own.
        _ = await bench.dispatch(.write(OldLine(line: "zero")), to: start.account)
        disk.arm()
        try await body(bench, disk, start.account)
        await bench.end()
        FaultyFileSystem.remove(disk)
    }

    /// Dispatches a line, and notes when its answer comes.
    private func write(_ number: Int, to account: AccountID, on bench: Bench<FirstNotes>, _ disk: FaultyDisk) async {
        let request = DispatchRequest<FirstNotes>([.write(OldLine(line: "line \(number)"))], render: Bench.render)
        await withCheckedContinuation { done in
            bench.accounts.dispatch(request, to: account) { _ in
                disk.note(.acknowledged(number, mark: []))
                done.resume()
            }
        }
    }

    @Test func `one client alone sees one sync for each action`() async throws {
        try await remembered { bench, disk, account in
            for number in 0..<20 { await write(number, to: account, on: bench, disk) }
            #expect(disk.count(of: .sync) == 20)
        }
    }

    @Test func `many clients share them, without waiting for each other`() async throws {
        let gate = CommitGate()
        try await remembered(faults: gate.injection) { bench, disk, account in
            // The first commit lasts until all have come.
            gate.close()
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<400 { group.addTask { await self.write(number, to: account, on: bench, disk) } }
                await bench.until { gate.isStanding && bench.accounts.counters.actionsWaiting.current == 400 }
                gate.open()
            }
            #expect(disk.count(of: .sync) <= 2, "\(disk.count(of: .sync)) syncs for 400 actions that came at once")
        }
    }

    @Test func `no answer leaves while anything written before it is not synced`() async throws {
        try await remembered { bench, disk, account in
            for number in 0..<20 { await write(number, to: account, on: bench, disk) }
            await bench.checkpoint()
            for number in 20..<40 { await write(number, to: account, on: bench, disk) }
            var dirty: Set<String> = []
            var answers = 0
            for event in disk.events {
                switch event {
                case .write(let path, _, _) where path.hasSuffix("-wal"): dirty.insert(path)
                case .sync(let path): dirty.remove(path)
                case .acknowledged(let number, _):
                    answers += 1
                    #expect(dirty.isEmpty, "the answer to action \(number) left before its sync")
                default: break
                }
            }
            #expect(answers == 40)
        }
    }
}
