internal import Accounts
internal import HTTP
internal import HTTPServer
internal import Identity
internal import JSON
internal import Redux
internal import Runtime

// GET /events: the account's transitions, or a view's values, as they are committed.

extension Service {
    private static var fields: ResponseFields {
        ResponseFields([(.contentType, "text/event-stream"), (.cacheControl, "no-store"), (.accelBuffering, "no")])
    }

    func streamEvents(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let exchange = call.exchange
        do throws(Problem) {
            let form = try followerForm(call)
            let resumption = try resumption(call)
            guard !isDraining else { throw Problem(.unavailable, "The service is stopping.").retry(afterSeconds: 1) }
            guard call.request.head.method != .head else {
                // The head alone, as GET's, which states no length.
                _ = exchange.startStream(Response(status: .ok, fields: Self.fields), on: loop)
                return
            }
            let ticket = call.query["ticket"].flatMap { accounts.mint.parse($0, kind: .ticket) }
                .flatMap { tickets.use($0, at: loop.wallMilliseconds) }
            let stream = exchange.startStream(Response(status: .ok, fields: Self.fields), on: loop)
            stream.write(EventFrames.greeting, on: loop)
            let follower = Follower<Model>(
                form, of: caller.account.id, session: caller.session, from: resumption,
                to: EventStreamSink(stream: stream, ticket: ticket), accounts: accounts, on: loop)
            follower.assumeIsolated { $0.start() }
            exchange.onClose(on: loop) { follower.assumeIsolated { $0.closed() } }
            exchange.onDrain(on: loop) { follower.assumeIsolated { $0.drain() } }
        } catch {
            exchange.respond(error.response, on: loop)
        }
    }

    private func followerForm(_ call: Call) throws(Problem) -> Follower<Model>.Form {
        let patched = try call.flag("patch")
        guard let view = call.query["view"] else { return .transitions(patched: patched) }
        guard !patched else {
            throw Problem(.invalidParameter, "A view is sent as a whole; leave out patch.").with("parameter", .string("patch"))
        }
        guard Model.views.contains(where: { $0.name == view }) else { throw noView(view) }
        return .view(view)
    }

    /// Where the client wants to go on: `Last-Event-ID`, which a reconnecting EventSource sends, outranks `after`, which is still in its address.
    private func resumption(_ call: Call) throws(Problem) -> Resumption {
        if let text = call.request.head.fields.string(.lastEventID), !text.isEmpty {
            return EventID(text).map { .after($0) } ?? .unknown
        }
        guard let text = call.query["after"] else { return .fresh }
        if let revision = Revision(text), revision >= 0 { return .afterRevision(revision) }
        guard let id = EventID(text) else {
            throw Problem(.invalidParameter, "after is a revision, or the id of an event.").with("parameter", .string("after"))
        }
        return .after(id)
    }

    func createTicket(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let now = loop.wallMilliseconds
        let ticket = accounts.mint.mint(account: caller.account.id.rawValue, kind: .ticket)
        guard tickets.add(ticket, for: caller.account.id, session: caller.session, at: now) else {
            let problem = Problem(.overloaded, "There are too many stream tickets.").retry(afterSeconds: 60)
            return call.exchange.respond(problem.response, on: loop)
        }
        let body: JSONValue = ["ticket": .string(ticket.text), "expiresAt": .integer(now + StreamTickets.lifetime)]
        call.exchange.respond(
            Response(status: .created, fields: CommonFields.notStoredJSON, body: body.canonicalBytes), on: loop)
    }
}
