internal import Accounts
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Persistence
internal import Redux
internal import Runtime

// GET /actions: an account's log, read by the database's readers, never on the loop.

extension Service {
    /// Entries of one page, at most and by default.
    static var pageLimits: ClosedRange<Int64> { 1...1000 }
    static var pageDefault: Int64 { 100 }

    func listActions(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let exchange = call.exchange
        do throws(Problem) {
            let after = try call.integer("after", in: 0...Int64.max) ?? 0
            let before = try call.integer("before", in: 1...Int64.max) ?? .max
            let limit = Int(try call.integer("limit", in: Self.pageLimits) ?? Self.pageDefault)
            accounts.database.entries(of: caller.account.id, after: after, before: before, name: call.query["type"], limit: limit)
            { result in
                switch result {
                case .success(let page): exchange.respond(Self.response(page, before: before))
                case .failure(let fault): exchange.respond(Problem(fault).response)
                }
            }
        } catch {
            exchange.respond(error.response, on: loop)
        }
    }

    func readAction(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let exchange = call.exchange
        guard let revision = Decimals.read(call.variables[0]), revision > 0 else {
            return exchange.respond(Problem(.revisionNotFound, "A revision is a positive integer.").response, on: loop)
        }
        accounts.database.entries(of: caller.account.id, after: revision - 1, limit: 1) { result in
            switch result {
            case .success(let page):
                guard let entry = page.entries.first, entry.revision == revision else {
                    return exchange.respond(Self.missing(revision, page).response)
                }
                exchange.respond(Response(status: .ok, fields: CommonFields.accountJSON, body: LogRendering.entry(entry)))
            case .failure(let fault): exchange.respond(Problem(fault).response)
            }
        }
    }

    /// Why an entry is not there: it is not kept any more, or there never was one.
    private static func missing(_ revision: Revision, _ page: LogPage) -> Problem {
        if let oldest = page.oldest, revision < oldest {
            return Problem(.historyUnavailable, "The log is kept from revision \(oldest).").with("oldest", .integer(oldest))
        }
        return Problem(.revisionNotFound, "The account has no revision \(revision).")
    }

    /// `{"actions": […], "next": N}`; `next` is what `after` is to be for the following page, null at the end. Where what the log began with
    /// is not kept any more, `oldest` says from which revision on it is.
    ///
    /// A page may be short, even empty, and not be the last: with `type` one read looks at a bounded stretch of the log.
    private static func response(_ page: LogPage, before: Revision) -> Response {
        var body = Array("{\"actions\":[".utf8)
        for (index, entry) in page.entries.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            LogRendering.append(entry, to: &body)
        }
        let isWhole = page.through >= min(page.newest, before - 1)
        body.append(contentsOf: "],\"next\":\(isWhole ? "null" : "\(page.through)")".utf8)
        if let oldest = page.oldest, oldest > 1 { body.append(contentsOf: ",\"oldest\":\(oldest)".utf8) }
        body.append(UInt8(ascii: "}"))
        return Response(status: .ok, fields: CommonFields.accountJSON, body: body)
    }
}
