internal import HTTP

/// The unanswered requests of one connection, oldest first, and the answers that are ready before their turn.
///
/// Invariant: the first entry is never `ready`; such an answer has been moved to the output.
struct AnswerQueue: ~Copyable {
    /// One request that was started and whose answer has not wholly gone to the output.
    struct Entry {
        let lane: Lane
        let context: ResponseContext
        /// How its pieces are delimited, once it is a stream.
        var coding = StreamCoding.none
        var state: State
    }

    enum State {
        /// The responder has it.
        case awaited
        /// Answered, behind others.
        case ready(Response)
        /// Being answered piece by piece; the pieces wait here until it is first, and go straight to the output from then on.
        case streaming(waiting: [UInt8], ended: Bool)
    }

    private var entries: [Entry] = []
    /// The sequence number of the first entry.
    private(set) var first: UInt64 = 0
    /// Bytes of bodies that wait for answers before them.
    private(set) var waitingBytes = 0

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    /// Whether a stream is among them, so that what comes after it may wait for ever.
    private(set) var streams = 0

    /// Whether a request of `lane` may start beside all that are unanswered. Those all agree with each other, so the last speaks for them.
    func admits(_ lane: Lane) -> Bool {
        guard let last = entries.last else { return true }
        return streams == 0 && lane.mayRun(beside: last.lane)
    }

    /// Whether some request may start beside all that are unanswered.
    var admitsAny: Bool {
        guard let last = entries.last else { return true }
        return streams == 0 && last.lane != .exclusive
    }

    /// Adds a started request and gives it its number.
    mutating func append(lane: Lane, context: ResponseContext) -> UInt64 {
        entries.append(Entry(lane: lane, context: context, state: .awaited))
        return first &+ UInt64(entries.count - 1)
    }

    /// Where the entry of that number is; nil once it has been answered.
    func index(of sequence: UInt64) -> Int? {
        let distance = sequence &- first
        return distance < UInt64(entries.count) ? Int(distance) : nil
    }

    subscript(index: Int) -> Entry { entries[index] }

    /// Keeps an answer until those before it are there.
    mutating func hold(_ response: consuming Response, at index: Int) {
        waitingBytes += response.body.count
        entries[index].state = .ready(response)
    }

    /// Turns an awaited entry into a stream.
    mutating func beginStream(at index: Int, coding: StreamCoding, waiting: [UInt8]) {
        streams += 1
        waitingBytes += waiting.count
        entries[index].coding = coding
        entries[index].state = .streaming(waiting: waiting, ended: false)
    }

    /// Adds bytes to a stream that is not first yet.
    mutating func appendWaiting(_ bytes: [UInt8], at index: Int) {
        guard case .streaming(var waiting, let ended) = entries[index].state else { return }
        entries[index].state = .awaited  // no second owner while the array grows
        waiting += bytes
        entries[index].state = .streaming(waiting: waiting, ended: ended)
        waitingBytes += bytes.count
    }

    /// Marks a stream that is not first as ended.
    mutating func endWaiting(at index: Int) {
        guard case .streaming(let waiting, _) = entries[index].state else { return }
        entries[index].state = .streaming(waiting: waiting, ended: true)
    }

    /// A stream that has become first gives what waited.
    mutating func takeWaiting() -> [UInt8] {
        guard case .streaming(let waiting, let ended) = entries[0].state else { return [] }
        entries[0].state = .streaming(waiting: [], ended: ended)
        waitingBytes -= waiting.count
        return waiting
    }

    /// Whether the first of them is a stream.
    var isFirstStream: Bool {
        if case .streaming? = entries.first?.state { true } else { false }
    }

    /// Forgets the entries behind `index`: their answers are never sent, and late ones are for nobody.
    mutating func removeBehind(_ index: Int) {
        while entries.count > index + 1 { forget(entries.removeLast()) }
    }

    /// Forgets all entries: their answers are never sent, and late ones are for nobody.
    mutating func removeAll() {
        first &+= UInt64(entries.count)
        entries.removeAll()
        streams = 0
        waitingBytes = 0
    }

    /// Takes the first entry out: its answer has wholly gone to the output.
    mutating func removeFirst() {
        forget(entries.removeFirst())
        first &+= 1
    }

    private mutating func forget(_ entry: Entry) {
        switch entry.state {
        case .awaited: break
        case .ready(let response): waitingBytes -= response.body.count
        case .streaming(let waiting, _):
            streams -= 1
            waitingBytes -= waiting.count
        }
    }
}
