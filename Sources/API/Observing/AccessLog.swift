internal import Accounts
internal import HTTP
internal import HTTPServer
internal import Redux
internal import Runtime

// What goes with a request to its answer: an id, a line in the access log, the fields another origin's page needs.

extension Service {
    /// Nil where neither the access log nor another origin asks for anything: the usual case, which costs one look at a flag.
    func companion(of head: borrowing RequestHead, route: Int, _ exchange: Exchange, on loop: isolated EventLoop)
        -> RequestCompanion?
    {
        guard accompanies else { return nil }
        var fields = cors?.fields(for: head) ?? ResponseFields()
        guard !accounts.log.topics.isEmpty else { return RequestCompanion(fields: fields) }
        let trace = TraceContext(of: head.fields) ?? .begun()
        let id = RequestID.of(head.fields) ?? trace.traceID
        fields.add(.requestID, id)
        guard accounts.log.topics.contains(.access) else { return RequestCompanion(fields: fields, trace: trace.text) }
        let log = accounts.log
        let line = AccessLine(
            id: id, trace: trace.text, method: head.methodToken, target: Redaction.target(head.target),
            route: route < 0 ? nil : routes[route].path, peer: exchange.peer(on: loop).map { "\($0)" })
        return RequestCompanion(fields: fields, trace: trace.text) { answer, account in line.tell(answer, account, log) }
    }

    /// A line for what was no request: refused by the server before a route was looked for.
    func tellRefusal(_ status: Status, _ detail: String) {
        guard accounts.log.topics.contains(.access) else { return }
        accounts.log.tell("request refused", [("status", .count(status.code)), ("reason", .text(detail))])
    }
}

/// What the access log says of a request, whatever becomes of it.
private struct AccessLine: Sendable {
    let id: String
    let trace: String
    let method: String
    let target: String
    let route: String?
    let peer: String?

    func tell(_ answer: GivenAnswer, _ account: Int64, _ log: Log) {
        var fields: [(key: String, value: LogValue)] = [
            ("request", .text(id)), ("trace", .text(trace)), ("method", .text(method)), ("target", .text(target)),
            ("status", .count(answer.status.code)), ("microseconds", .number(answer.nanoseconds / 1000)),
        ]
        if let bytes = answer.bodyBytes { fields.append(("bytes", .count(bytes))) } else { fields.append(("stream", true)) }
        if let route { fields.append(("route", .text(route))) }
        if let peer { fields.append(("peer", .text(peer))) }
        if account > 0 { fields.append(("account", .number(account))) }
        log.tell("request", fields)
    }
}

/// The id by which a request is found in logs: the client's own, where it sends a fit one in `X-Request-ID`.
enum RequestID {
    static let bytesMax = 128

    static func of(_ fields: Fields) -> String? {
        guard let field = fields.first(.requestID), fields.count(of: .requestID) == 1, (1...bytesMax).contains(field.count) else {
            return nil
        }
        return field.copy.allSatisfy(isFit) ? field.string : nil
    }

    private static func isFit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "-_.:/+=".utf8.contains(byte)
        }
    }
}

/// What a log may say of a request's target: everything but the values of parameters that stand for a right or a person.
enum Redaction {
    /// Parameters whose values are kept out of logs. Credentials stand in fields, which are never logged, and tickets here.
    static let parameters: Set<String> = ["ticket", "token", "query"]

    static func target(_ target: Target) -> String {
        guard target.hasQuery else { return String(decoding: target.pathBytes.copy, as: UTF8.self) }
        let raw = String(decoding: target.rawBytes.copy, as: UTF8.self)
        guard let mark = raw.firstIndex(of: "?") else { return raw }
        let query = raw[raw.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
            let name = pair.prefix { $0 != "=" }
            // An encoded name may be any: its value is kept out, too.
            return parameters.contains(String(name)) || name.contains("%") ? "\(name)=…" : String(pair)
        }
        return raw[...mark] + query.joined(separator: "&")
    }
}
