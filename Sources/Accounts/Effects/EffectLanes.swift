internal import Persistence
internal import Redux

/// Which due effects may run at once: a value without I/O.
///
/// An effect passes its lanes one after the other, always in the same order (that of its kind within the account, its key, its account,
/// its kind, all), so that none waits for a lane while another waits for one that it holds. In a full lane it waits its turn.
struct EffectLanes {
    /// Something that only so many may hold at once.
    enum Lane: Hashable {
        /// One at a time, in order: a kind that asks for it.
        case order(AccountID, kind: String)
        /// One at a time: a newer call under a key waits until the older one is over, so that the older never finishes last.
        case key(EffectKey)
        case account(AccountID)
        case kind(String)
        case all
    }

    private struct Pass {
        let entry: OutboxEntry
        let lanes: [Lane]
        /// How many of the lanes it holds, from the first.
        var held = 0
    }

    private struct Occupancy {
        var taken = 0
        private var queue: [Pass] = []
        private var start = 0

        var isEmpty: Bool { taken == 0 && start == queue.count }

        mutating func append(_ pass: Pass) { queue.append(pass) }

        mutating func popFirst() -> Pass? {
            guard start < queue.count else { return nil }
            defer {
                start += 1
                if start == queue.count { (queue, start) = ([], 0) }
            }
            return queue[start]
        }
    }

    private let limits: EffectLimits
    private var occupancies: [Lane: Occupancy] = [:]
    private var running: [OutboxID: [Lane]] = [:]
    private var void: Set<OutboxID> = []

    init(_ limits: EffectLimits) {
        self.limits = limits
    }

    /// How many run.
    var runningCount: Int { running.count }

    /// Lets an entry in: true where it may run now; else it waits, and comes out of a later `leave`.
    mutating func enter(_ entry: OutboxEntry, isOrdered: Bool) -> Bool {
        var lanes: [Lane] = isOrdered ? [.order(entry.account, kind: entry.kind)] : []
        if let key = EffectKey(entry) { lanes.append(.key(key)) }
        lanes += [.account(entry.account), .kind(entry.kind), .all]
        return advance(Pass(entry: entry, lanes: lanes)) != nil
    }

    /// A run is over: returns those that may run now in its place.
    mutating func leave(_ id: OutboxID) -> [OutboxEntry] {
        guard let lanes = running.removeValue(forKey: id) else { return [] }
        return release(lanes)
    }

    /// An entry that waits is not to be run any more: it leaves once its turn comes.
    mutating func forget(_ id: OutboxID) {
        if running[id] == nil { void.insert(id) }
    }

    private func capacity(of lane: Lane) -> Int {
        switch lane {
        case .order, .key: 1
        case .account: limits.runningPerAccountMax
        case .kind: limits.runningPerKindMax
        case .all: limits.runningMax
        }
    }

    /// Takes lane after lane; nil where it has to wait.
    private mutating func advance(_ pass: Pass) -> OutboxEntry? {
        var pass = pass
        while pass.held < pass.lanes.count {
            let lane = pass.lanes[pass.held]
            guard occupancies[lane, default: Occupancy()].taken < capacity(of: lane) else {
                occupancies[lane]?.append(pass)
                return nil
            }
            occupancies[lane, default: Occupancy()].taken += 1
            pass.held += 1
        }
        running[pass.entry.id] = pass.lanes
        return pass.entry
    }

    private mutating func release(_ lanes: [Lane]) -> [OutboxEntry] {
        var started: [OutboxEntry] = []
        var freed = lanes
        while let lane = freed.popLast() {
            guard occupancies[lane] != nil else { continue }
            occupancies[lane]?.taken -= 1
            // One place is free: the first that still wants it takes it.
            while let next = occupancies[lane]?.popFirst() {
                if void.remove(next.entry.id) != nil {
                    freed.append(contentsOf: next.lanes.prefix(next.held))
                    continue
                }
                if let entry = advance(next) { started.append(entry) }
                break
            }
            if occupancies[lane]?.isEmpty == true { occupancies[lane] = nil }
        }
        return started
    }
}
