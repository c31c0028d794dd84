import Testing

@testable import Accounts

@Suite struct `The output gate` {
    @Test func `is open for what is committed, while nobody waits`() {
        var gate = OutputGate<String>(committed: 3)
        #expect(gate.isOpen(for: 3))
        #expect(!gate.isOpen(for: 4))
        gate.hold("four", until: 4)
        #expect(!gate.isOpen(for: 3), "an answer may not overtake an earlier one")
    }

    @Test func `releases in order, as far as the commit reaches`() {
        var gate = OutputGate<String>(committed: 0)
        gate.hold("one", until: 1)
        gate.hold("refusal that saw one", until: 1)
        gate.hold("two", until: 2)
        var out: [String] = []
        gate.release(through: 1) { out.append($0) }
        #expect(out == ["one", "refusal that saw one"])
        gate.release(through: 2) { out.append($0) }
        #expect(out.last == "two")
        #expect(gate.count == 0)
        #expect(gate.committed == 2)
    }

    @Test func `hands out everything once when a commit fails`() {
        var gate = OutputGate<Int>(committed: 0)
        for number in 1...600 { gate.hold(number, until: Int64(number)) }
        var released: [Int] = []
        gate.release(through: 300) { released.append($0) }
        var failed: [Int] = []
        gate.fail { failed.append($0) }
        gate.fail { failed.append($0) }
        #expect(released == Array(1...300))
        #expect(failed == Array(301...600))
    }
}
