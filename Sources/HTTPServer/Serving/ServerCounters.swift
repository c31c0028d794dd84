internal import Synchronization

/// What a server has done since it started, and what it holds now; for metrics.
public struct ServerCounters: Hashable, Sendable {
    /// Connections open now.
    public var connectionsOpen = 0
    /// Connections accepted, those turned away included.
    public var connectionsAccepted = 0
    /// Connections turned away with 503 or 429.
    public var connectionsRefused = 0
    /// Times that accepting paused because descriptors or connections had run out.
    public var acceptPauses = 0
    /// Requests handed to the responder.
    public var requests = 0
    /// Bytes read from clients, heads and framing included.
    public var bytesReceived = 0
    /// Bytes that the system took for clients, heads and framing included.
    public var bytesSent = 0
}

/// One loop's counts: written by that loop alone, read by any thread, so that no two processors share a cache line for them.
final class ShardCounters: Sendable {
    private let requests = Atomic<Int>(0)
    private let bytesReceived = Atomic<Int>(0)
    private let bytesSent = Atomic<Int>(0)

    // One writer: a load and a store need no locked instruction.
    func requested() { requests.store(requests.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }
    func received(_ count: Int) { bytesReceived.store(bytesReceived.load(ordering: .relaxed) &+ count, ordering: .relaxed) }
    func sent(_ count: Int) { bytesSent.store(bytesSent.load(ordering: .relaxed) &+ count, ordering: .relaxed) }

    func add(to sum: inout ServerCounters) {
        sum.requests += requests.load(ordering: .relaxed)
        sum.bytesReceived += bytesReceived.load(ordering: .relaxed)
        sum.bytesSent += bytesSent.load(ordering: .relaxed)
    }
}

/// The acceptor's counts.
final class AcceptCounters: Sendable {
    let accepted = Atomic<Int>(0)
    let refused = Atomic<Int>(0)
    let pauses = Atomic<Int>(0)
}
