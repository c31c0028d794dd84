public import Runtime
internal import Synchronization

/// An HTTP/1.1 server over some event loops: start, serve, drain.
public final class Server: Sendable {
    private enum Life {
        case idle
        case serving(LoopLocal<Acceptor>, SocketAddress)
        case draining
        case ended
    }

    private let loops: [EventLoop]
    private let limits: ServerLimits
    private let census: Census
    private let shards: [LoopLocal<Shard>]
    private let shardCounters: [ShardCounters]
    private let acceptCounters = AcceptCounters()
    private let log: Log
    private let routeCount: Int
    private let life = Mutex(Life.idle)

    /// A server that is not yet listening. `loops` are shared with whoever else lives on them; the first one accepts. Not to be called on a loop.
    ///
    /// Raises the process's descriptor limit as far as it goes, and ignores SIGPIPE.
    public init(loops: [EventLoop], limits: ServerLimits, responder: any Responder, log: Log) {
        precondition(!loops.isEmpty)
        limits.assertRelations()
        SignalWatch.ignorePipe()
        self.loops = loops
        self.limits = limits
        self.log = log
        routeCount = responder.routeCount
        let census = Census(limits: limits, descriptorsMax: System.raiseDescriptorLimit())
        self.census = census
        let counters = loops.map { _ in ShardCounters() }
        shardCounters = counters
        shards = zip(loops, counters).map { loop, counters in
            loop.runBlocking { loop in
                LoopLocal(Shard(limits: limits, responder: responder, census: census, counters: counters), on: loop)
            }
        }
    }

    /// Listens and serves; returns the address with the port that was chosen for 0. Once in a server's life; not on a loop.
    public func start(host: String, port: UInt16) throws(SystemError) -> SocketAddress {
        let listener = try Listener(host: host, port: port)
        let address = listener.address
        let raw = listener.release()
        let (shards, census, counters, log) = (shards, census, acceptCounters, log)
        let outcome: Result<LoopLocal<Acceptor>, SystemError> = loops[0].runBlocking { loop in
            let listener = Listener(adopting: Descriptor(adopting: raw), address: address)
            let acceptor = Acceptor(listener: listener, shards: shards, census: census, counters: counters, log: log)
            do throws(SystemError) {
                try acceptor.open(on: loop)
            } catch {
                return .failure(error)
            }
            return .success(LoopLocal(acceptor, on: loop))
        }
        let acceptor = try outcome.get()
        life.withLock { life in
            guard case .idle = life else { preconditionFailure("a server starts once") }
            life = .serving(acceptor, address)
        }
        return address
    }

    /// Ends in order: no new connections; idle ones closed at once; requests in flight answered with `Connection: close`; streams and long polls told
    /// (`Exchange.onDrain`). What is left after `drainMillisecondsMax` is cut off. `then` hears, on the first loop, how many that were.
    public func drain(then: @escaping @Sendable (_ abandoned: Int) -> Void) {
        let acceptor: LoopLocal<Acceptor>? = life.withLock { life in
            guard case .serving(let acceptor, _) = life else { return nil }
            life = .draining
            return acceptor
        }
        guard let acceptor else { preconditionFailure("only a serving server drains, and once") }
        loops[0].execute { [self] loop in
            acceptor.value(on: loop)?.close(on: loop)
            let drain = LoopLocal(Drain(open: shards.count, then: then), on: loop)
            let first = loop
            for shard in shards {
                shard.loop.execute { loop in
                    shard.value(on: loop)?.drain(on: loop) {
                        first.execute { loop in drain.value(on: loop)?.shardEmptied() }
                    }
                }
            }
            loop.schedule(afterMilliseconds: limits.drainMillisecondsMax) { [self] in
                drain.value(on: loop)?.giveUp(abandoned: census.count)
                for shard in shards { shard.loop.execute { loop in shard.value(on: loop)?.abandonAll(on: loop) } }
            }
        }
    }

    /// What was done so far, and what is open now.
    public var counters: ServerCounters {
        var sum = ServerCounters()
        for each in shardCounters { each.add(to: &sum) }
        sum.connectionsOpen = census.count
        sum.connectionsAccepted = acceptCounters.accepted.load(ordering: .relaxed)
        sum.connectionsRefused = acceptCounters.refused.load(ordering: .relaxed)
        sum.acceptPauses = acceptCounters.pauses.load(ordering: .relaxed)
        return sum
    }

    /// Sums up what all loops have answered; `done` runs on one of them.
    public func collectAnswers(_ done: @escaping @Sendable (AnswerFigures) -> Void) {
        let sum = AnswerSum(AnswerFigures(routes: routeCount), from: shards.count, done)
        for shard in shards { shard.loop.execute { loop in sum.add(shard.value(on: loop)?.figures) } }
    }
}

/// Waits for all shards to be empty, or for the deadline: whichever comes first is told, once.
private final class Drain {
    private var open: Int
    private var then: (@Sendable (Int) -> Void)?

    init(open: Int, then: @escaping @Sendable (Int) -> Void) {
        self.open = open
        self.then = then
    }

    func shardEmptied() {
        open -= 1
        if open == 0 { giveUp(abandoned: 0) }
    }

    func giveUp(abandoned: Int) {
        guard let then else { return }
        self.then = nil
        then(abandoned)
    }
}
