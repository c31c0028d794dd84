internal import Accounts
internal import HTTP
internal import HTTPServer

extension Setting {
    /// The bounds of the server and of the account layer. 0 is off where the help says so.
    static let limits: [Setting] = {
        let server = ServerLimits()
        let request = server.request
        let accounts = AccountLimits()
        return [
            count(
                "limits.requestLineBytes", 8_000...1_048_576, request.requestLineBytesMax, "Bytes of a request line; beyond, 414."
            ),
            count(
                "limits.headerSectionBytes", 16_384...65_536, request.headerSectionBytesMax,
                "Bytes of a header section; beyond, 431."),
            count("limits.headerFields", 16...10_000, request.headerFieldsMax, "Header fields of a request; beyond, 431."),
            count("limits.bodyBytes", 1_024...67_108_864, request.bodyBytesMax, "Bytes of a body; beyond, 413."),
            count("limits.chunks", 2_000...1_000_000, request.chunksMax, "Chunks of a body; beyond, 413."),
            count("limits.requestsInFlight", 1...10_000, server.requestsInFlightMax, "Pipelined requests before reading stops."),
            count("limits.connections", 1...1_000_000, server.connectionsMax, "Connections at once; beyond, 503."),
            count(
                "limits.connectionsPerAddress", 0...1_000_000, server.connectionsPerAddressMax ?? 0,
                "Connections of one address; beyond, 429; 0 is off."),
            count(
                "limits.requestsPerConnection", 0...1_000_000_000, server.requestsPerConnectionMax ?? 0,
                "Requests before a connection is closed; 0 is off."),
            time("limits.headerMilliseconds", server.headerMillisecondsMax, "For a request's head to arrive; beyond, 408."),
            time(
                "limits.bodyProgressMilliseconds", server.bodyProgressMillisecondsMax,
                "Between two pieces of a body; beyond, 408."),
            time("limits.bodyMilliseconds", server.bodyMillisecondsMax, "For a whole body; beyond, 408."),
            time("limits.idleMilliseconds", server.idleMillisecondsMax, "Between two requests; then the connection is closed."),
            time(
                "limits.writeStallMilliseconds", server.writeStallMillisecondsMax,
                "Without a byte taken by the client; then it is cut off."),
            time("limits.drainMilliseconds", server.drainMillisecondsMax, "For requests in flight when the service stops."),
            count(
                "accounts.mailbox", 1...1_000_000, accounts.mailboxActionsMax,
                "Answers of one account that may wait for a commit; beyond, 503."),
            count(
                "accounts.loads", 1...1_000_000, accounts.loadsMax,
                "Accounts on their way into memory, for each loop; beyond, 503."),
            count(
                "accounts.inMemory", 1...100_000_000, accounts.storesInMemoryMax,
                "Accounts in memory; the least recently used leave first."),
            Setting(
                "accounts.actionsPerSecond", .number(0...1_000_000), .number(accounts.actionsPerSecond),
                "Actions an account may dispatch in the long run, each second; beyond, 429; 0 is off."),
            count(
                "accounts.actionsBurst", 0...1_000_000, accounts.actionsBurst,
                "Actions an account may dispatch at once, where they are limited; 0 is those of one second."),
            count(
                "accounts.waitingActions", 1...10_000_000, accounts.waitingActionsMax,
                "Actions that may wait for the writer, for each loop; beyond, 503."),
            time(
                "accounts.commitWaitMilliseconds", Int(accounts.commitWaitMilliseconds),
                "How long the oldest of them may wait before no more are let in; beyond, 503."),
            time("accounts.idleMilliseconds", Int(accounts.idleMilliseconds), "How long an unused account stays in memory."),
            count(
                "retention.actions", 0...1_000_000_000_000, 0,
                "Log entries an account keeps at least; older ones go, about a thousand at a time. 0 keeps all."),
            count(
                "retention.days", 0...36_500, 0,
                "How long log entries are kept at least; older ones go about a day later, whether the account is in use or not. 0 keeps all."
            ),
            count(
                "accounts.postponed", 0...100_000, accounts.postponedMax,
                "Items of one account that may be postponed at a time; beyond, 429."),
            count("effects.running", 1...10_000, accounts.effects.runningMax, "Effects that run at once."),
            count(
                "effects.runningPerKind", 1...10_000, accounts.effects.runningPerKindMax, "Effects of one kind that run at once."),
            count(
                "effects.runningPerAccount", 1...10_000, accounts.effects.runningPerAccountMax,
                "Effects of one account that run at once."),
            count(
                "effects.waitingPerAccount", 1...1_000_000, accounts.effects.waitingPerAccountMax,
                "Effects of one account that may wait, dead ones and timers too; beyond, 429 to what asks for more."),
            count(
                "effects.attempts", 1...1_000, accounts.effects.attemptsMax, "Attempts before an effect is given up as failed."),
            count(
                "effects.ageSeconds", 1...315_360_000, Int(accounts.effects.ageMillisecondsMax / 1000),
                "How old an effect of unknown outcome grows before it is left for a person."),
            time(
                "effects.stopMilliseconds", accounts.effects.stopMilliseconds, "For running effects when the service stops."),
        ]
    }()

    private static func count(_ key: String, _ range: ClosedRange<Int64>, _ initial: Int, _ help: String) -> Setting {
        Setting(key, .integer(range), .integer(Int64(initial)), help)
    }

    /// A time of a millisecond to a day.
    private static func time(_ key: String, _ initial: Int, _ help: String) -> Setting {
        Setting(key, .integer(1...86_400_000), .integer(Int64(initial)), help)
    }
}

extension Configuration {
    /// The server's limits as they are set.
    var serverLimits: ServerLimits {
        var limits = ServerLimits()
        limits.request.requestLineBytesMax = integer("limits.requestLineBytes")
        limits.request.headerSectionBytesMax = integer("limits.headerSectionBytes")
        limits.request.headerFieldsMax = integer("limits.headerFields")
        limits.request.bodyBytesMax = integer("limits.bodyBytes")
        limits.request.chunksMax = integer("limits.chunks")
        limits.requestsInFlightMax = integer("limits.requestsInFlight")
        limits.connectionsMax = integer("limits.connections")
        limits.connectionsPerAddressMax = bound("limits.connectionsPerAddress")
        limits.requestsPerConnectionMax = bound("limits.requestsPerConnection")
        limits.headerMillisecondsMax = integer("limits.headerMilliseconds")
        limits.bodyProgressMillisecondsMax = integer("limits.bodyProgressMilliseconds")
        limits.bodyMillisecondsMax = integer("limits.bodyMilliseconds")
        limits.idleMillisecondsMax = integer("limits.idleMilliseconds")
        limits.writeStallMillisecondsMax = integer("limits.writeStallMilliseconds")
        limits.drainMillisecondsMax = integer("limits.drainMilliseconds")
        return limits
    }

    /// The account layer's limits as they are set.
    var accountLimits: AccountLimits {
        var limits = AccountLimits()
        limits.mailboxActionsMax = integer("accounts.mailbox")
        limits.loadsMax = integer("accounts.loads")
        limits.storesInMemoryMax = integer("accounts.inMemory")
        limits.idleMilliseconds = Int64(integer("accounts.idleMilliseconds"))
        limits.actionsPerSecond = number("accounts.actionsPerSecond")
        limits.actionsBurst = integer("accounts.actionsBurst")
        limits.waitingActionsMax = integer("accounts.waitingActions")
        limits.commitWaitMilliseconds = Int64(integer("accounts.commitWaitMilliseconds"))
        limits.logActionsKeptMin = bound("retention.actions").map { Int64($0) }
        limits.logKeptMilliseconds = bound("retention.days").map { Int64($0) * 86_400_000 }
        limits.postponedMax = integer("accounts.postponed")
        limits.effects.runningMax = integer("effects.running")
        limits.effects.runningPerKindMax = integer("effects.runningPerKind")
        limits.effects.runningPerAccountMax = integer("effects.runningPerAccount")
        limits.effects.waitingPerAccountMax = integer("effects.waitingPerAccount")
        limits.effects.attemptsMax = integer("effects.attempts")
        limits.effects.ageMillisecondsMax = Int64(integer("effects.ageSeconds")) * 1000
        limits.effects.stopMilliseconds = integer("effects.stopMilliseconds")
        return limits
    }

    /// Limits that each are allowed, but not together.
    var contradictoryLimits: [String] {
        var sentences: [String] = []
        if let relation = serverLimits.request.violatedRelation { sentences.append("limits: \(relation)") }
        if integer("limits.bodyMilliseconds") < integer("limits.bodyProgressMilliseconds") {
            sentences.append("limits.bodyMilliseconds is less than limits.bodyProgressMilliseconds")
        }
        return sentences
    }

    private func bound(_ key: String) -> Int? { integer(key) == 0 ? nil : integer(key) }
}
