internal import JSON
internal import Persistence
internal import Redux

/// The followers of one account, and its newest transitions for those who come back soon. Confined to the account's shard.
///
/// There is one only while somebody follows; it keeps the account's store in memory, and outlives a store that is dropped after a failed commit.
final class AccountFeed<Model: AccountModel> {
    /// Transitions kept for those who reconnect: whichever bound is met first.
    static var eventsKeptMax: Int { 64 }
    static var bytesKeptMax: Int { 32 * 1024 }

    private(set) var handle: AccountHandle
    private var listeners: [UInt64: FeedListener] = [:]
    private var patchers = 0
    /// Gapless, oldest first, up to the last update.
    private var recent: [FeedEvent] = []
    private var recentBytes = 0
    /// The state the next patch starts from; nil where it is not known, so that patches have to be made from the log.
    private var base: (point: History<Model>.Point, json: JSONValue)?

    init(_ handle: AccountHandle) {
        self.handle = handle
        handle.keep()
    }

    var isEmpty: Bool { listeners.isEmpty }

    /// Adds a listener; `committed` is the committed state, where it is at hand.
    func add(_ id: UInt64, _ listener: FeedListener, committed: @autoclosure () -> History<Model>.Point?) {
        precondition(listeners.updateValue(listener, forKey: id) == nil, "a follower follows once")
        guard listener.wantsPatches else { return }
        patchers += 1
        if base == nil, let point = committed() { setBase(point) }
    }

    func remove(_ id: UInt64) {
        guard let listener = listeners.removeValue(forKey: id), listener.wantsPatches else { return }
        patchers -= 1
        if patchers == 0 { base = nil }
    }

    /// The last follower has gone.
    func close() { handle.release() }

    /// The kept transitions after a revision; empty where they do not reach back so far.
    func backlog(after revision: Revision) -> [FeedEvent] {
        guard let oldest = recent.first?.revision, oldest <= revision + 1 else { return [] }
        return Array(recent[min(recent.count, Int(revision + 1 - oldest))...])
    }

    /// Takes over a store that was loaded again.
    func attach(_ handle: AccountHandle) {
        self.handle = handle
        handle.keep()
        forget()
        send([])
    }

    /// Shows the published state anew, though no revision was added: what views consult has changed.
    func refresh() { send([]) }

    /// Tells of committed entries; `point` is the state after them.
    func tell(_ entries: [LogEntry], reaching point: History<Model>.Point, history: History<Model>) {
        let events = events(of: entries, reaching: point, history: history)
        keep(events)
        send(events)
    }

    private func send(_ events: [FeedEvent]) {
        let update = FeedUpdate(handle: handle, published: handle.published, events: events)
        for listener in listeners.values { listener.receive(update) }
    }

    private func events(of entries: [LogEntry], reaching point: History<Model>.Point, history: History<Model>) -> [FeedEvent] {
        guard patchers > 0 else { return entries.map { FeedEvent($0) } }
        guard let base, base.point.revision + 1 == entries.first?.revision else {
            setBase(point)
            return entries.map { FeedEvent($0) }
        }
        do {
            var patching = Patching(point: base.point, json: base.json, history: history)
            let events = try entries.map { try patching.event($0) }
            self.base = (patching.point, patching.json)
            return events
        } catch {
            // The log is the authority: whoever wants patches reads it, and is told there what is wrong.
            self.base = nil
            return entries.map { FeedEvent($0) }
        }
    }

    private func setBase(_ point: History<Model>.Point) {
        base = (try? JSONEncoding.encodeValue(point.state)).map { (point, $0) }
    }

    private func keep(_ events: [FeedEvent]) {
        if let last = recent.last, let first = events.first, last.revision + 1 != first.revision { forget() }
        for event in events {
            recent.append(event)
            recentBytes += event.entry.approximateBytes
        }
        var surplus = 0
        while recent.count - surplus > Self.eventsKeptMax || recentBytes > Self.bytesKeptMax {
            recentBytes -= recent[surplus].entry.approximateBytes
            surplus += 1
        }
        recent.removeFirst(surplus)
    }

    private func forget() {
        recent = []
        recentBytes = 0
        base = nil
    }
}

/// Makes each transition's patch by running it again on the state before it.
struct Patching<Model: AccountModel> {
    private(set) var point: History<Model>.Point
    private(set) var json: JSONValue
    private let history: History<Model>

    init(point: History<Model>.Point, json: JSONValue, history: History<Model>) {
        self.point = point
        self.json = json
        self.history = history
    }

    mutating func event(_ entry: LogEntry) throws -> FeedEvent {
        try history.apply(entry, to: &point)
        let next = try JSONEncoding.encodeValue(point.state)
        defer { json = next }
        return FeedEvent(entry, patch: JSONPatch.difference(from: json, to: next).document.canonicalBytes)
    }
}
