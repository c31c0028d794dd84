import Identity
import Sodium
import Synchronization
import Testing

/// An executor that runs nothing until it is told to.
private final class Steps: Sendable {
    private let work = Mutex<[@Sendable () -> Void]>([])

    var count: Int { work.withLock { $0.count } }

    func add(_ step: @escaping @Sendable () -> Void) { work.withLock { $0.append(step) } }

    func runOne() {
        let step = work.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        step?()
    }

    func runAll() {
        while count > 0 { runOne() }
    }
}

/// What was answered, in order.
private final class Answers<Answer: Sendable>: Sendable {
    private let list = Mutex<[Answer]>([])

    var all: [Answer] { list.withLock { $0 } }

    func add(_ answer: Answer) { list.withLock { $0.append(answer) } }
}

@Suite struct PasswordTests {
    @Test func `a password is hashed and checked`() throws {
        let steps = Steps()
        let queue = PasswordQueue(cost: .least) { steps.add($0) }
        let hashes = Answers<Result<PasswordHash, PasswordTrouble>>()
        queue.hash("password123") { hashes.add($0) }
        steps.runAll()
        let hash = try #require(try hashes.all.first?.get())
        let checks = Answers<Result<PasswordCheck, PasswordTrouble>>()
        queue.check("password123", against: hash) { checks.add($0) }
        queue.check("password124", against: hash) { checks.add($0) }
        queue.check("password123", against: nil) { checks.add($0) }
        #expect(checks.all.isEmpty, "nothing runs on the caller's stack")
        steps.runAll()
        #expect(checks.all == [.success(.right), .success(.wrong), .success(.wrong)])
    }

    @Test func `a hash of another cost is outdated`() throws {
        let steps = Steps()
        let queue = PasswordQueue(cost: .least) { steps.add($0) }
        let hash = try PasswordHash(of: "password123", cost: PasswordCost(passes: 2, memoryBytes: 8192))
        let checks = Answers<Result<PasswordCheck, PasswordTrouble>>()
        queue.check("password123", against: hash) { checks.add($0) }
        queue.check("wrong", against: hash) { checks.add($0) }
        steps.runAll()
        #expect(checks.all == [.success(.rightOutdated), .success(.wrong)])
    }

    @Test func `one runs at a time, in order, and no more wait than may`() {
        let steps = Steps()
        let queue = PasswordQueue(cost: .least, waitingMax: 3) { steps.add($0) }
        #expect(steps.count == 1, "the decoy is made first")
        let answers = Answers<String>()
        for name in ["a", "b", "c", "d", "e"] {
            queue.check(name, against: nil) { answers.add("\(name) \($0 == .failure(.overloaded) ? "overloaded" : "done")") }
        }
        #expect(answers.all == ["d overloaded", "e overloaded"])
        #expect(queue.waitingCount == 3)
        #expect(steps.count == 1)
        steps.runOne()
        #expect(steps.count == 1)
        #expect(queue.waitingCount == 2)
        queue.check("f", against: nil) { _ in answers.add("f done") }
        steps.runAll()
        #expect(answers.all == ["d overloaded", "e overloaded", "a done", "b done", "c done", "f done"])
        #expect(queue.waitingCount == 0)
    }

    @Test func `the queue takes work again after it was idle, and for long`() {
        let steps = Steps()
        let queue = PasswordQueue(cost: .least, waitingMax: 200) { steps.add($0) }
        let answers = Answers<Int>()
        for round in 0..<3 {
            for index in 0..<100 { queue.check("x", against: PasswordHash(text: "")) { _ in answers.add(round * 100 + index) } }
            steps.runAll()
        }
        #expect(answers.all == Array(0..<300))
    }

    @Test func `no memory is a trouble of its own`() {
        let steps = Steps()
        let queue = PasswordQueue(cost: PasswordCost(passes: 1, memoryBytes: 1 << 45)) { steps.add($0) }
        let answers = Answers<PasswordTrouble?>()
        queue.hash("password123") { answers.add($0.failure) }
        queue.check("password123", against: nil) { answers.add($0.failure) }
        steps.runAll()
        #expect(answers.all == [.outOfMemory, .outOfMemory])
    }

    @Test(
        arguments: [
            ("", .tooShort(charactersMin: 6)), ("12345", .tooShort(charactersMin: 6)), ("👨‍👩‍👧‍👦1234", .tooShort(charactersMin: 6)),
            ("123456", nil),
            ("      ", nil), ("éééééé", nil), (String(repeating: "x", count: 1024), nil),
            (String(repeating: "x", count: 1025), .tooLong(bytesMax: 1024)),
        ] as [(String, PasswordPolicy.Fault?)])
    func `the policy counts characters and bounds bytes`(password: String, fault: PasswordPolicy.Fault?) {
        #expect(PasswordPolicy().fault(in: password) == fault)
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

@Suite struct LockTests {
    private let policy = LockPolicy(failuresMax: 3, window: 1000, lockDuration: 5000)

    @Test func `failures within the window lock for a while`() {
        var record = LockPolicy.Record()
        for time in [10_000, 10_400] as [Int64] { policy.recordFailure(in: &record, at: time) }
        #expect(policy.standing(of: record, at: 10_500) == .open)
        policy.recordFailure(in: &record, at: 10_999)
        #expect(policy.standing(of: record, at: 10_999) == .locked(milliseconds: 5000))
        #expect(policy.standing(of: record, at: 15_998) == .locked(milliseconds: 1))
        #expect(policy.standing(of: record, at: 15_998).retryAfterSeconds == 1)
        #expect(policy.standing(of: record, at: 15_999) == .open)
    }

    @Test func `failures leave the window`() {
        var record = LockPolicy.Record()
        for time in [0, 500, 1000, 1500, 2000] as [Int64] { policy.recordFailure(in: &record, at: time) }
        #expect(policy.standing(of: record, at: 2000) == .open)
        #expect(record.failures == [1500, 2000])
    }

    @Test func `tries while locked neither count nor prolong`() {
        var record = LockPolicy.Record()
        for _ in 0..<3 { policy.recordFailure(in: &record, at: 0) }
        for time in [1, 2, 3, 4999] as [Int64] { policy.recordFailure(in: &record, at: time) }
        #expect(policy.standing(of: record, at: 5000) == .open)
        // After the lock the count starts anew.
        policy.recordFailure(in: &record, at: 5000)
        policy.recordFailure(in: &record, at: 5001)
        #expect(policy.standing(of: record, at: 5001) == .open)
        policy.recordFailure(in: &record, at: 5002)
        #expect(policy.standing(of: record, at: 5002) == .locked(milliseconds: 5000))
    }

    @Test func `success wipes the slate`() {
        var record = LockPolicy.Record()
        policy.recordFailure(in: &record, at: 0)
        policy.recordFailure(in: &record, at: 1)
        policy.recordSuccess(in: &record)
        policy.recordFailure(in: &record, at: 2)
        #expect(policy.standing(of: record, at: 2) == .open)
        #expect(record.failures == [2])
    }

    @Test func `a clock set back does not prolong a lock`() {
        var record = LockPolicy.Record()
        for _ in 0..<3 { policy.recordFailure(in: &record, at: 1_000_000) }
        #expect(policy.standing(of: record, at: 1_000_000) == .locked(milliseconds: 5000))
        #expect(policy.standing(of: record, at: 999_999) == .open)
    }

    @Test func `a record is bounded`() {
        var record = LockPolicy.Record()
        let lenient = LockPolicy(failuresMax: 3, window: .max, lockDuration: 1)
        for time in 0..<100 as Range<Int64> { lenient.recordFailure(in: &record, at: time * 2) }
        #expect(record.failures.count < 3)
    }

    @Test func `sessions end at their expiry`() {
        let policy = SessionPolicy(lifetime: 1000)
        #expect(policy.expiry(from: 5) == 1005)
        #expect(policy.expiry(from: .max - 1) == .max)
        #expect(!SessionPolicy.isExpired(1005, at: 1004))
        #expect(SessionPolicy.isExpired(1005, at: 1005))
        #expect(SessionPolicy.unending.expiry(from: 5) == nil)
        #expect(!SessionPolicy.isExpired(nil, at: .max))
    }
}
