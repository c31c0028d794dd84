internal import HTTP
internal import Runtime

/// One loop's share of the server: its connections and what they use in turn. Lives in the loop's isolation.
final class Shard {
    let limits: ServerLimits
    let responder: any Responder
    let counters: ShardCounters
    let census: Census
    /// What was answered, and how fast.
    var figures: AnswerFigures
    /// Where every connection of the loop receives.
    var scratch = [UInt8](repeating: 0, count: ServerLimits.receiveBytesMax)

    /// Names, not references: the loop's table owns its connections, which own a reference to this.
    private var connections: Set<Registration> = []
    private var toPump: [Connection] = []
    private var pumping: [Connection] = []
    private var isDraining = false
    private var whenEmpty: EventLoop.LocalJob?
    private var dateSecond: Int64 = -1
    private var date = HTTPDate(secondsSince1970: 0)

    init(limits: ServerLimits, responder: any Responder, census: Census, counters: ShardCounters) {
        self.limits = limits
        self.responder = responder
        self.census = census
        self.counters = counters
        figures = AnswerFigures(routes: responder.routeCount)
    }

    /// Takes a connection in. `refusal`: it is only told why not, and ended.
    func admit(_ socket: consuming Socket, peer: SocketAddress, refusal: Refusal?, on loop: isolated EventLoop) {
        let connection = Connection(socket: socket, peer: peer, shard: self, now: loop.now)
        do throws(SystemError) {
            connections.insert(try connection.open(on: loop))
        } catch {
            // No memory for the epoll set: as if the client had not been accepted.
            return census.leave(peer)
        }
        if let refusal {
            connection.turnAway(refusal.status, refusal.detail, on: loop)
        } else if isDraining {
            connection.drain(on: loop)
        }
    }

    /// A connection is gone.
    func forget(_ connection: Connection, _ registration: Registration, on loop: isolated EventLoop) {
        connections.remove(registration)
        census.leave(connection.peer)
        tellIfEmpty(on: loop)
    }

    /// Collects the connections with answers of this turn, so that each of them sends once.
    func pumpAtEndOfTurn(_ connection: Connection, on loop: isolated EventLoop) {
        toPump.append(connection)
        if toPump.count == 1 { loop.endOfTurn { [self] in pumpAll(on: loop) } }
    }

    private func pumpAll(on loop: isolated EventLoop) {
        swap(&toPump, &pumping)
        for connection in pumping { connection.pumpNow(on: loop) }
        pumping.removeAll(keepingCapacity: true)
    }

    /// The Date field's value, made once a second.
    @inline(__always)
    func date(on loop: isolated EventLoop) -> HTTPDate {
        let second = loop.wallMilliseconds / 1000
        if second != dateSecond {
            dateSecond = second
            date = HTTPDate(secondsSince1970: second)
        }
        return date
    }

    // MARK: The end

    /// Ends all connections in order; `then` runs once none is left.
    func drain(on loop: isolated EventLoop, then: @escaping EventLoop.LocalJob) {
        isDraining = true
        whenEmpty = then
        for connection in all(on: loop) { connection.drain(on: loop) }
        tellIfEmpty(on: loop)
    }

    /// Ends all that is left at once.
    func abandonAll(on loop: isolated EventLoop) {
        for connection in all(on: loop) { connection.abandon(on: loop) }
    }

    private func all(on loop: isolated EventLoop) -> [Connection] {
        connections.compactMap { loop.handler(of: $0) as? Connection }
    }

    private func tellIfEmpty(on loop: isolated EventLoop) {
        guard isDraining, connections.isEmpty, let whenEmpty else { return }
        self.whenEmpty = nil
        whenEmpty()
    }
}
