internal import Accounts
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Redux
internal import Runtime

// GET /state and GET /views: answered from published states, on the connection's loop, without a hop.

extension Service {
    func readState(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let published = caller.account.published
        do {
            if let text = call.query["pointer"] {
                call.exchange.respond(try part(text, of: published, of: caller.account, for: call), on: loop)
                return
            }
            let fields = ResponseFields(encoded: published.fields { CommonFields.accountJSON.tagged($0).bytes })
            guard call.request.head.fields.noneMatch(published.tag) else {
                call.exchange.respond(notModified(published.tag), on: loop)
                return
            }
            call.exchange.respond(Response(status: .ok, fields: fields, body: try published.body()), on: loop)
        } catch let problem as Problem {
            call.exchange.respond(problem.response, on: loop)
        } catch {
            call.exchange.respond(Problem(.internalError, "The state cannot be written as JSON.").response, on: loop)
        }
    }

    /// A part of the state (RFC 6901), with a tag of its own.
    private func part(_ text: String, of published: PublishedState, of account: AccountHandle, for call: Call) throws -> Response
    {
        let pointer: JSONPointer
        do throws(JSONFault) {
            pointer = try JSONPointer(parsing: text)
        } catch {
            throw Problem(.invalidParameter, "pointer is a JSON Pointer such as /cart/lines: \(error.detail)")
                .with("parameter", .string("pointer"))
        }
        let tag = EntityTag.form("p", of: text, epoch: account.epoch, revision: published.revision)
        guard call.request.head.fields.noneMatch(tag) else { return notModified(tag) }
        guard case .object(let whole) = try JSONReader.read(try published.body(), limits: .stored), let state = whole["state"],
            let value = pointer.value(in: state)
        else {
            throw Problem(.notFound, "The state has nothing at \(text).")
        }
        return Response(
            status: .ok, fields: CommonFields.accountJSON.tagged(tag),
            body: value.canonicalBytes)
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
                let nearest = nearestNames(to: name, among: Model.views.map(\.name))
                let hint = nearest.isEmpty ? "" : " Did you mean \(nearest.joined(separator: " or "))?"
                call.exchange.respond(Problem(.viewNotFound, "There is no view \"\(name)\".\(hint)").response, on: loop)
                return
            }
            let tag = EntityTag.view(name, epoch: caller.account.epoch, value: value)
            guard call.request.head.fields.noneMatch(tag) else { return call.exchange.respond(notModified(tag), on: loop) }
            call.exchange.respond(
                Response(
                    status: .ok, fields: CommonFields.accountJSON.tagged(tag), body: value),
                on: loop)
        } catch {
            call.exchange.respond(Problem(.internalError, "The view cannot be written as JSON.").response, on: loop)
        }
    }

    /// 304 with the fields the 200 would have had (RFC 9110, 15.4.5).
    func notModified(_ tag: [UInt8]) -> Response {
        Response(status: .notModified, fields: CommonFields.accountScoped.tagged(tag))
    }
}
