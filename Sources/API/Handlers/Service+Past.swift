internal import Accounts
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Persistence
internal import Redux
internal import Runtime

// GET /state?revision= and GET /state/diff: read by the database's readers, and folded there, never on the loop.

extension Service {
    /// The state at another revision than the newest, whole or in part. It never changes, so its tag alone may answer.
    func readPastState(
        _ revision: Revision, _ call: Call, _ caller: Caller, _ published: PublishedState, on loop: isolated EventLoop
    ) {
        let (account, exchange, past) = (caller.account, call.exchange, accounts.past)
        do throws(Problem) {
            guard revision < published.revision else { throw Problem.noRevision(revision, head: published.revision) }
            let text = call.query["pointer"]
            let pointer: JSONPointer? = if let text { try Self.pointer(text) } else { nil }
            let tag =
                text.map { EntityTag.form("p", of: $0, epoch: account.epoch, revision: revision) }
                ?? EntityTag.state(epoch: account.epoch, revision: revision)
            if let decided = answer(to: call.request.head, conditionsOn: tag, at: published.revision) {
                return exchange.respond(decided, on: loop)
            }
            past.state(of: account.id, at: revision) { result in
                exchange.respond(
                    Self.response(result) { point in
                        let body = try past.body(of: point, account: account.id, epoch: account.epoch)
                        guard let pointer else {
                            return Response(status: .ok, fields: CommonFields.accountJSON.tagged(tag), body: body)
                        }
                        return try Self.part(pointer, of: body, tag: tag)
                    })
            }
        } catch {
            exchange.respond(error.response, on: loop)
        }
    }

    /// What turns the state at `from` into the one at `to` (RFC 6902); `to` is the newest where it is left out.
    func readDifference(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let (account, exchange, past) = (caller.account, call.exchange, accounts.past)
        let head = account.published.revision
        do throws(Problem) {
            guard let from = try call.integer("from", in: 0...Int64.max) else {
                throw Problem(.invalidParameter, "from is the revision to start at.").with("parameter", .string("from"))
            }
            let to = try call.integer("to", in: 0...Int64.max) ?? head
            guard max(from, to) <= head else { throw Problem.noRevision(max(from, to), head: head) }
            let tag = EntityTag.form("d", of: "\(from)", epoch: account.epoch, revision: to)
            if let decided = answer(to: call.request.head, conditionsOn: tag, at: head) {
                return exchange.respond(decided, on: loop)
            }
            past.state(of: account.id, at: from) { first in
                past.state(of: account.id, at: to) { second in
                    exchange.respond(
                        Self.response(first) { first in
                            Self.response(second) { second in
                                let patch = JSONPatch.difference(
                                    from: try JSONEncoding.encodeValue(first.state),
                                    to: try JSONEncoding.encodeValue(second.state))
                                return Response(
                                    status: .ok, fields: Self.patchFields.tagged(tag), body: patch.document.canonicalBytes)
                            }
                        })
                }
            }
        } catch {
            exchange.respond(error.response, on: loop)
        }
    }

    private static var patchFields: ResponseFields {
        ResponseFields([(.contentType, "application/json-patch+json")]) + CommonFields.accountScoped
    }

    private static func response(
        _ result: Result<PastStates<Model>.Point, PastFault>, _ make: (PastStates<Model>.Point) throws -> Response
    ) -> Response {
        switch result {
        case .failure(let fault): return Problem(fault).response
        case .success(let point):
            do {
                return try make(point)
            } catch let problem as Problem {
                return problem.response
            } catch {
                return Problem(.internalError, "The state cannot be written as JSON.").response
            }
        }
    }
}

extension Problem {
    /// The account has not come to a revision.
    static func noRevision(_ revision: Revision, head: Revision) -> Problem {
        Problem(.revisionNotFound, "The account has no revision \(revision); it is at \(head).").with("revision", .integer(head))
    }

    init(_ fault: PastFault) {
        switch fault {
        case .noAccount: self.init(OpenFault.noAccount)
        case .noSuchRevision: self.init(.revisionNotFound, "The account has not come to this revision.")
        case .unavailable:
            self.init(
                .historyUnavailable, "The log before this revision was trimmed, or does not lead to what is stored after it.")
        case .unreadable(let fault): self.init(OpenFault.unreadable(fault))
        case .storage(let fault): self.init(fault)
        }
    }
}
