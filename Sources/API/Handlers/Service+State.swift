internal import Accounts
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Redux
internal import Runtime

// GET /state and GET /views: answered from published states, on the connection's loop, without a hop.

extension Service {
    func readState(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        guard call.query.isEmpty else { return readSelectedState(call, caller, on: loop) }
        let published = caller.account.published
        do {
            if call.request.head.fields.asksForOther(than: published.tag) {
                return call.exchange.respond(Problem.preconditionFailed(at: published.revision).response, on: loop)
            }
            guard call.request.head.fields.noneMatch(published.tag) else {
                return stateNotModified(published, call, caller, on: loop)
            }
            let answer = try published.answer { CommonFields.accountJSON.tagged($0).bytes }
            call.exchange.respond(
                Response(status: .ok, fields: ResponseFields(encoded: answer.fields), body: answer.body), on: loop)
        } catch {
            call.exchange.respond(Problem(rendering: error, "state").response, on: loop)
        }
    }

    /// A past state, a part of one, or both.
    private func readSelectedState(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let published = caller.account.published
        do {
            if let revision = try call.integer("revision", in: 0...Int64.max), revision != published.revision {
                return readPastState(revision, call, caller, published, on: loop)
            }
            guard let text = call.query["pointer"] else {
                if let decided = answer(to: call.request.head, conditionsOn: published.tag, at: published.revision) {
                    return call.exchange.respond(decided, on: loop)
                }
                let fields = CommonFields.accountJSON.tagged(published.tag)
                return call.exchange.respond(Response(status: .ok, fields: fields, body: try published.body()), on: loop)
            }
            let pointer = try Self.pointer(text)
            let tag = EntityTag.form("p", of: text, epoch: caller.account.epoch, revision: published.revision)
            if let decided = answer(to: call.request.head, conditionsOn: tag, at: published.revision) {
                return call.exchange.respond(decided, on: loop)
            }
            call.exchange.respond(try Self.part(pointer, of: published.body(), tag: tag), on: loop)
        } catch let problem as Problem {
            call.exchange.respond(problem.response, on: loop)
        } catch {
            call.exchange.respond(Problem(rendering: error, "state").response, on: loop)
        }
    }

    /// Reads the `pointer` parameter (RFC 6901).
    static func pointer(_ text: String) throws(Problem) -> JSONPointer {
        do throws(JSONFault) {
            return try JSONPointer(parsing: text)
        } catch {
            throw Problem(.invalidParameter, "pointer is a JSON Pointer such as /cart/lines: \(error.detail)")
                .with("parameter", .string("pointer"))
        }
    }

    /// A part of the state whose whole answer is `body`, with a tag of its own.
    static func part(_ pointer: JSONPointer, of body: [UInt8], tag: [UInt8]) throws -> Response {
        guard case .object(let whole) = try JSONReader.read(body, limits: .stored), let state = whole["state"],
            let value = pointer.value(in: state)
        else {
            throw Problem(.notFound, "The state has nothing at \(pointer.text).")
        }
        return Response(status: .ok, fields: CommonFields.accountJSON.tagged(tag), body: value.canonicalBytes)
    }

    func listViews(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let views = Model.views.map { ["name": .string($0.name), "summary": .string($0.summary)] as JSONValue }
        call.exchange.respond(
            Response(
                status: .ok, fields: CommonFields.accountJSON,
                body: (["views": .array(views)] as JSONValue).canonicalBytes), on: loop)
    }

    func readView(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let name = call.variables[0]
        do {
            guard let value = try caller.account.published.view(name) else {
                return call.exchange.respond(noView(name).response, on: loop)
            }
            let tag = EntityTag.view(name, epoch: caller.account.epoch, value: value)
            if let decided = answer(to: call.request.head, conditionsOn: tag, at: caller.account.published.revision) {
                return call.exchange.respond(decided, on: loop)
            }
            call.exchange.respond(
                Response(
                    status: .ok, fields: CommonFields.accountJSON.tagged(tag), body: value),
                on: loop)
        } catch {
            call.exchange.respond(Problem(rendering: error, "view").response, on: loop)
        }
    }

    /// There is no such view; the nearest names are given.
    func noView(_ name: String) -> Problem {
        let nearest = nearestNames(to: name, among: Model.views.map(\.name))
        let hint = nearest.isEmpty ? "" : " Did you mean \(nearest.joined(separator: " or "))?"
        return Problem(.viewNotFound, "There is no view \"\(name)\".\(hint)")
    }

    /// 304 with the fields the 200 would have had (RFC 9110, 15.4.5).
    func notModified(_ tag: [UInt8]) -> Response {
        Response(status: .notModified, fields: CommonFields.accountScoped.tagged(tag))
    }
}
