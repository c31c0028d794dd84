import Testing

@testable import HTTP

/// The corpus in Tests/Wire against the parser alone. What needs a server (answers' fields, 404 and 405, interim answers,
/// time) is judged by run.py against a running one.
@Suite struct `Wire cases` {
    @Test func `the corpus is there`() {
        #expect(WireCase.all.count >= 264 + 400)
        #expect(Set(WireCase.all.map(\.id)).count == WireCase.all.count)
    }

    @Test(arguments: WireCase.all) func `the parser meets the expectation`(_ wire: WireCase) {
        let replay = Replay(wire.bytes)
        let found = misses(wire, wire.expect, replay)
        let met = found.isEmpty || (wire.alternatives ?? []).contains { misses(wire, $0, replay).isEmpty }
        #expect(met, "\(wire.id): \(found); saw \(replay.events)")
    }

    /// Where refusing and repairing are both allowed, this parser refuses: all cases but these are met as first stated.
    @Test func `alternatives are the exception`() {
        let byAlternative = WireCase.all.filter { !misses($0, $0.expect, Replay($0.bytes)).isEmpty }.map(\.id)
        #expect(byAlternative == [])
    }

    @Test(arguments: WireCase.all) func `a byte at a time gives the same events`(_ wire: WireCase) {
        let bytes = wire.bytes
        #expect(Replay(bytes, splitAt: bytes.indices.dropFirst()) == Replay(bytes))
    }

    /// Long cases at a sample of offsets: both ends, and a stride that is no multiple of anything in them.
    @Test(arguments: WireCase.all) func `a split at every offset gives the same events`(_ wire: WireCase) {
        let bytes = wire.bytes
        let whole = Replay(bytes)
        let offsets =
            bytes.count <= 1_000
            ? Array(bytes.indices)
            : Array(0..<150) + Array(stride(from: 150, to: bytes.count - 150, by: bytes.count / 40 + 1))
                + Array(bytes.count - 150..<bytes.count)
        for offset in offsets {
            let split = Replay(bytes, splitAt: [offset])
            if split != whole { Issue.record("split at \(offset): \(split.events) instead of \(whole.events)") }
        }
    }

    /// What of the expectation does not hold, as far as the parser decides it.
    private func misses(_ wire: WireCase, _ expect: WireCase.Outcome, _ replay: Replay) -> [String] {
        var found: [String] = []
        var statuses = replay.answered.map { seen -> Int? in
            if case .fault(let status, _) = seen { status } else { nil }
        }
        if wire.halfClose == true, let fault = replay.faultAtEnd { statuses.append(fault) }
        if let responses = expect.responses, statuses.count != responses {
            found.append("\(statuses.count) answers, \(responses) wanted")
        }
        if let wanted = expect.statuses {
            for (status, allowed) in zip(statuses, wanted) {
                if let status, !allowed.contains(status) { found.append("\(status), one of \(allowed) wanted") }
            }
        } else if let fault = replay.fault {
            if expect.status?.isEmpty != false { found.append("the fault \(fault), none wanted") }
            if let allowed = expect.status, !allowed.isEmpty, !allowed.contains(fault) {
                found.append("the fault \(fault), one of \(allowed) wanted")
            }
        }
        if wire.framing == "invalid", replay.fault == nil, wire.halfClose != true { found.append("no fault") }
        let ends = replay.isStopped || wire.halfClose == true
        if expect.close == true, !ends { found.append("left open") }
        if expect.close == false, ends { found.append("closed") }
        // 413 is known from the head, so that no interim answer is due.
        if expect.interim == [], replay.expectsContinue { found.append("an interim answer") }
        if expect.interim == [100], !replay.expectsContinue { found.append("no interim answer") }
        return found
    }
}
