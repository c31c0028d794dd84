public import HTTP

/// Every bound of the server, in one place; all settable, each with a test.
///
/// Defaults, beside those of others (n: nginx 1.27, y: hyper 1.x, g: Go's net/http, b: Hummingbird 2):
///
/// | bound | ours | why, and what others do |
/// | --- | --- | --- |
/// | connectionsMax | 16,384 | ten thousand idle clients fit; start-up lowers it to what the descriptor limit allows. n 512 to 1024 per worker, others none |
/// | connectionsPerAddressMax | off | a load test, a gateway or an office shares one address. n off, others none |
/// | requestsPerConnectionMax | off | frees nothing here, since all memory of a request goes with it. n 1000 |
/// | requestsInFlightMax | 128 | clients may pipeline 100; beyond, reading stops. n, g 1 |
/// | headerMillisecondsMax | 10 s | a header fits one round trip, even on a phone; the bound is what a slowloris holds. n 60 s, y 30 s, g and b none |
/// | bodyProgressMillisecondsMax | 10 s | between two pieces. n 60 s, y, g, b none |
/// | bodyMillisecondsMax | 60 s | 1 MiB at 140 kbit/s; stops a drip that always makes progress. Others none |
/// | idleMillisecondsMax | 75 s | above the 60 s of common proxies, so that they close first. n 75 s, y the header's, g and b none |
/// | writeStallMillisecondsMax | 30 s | without a byte taken by the client. n 60 s, others none |
/// | lingerMillisecondsMax, lingerBytesMax | 2 s, 8 MiB | read and dropped after our end of sending, so that a client still sending reads its 413 instead of a reset. n 30 s; g 500 ms, 256 KiB |
/// | drainMillisecondsMax | 10 s | what supervisors leave before they kill. n none, g the caller's |
/// | outputBytesMax | 1 MiB | unsent answers of one connection before it is read no further |
/// | streamBytesMax | 64 KiB | unsent bytes of one stream before its writer must wait; ten thousand slow readers hold 640 MiB at worst |
///
/// The message's own bounds (request line, header section, body, chunks) are `request`.
public struct ServerLimits: Sendable {
    /// The bounds on one message: request line, header section, body, chunks.
    public var request = RequestLimits()

    /// Connections open at once, over all loops; start-up lowers it to what the descriptor limit allows. Beyond it: 503.
    public var connectionsMax = 16_384
    /// Connections of one IPv4 address or IPv6 /64; nil is off. Beyond it: 429.
    public var connectionsPerAddressMax: Int?
    /// Requests served before `Connection: close` is announced; nil is off.
    public var requestsPerConnectionMax: Int?
    /// Requests of one connection that are read and not yet answered; beyond it the connection is read no further.
    public var requestsInFlightMax = 128

    /// From accepting to the end of the first header section; for a later one, from its first byte.
    public var headerMillisecondsMax = 10_000
    /// Between two pieces of a body.
    public var bodyProgressMillisecondsMax = 10_000
    /// For a whole body, however steadily it comes.
    public var bodyMillisecondsMax = 60_000
    /// Without a request on a connection that has had one.
    public var idleMillisecondsMax = 75_000
    /// Without a byte taken by the client while an answer waits to be sent.
    public var writeStallMillisecondsMax = 30_000
    /// How long a connection is still read, and the bytes dropped, after our end of sending.
    public var lingerMillisecondsMax = 2_000
    /// How many bytes are read and dropped after our end of sending.
    public var lingerBytesMax = 8 * 1024 * 1024
    /// From the order to stop to cutting off what is still unanswered.
    public var drainMillisecondsMax = 10_000

    /// Bytes of unsent answers of one connection, beyond which it is read no further; not below `streamBytesMax`.
    public var outputBytesMax = 1024 * 1024
    /// Unsent bytes of one stream, beyond which its writer must wait.
    public var streamBytesMax = 64 * 1024

    /// Connections over `connectionsMax` that are told so (503) before they are closed; beyond, nothing is accepted until one goes.
    public static let refusedConnectionsMax = 128
    /// Descriptors left for everything that is no connection: the database, the log, listeners, epoll sets.
    public static let reservedDescriptorsMax = 64
    /// How long accepting pauses when descriptors or connections have run out.
    public static let acceptPauseMilliseconds = 100
    /// Connections accepted in one turn, so that a flood does not starve those that are served.
    public static let acceptsPerTurnMax = 64
    /// Bytes one loop takes from one connection in one turn.
    public static let receiveBytesMax = 64 * 1024
    /// Capacity an idle connection may keep for its next answer.
    public static let idleOutputBytesMax = 8 * 1024

    /// The defaults of the table.
    public init() {}

    /// Traps where bounds contradict each other, which configuration must have refused before.
    func assertRelations() {
        precondition(request.violatedRelation == nil)
        precondition(connectionsMax >= 1 && requestsInFlightMax >= 1)
        precondition(connectionsPerAddressMax ?? 1 >= 1 && requestsPerConnectionMax ?? 1 >= 1)
        precondition(
            headerMillisecondsMax > 0 && idleMillisecondsMax > 0 && writeStallMillisecondsMax > 0 && lingerMillisecondsMax >= 0)
        precondition(bodyMillisecondsMax >= bodyProgressMillisecondsMax && bodyProgressMillisecondsMax > 0)
        precondition(outputBytesMax >= streamBytesMax && streamBytesMax >= 2)
    }
}
