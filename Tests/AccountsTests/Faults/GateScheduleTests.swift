import Accounts
import Persistence
import Redux
import Synchronization
import Testing

/// DESIGN 1.5, the output gate, against generated schedules of {reduce, refuse, precondition, dry run, read, commit, commit fails, crash}.
///
/// The writer stands still at each commit until the schedule says how it ends, so that working states run ahead of the disk as far as the
/// schedule lets them. At the moment an answer leaves, a witness beside the service looks at what is committed.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `The output gate under schedules` {
    @Test(arguments: UInt64(0)..<40) func `lets nothing out that the disk does not hold`(_ seed: UInt64) async throws {
        var run = try await ScheduleRun(seed: seed)
        for _ in 0..<50 { try await run.step() }
        try await run.end()
    }
}

/// One schedule, and what is held against the service.
private struct ScheduleRun {
    private let seed: UInt64
    private var generator: SeededGenerator
    private var gate = CommitGate()
    private var bench: Bench<Till>
    private var witness: Witness
    private let accounts: [AccountID]
    private var answers = Answers()
    private var oracle: GateOracle

    init(seed: UInt64) async throws {
        self.seed = seed
        generator = SeededGenerator(seed: seed)
        oracle = GateOracle(seed: seed)
        let bench = try Bench<Till>(environment: NoteWorld(), loops: 1, faults: gate.injection)
        accounts = [try await bench.create().handle.id, try await bench.create().handle.id]
        self.bench = bench
        witness = try #require(Witness("\(bench.location)/\(Copies.database)"))
        gate.close()
    }

    mutating func step() async throws {
        let number = oracle.sent + 1
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<5: send([.put(Coin(number: number))])
        case 5..<9: send([.take(Coin(number: number))])
        case 9: send([.put(Coin(number: number)), .take(Coin(number: -number))])
        case 10: send([.put(Coin(number: number))], isDryRun: true)
        case 11: send([.put(Coin(number: number))]) { $0.precondition = .tags([Array("\"never.0\"".utf8)]) }
        case 12..<15: read()
        case 15..<18: await commit(.commits)
        case 18 where Bool.random(using: &generator): await commit(.full)
        case 18:
            await commit(.unknown)
            try await crash()
        default: try await crash()
        }
        oracle.hear(answers.now)
    }

    /// Sends without waiting.
    private mutating func send(
        _ actions: [TillAction], isDryRun: Bool = false, _ change: (inout DispatchRequest<Till>) -> Void = { _ in }
    ) {
        let number = oracle.send(isDryRun: isDryRun)
        var request = DispatchRequest<Till>(actions, render: Bench<Till>.render)
        request.isDryRun = isDryRun
        change(&request)
        let account = accounts[Int.random(in: accounts.indices, using: &generator)]
        let (witness, answers, bench) = (witness, answers, bench)
        bench.accounts.dispatch(request, to: account) { verdict in
            let text: String =
                switch verdict {
                case .refused(let refusal, _): "refused \(refusal.detail)"
                case .preconditionFailed(let head): "precondition \(head)"
                default: bench.text(of: verdict)
                }
            answers.add(.init(number: number, text: text, log: witness.log(of: account.rawValue)))
        }
    }

    /// What readers see is committed.
    private func read() {
        for account in accounts {
            guard let handle = bench.accounts.directory.find(account) else { continue }
            let published = handle.published.revision
            #expect(
                published <= Revision(witness.log(of: account.rawValue).count), "seed \(seed): a reader sees ahead of the disk")
        }
    }

    /// Whether a request has no answer: then the writer comes to a commit, or the answer by itself.
    private var isWaiting: Bool { answers.now.count < oracle.sent }

    private mutating func commit(_ verdict: CommitGate.Verdict) async {
        let (gate, answers, sent) = (gate, answers, oracle.sent)
        await bench.until { gate.isStanding || answers.now.count == sent }
        if gate.isStanding { gate.decide(verdict) }
    }

    /// Kill -9: the files as they are at this instant, and a service that starts on them.
    private mutating func crash() async throws {
        oracle.hear(answers.now)
        let told = answers.now
        let folder = try Copies.copy(bench.location)
        let (old, oldGate) = (bench, gate)
        gate = CommitGate()
        bench = try Bench<Till>(in: folder, environment: NoteWorld(), loops: 1, faults: gate.injection)
        witness = try #require(Witness("\(folder)/\(Copies.database)"))
        gate.close()
        // What the dead one says from now on nobody hears.
        answers = Answers(told + oracle.unheard(in: told))
        oracle.hear(answers.now)
        oldGate.open()
        await old.end()
        oracle.compare(with: accounts.map { witness.log(of: $0.rawValue) })
    }

    mutating func end() async throws {
        while isWaiting { await commit(.commits) }
        oracle.hear(answers.now)
        gate.open()
        await bench.close()
        oracle.compare(with: accounts.map { witness.log(of: $0.rawValue) })
        let found = try Examination(
            Till.self, of: Inspector.open(path: "\(bench.location)/\(Copies.database)", model: nil), asking: .isWhole)
        #expect(found.findings == [], "seed \(seed)")
        Copies.remove(bench.location)
    }
}

/// The answers that have left, in order.
private final class Answers: Sendable {
    private let all: Mutex<[GateOracle.Answer]>
    init(_ told: [GateOracle.Answer] = []) { all = Mutex(told) }
    func add(_ answer: GateOracle.Answer) { all.withLock { $0.append(answer) } }
    var now: [GateOracle.Answer] { all.withLock { $0 } }
}

/// What clients were told, held against what was committed when they were told, and ever after.
private struct GateOracle {
    /// An answer, in the words of `Bench`, and the payloads of its account's log when it left.
    struct Answer: Sendable {
        let number: Int
        let text: String
        let log: [String]
    }

    private static let nobodyHeard = "unheard"

    let seed: UInt64
    private(set) var sent = 0
    private var dryRuns: Set<Int> = []
    private var heard = 0
    private var done: [Int: Revision] = [:]
    private var refused: Set<Int> = []

    init(seed: UInt64) { self.seed = seed }

    /// The number of the next request.
    mutating func send(isDryRun: Bool) -> Int {
        sent += 1
        if isDryRun { dryRuns.insert(sent) }
        return sent
    }

    /// Stands for the answers that will never come.
    func unheard(in told: [Answer]) -> [Answer] {
        let numbers = Set(told.map(\.number))
        return (0..<sent).map { $0 + 1 }.filter { !numbers.contains($0) }.map {
            Answer(number: $0, text: Self.nobodyHeard, log: [])
        }
    }

    /// Takes the answers that are new.
    mutating func hear(_ all: [Answer]) {
        for answer in all[heard...] { hear(answer) }
        heard = all.count
    }

    private mutating func hear(_ answer: Answer) {
        let words = answer.text.split(separator: " ")
        let committed = Revision(answer.log.count)
        if words.first == "refused" || words.first == "precondition" {
            refused.insert(answer.number)
            let seen = words.count > 1 ? Revision(words[1]) ?? .max : .max
            #expect(seen <= committed, "seed \(seed): \(answer.text) saw what is not committed")
        } else if let revision = words.first.flatMap({ Revision($0) }) {
            if dryRuns.contains(answer.number) {
                refused.insert(answer.number)
                #expect(revision - 1 <= committed, "seed \(seed): a dry run saw what is not committed")
            } else {
                let index = answer.log.firstIndex(of: Self.payload(answer.number))
                #expect(index != nil && revision <= committed, "seed \(seed): told before it was committed: \(answer.text)")
                done[answer.number] = Revision(index ?? 0) + 1
            }
        } else if answer.text.contains("CommitFault.full") {
            refused.insert(answer.number)
        } else {
            let isUnknown =
                answer.text.contains("conflict") || answer.text.contains("outcomeUnknown") || answer.text == Self.nobodyHeard
            #expect(isUnknown, "seed \(seed): \(answer.text)")
        }
    }

    private static func payload(_ number: Int) -> String { #"{"number":\#(number)}"# }

    /// Everything told of is in the logs, once, where it was; nothing refused is.
    func compare(with logs: [[String]]) {
        for log in logs { #expect(Set(log).count == log.count, "seed \(seed): an action is there twice") }
        for (number, revision) in done {
            let isThere = logs.contains { $0.count >= revision && $0[Int(revision) - 1] == Self.payload(number) }
            #expect(isThere, "seed \(seed): \(number) is lost")
        }
        for number in refused {
            #expect(!logs.contains { $0.contains(Self.payload(number)) }, "seed \(seed): \(number) was refused, and is there")
        }
    }
}
