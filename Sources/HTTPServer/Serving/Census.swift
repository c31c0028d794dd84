internal import HTTP
internal import Runtime
internal import Synchronization

/// Why a connection is not let in.
enum Refusal: Sendable {
    /// The server has as many as it may.
    case full
    /// The client's address has as many as it may.
    case fullForAddress

    var status: Status { self == .full ? .serviceUnavailable : .tooManyRequests }

    var detail: String {
        switch self {
        case .full: "The server has as many connections as it can serve; try again shortly."
        case .fullForAddress: "Your address has as many connections as one address may have."
        }
    }
}

/// Who is connected, over all loops: counted in by the acceptor, out by the loops.
final class Census: Sendable {
    private let limits: ServerLimits
    private let connectionsMax: Int
    private let total = Atomic<Int>(0)
    private let byAddress = Mutex<[UInt64: Int]>([:])

    /// `descriptorsMax`: how many descriptors the process may have.
    init(limits: ServerLimits, descriptorsMax: Int) {
        self.limits = limits
        let room = descriptorsMax - ServerLimits.reservedDescriptorsMax - ServerLimits.refusedConnectionsMax
        connectionsMax = min(limits.connectionsMax, max(1, room))
    }

    var count: Int { total.load(ordering: .relaxed) }

    /// Nothing more may be accepted, not even to be told so.
    var isOverfull: Bool { count >= connectionsMax + ServerLimits.refusedConnectionsMax }

    /// Counts a connection in, and says whether it is to be refused.
    func enter(_ peer: SocketAddress) -> Refusal? {
        let before = total.wrappingAdd(1, ordering: .relaxed).oldValue
        var isCrowded = false
        if let most = limits.connectionsPerAddressMax {
            isCrowded = byAddress.withLock { counts in
                counts[peer.clientKey, default: 0] += 1
                return counts[peer.clientKey, default: 0] > most
            }
        }
        return before >= connectionsMax ? .full : isCrowded ? .fullForAddress : nil
    }

    /// Counts a connection out.
    func leave(_ peer: SocketAddress) {
        total.wrappingSubtract(1, ordering: .relaxed)
        guard limits.connectionsPerAddressMax != nil else { return }
        byAddress.withLock { counts in
            let left = counts[peer.clientKey, default: 1] - 1
            counts[peer.clientKey] = left > 0 ? left : nil
        }
    }
}
