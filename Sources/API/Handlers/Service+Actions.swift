internal import Accounts
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Persistence
internal import Redux
internal import Runtime
internal import Sodium

// POST /actions: from a body to typed actions, and from a verdict to an answer.

extension Service {
    func dispatch(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let exchange = call.exchange
        if let tag = call.query["postpone"] { return postpone(under: tag, call, caller, on: loop) }
        do throws(Problem) {
            let request = try dispatchRequest(call, actions(in: call.request))
            accounts.dispatch(request, to: caller.account.id, on: loop) { verdict in
                // Delivered on the account's loop; a connection of another one gets its answer through its loop's inbox.
                exchange.respond(Self.response(to: verdict))
            }
        } catch {
            exchange.respond(error.response, on: loop)
        }
    }

    /// The dispatch of some actions with all that the request's fields and parameters say about it.
    func dispatchRequest(
        _ call: Call, _ actions: (actions: [Model.Action], isBatch: Bool)
    ) throws(Problem) -> DispatchRequest<Model> {
        let head = call.request.head
        let isDryRun = try call.flag("dryRun")
        let preferences = Preferences(head.fields)
        // A malformed key is refused in any case; a dry run keeps nothing under a good one.
        let given = try idempotencyKey(of: call.request)
        let key = isDryRun ? nil : given
        let isBatch = actions.isBatch
        let rendering = ReceiptRendering<Model>(
            isBatch: isBatch, isDryRun: isDryRun,
            // With a key the stored answer has one form only.
            form: isDryRun
                ? .representation : key == nil ? preferences.returned : preferences.returned == .minimal ? .minimal : nil)
        var request = DispatchRequest<Model>(actions.actions) { rendering.answer(to: $0) }
        request.isDryRun = isDryRun
        request.key = key
        request.precondition = try head.fields.precondition()
        request.trace = trace(of: call)
        return request
    }

    /// The trace context of a request, as it is kept with its actions.
    func trace(of call: Call) -> [UInt8]? {
        (call.exchange.companion?.trace ?? TraceContext(of: call.request.head.fields)?.text).map { LogEntry.trace($0) }
    }

    /// One action, or an array of them.
    func actions(in request: Request) throws(Problem) -> (actions: [Model.Action], isBatch: Bool) {
        try request.requireJSON()
        return try actions(inBody: request.body)
    }

    /// The same from the bytes alone.
    func actions(inBody bytes: [UInt8]) throws(Problem) -> (actions: [Model.Action], isBatch: Bool) {
        guard !bytes.isEmpty else {
            throw Problem(.invalidAction, "The body is empty; send {\"type\": …, \"payload\": …} or an array of such.")
        }
        let body: JSONValue
        do throws(JSONFault) {
            body = try JSONReader.read(bytes)
        } catch {
            throw Problem(error)
        }
        guard case .array(let elements) = body else { return ([try action(body, at: .root)], false) }
        guard !elements.isEmpty else { throw Problem(.invalidAction, "A batch holds at least one action.", pointer: .root) }
        guard elements.count <= accounts.limits.batchActionsMax else {
            throw Problem(
                .batchTooLarge,
                "A batch holds at most \(accounts.limits.batchActionsMax) actions; this one has \(elements.count).")
        }
        var actions: [Model.Action] = []
        actions.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() { actions.append(try action(element, at: JSONPointer([String(index)]))) }
        return (actions, true)
    }

    private func action(_ value: JSONValue, at place: JSONPointer) throws(Problem) -> Model.Action {
        guard case .object(let members) = value else {
            throw Problem(.invalidAction, "An action is an object; this is \(value.kindText).", pointer: place)
        }
        for member in members.members where member.name != "type" && member.name != "payload" {
            throw Problem(
                .invalidAction, "An action has the members type and payload only.", pointer: place.appending(member.name))
        }
        guard case .string(let name)? = members["type"] else {
            throw Problem(.invalidAction, "An action has a type, which is text.", pointer: place.appending("type"))
        }
        do throws(ActionCodec<Model>.Fault) {
            return try accounts.history.actions.decode(name: name, payload: members["payload"], at: place.appending("payload"))
        } catch {
            throw Problem(error, at: place)
        }
    }

    /// The key and what it stands for: a digest of method, target, media type and body.
    func idempotencyKey(of request: Request) throws(Problem) -> IdempotencyKey? {
        let head = request.head
        switch head.fields.count(of: .idempotencyKey) {
        case 0: return nil
        case 1: break
        default: throw Problem(.invalidIdempotencyKey, "There is more than one Idempotency-Key.")
        }
        guard let text = head.fields.string(.idempotencyKey), let key = IdempotencyKeyText.parse(text) else {
            throw Problem(
                .invalidIdempotencyKey,
                "A key is 1 to \(IdempotencyKeyText.bytesMax) visible ASCII characters, in double quotes or bare.")
        }
        var hash = HashStream(length: 16)
        for part in [
            Array(head.methodToken.utf8), head.target.rawBytes.copy, head.fields.first(.contentType)?.copy ?? [], request.body,
        ] {
            hash.update(littleEndian(part.count))
            hash.update(part)
        }
        return IdempotencyKey(key: key, fingerprint: hash.finish())
    }

    /// The answer of a verdict.
    static func response(to verdict: Verdict) -> Response {
        switch verdict {
        case .done(let answer):
            return Response(
                status: Status(UInt16(answer.status)), fields: ResponseFields(encoded: answer.fields), body: answer.body)
        case .replayed(let answer):
            return Response(
                status: Status(UInt16(answer.status)),
                fields: ResponseFields(encoded: answer.fields).with(.idempotencyReplayed, "true"), body: answer.body)
        default:
            return (Problem(verdict) ?? Problem(.internalError, "The answer is missing.")).response
        }
    }
}

/// The count as eight bytes, so that no two lists of parts have the same digest by moving a boundary.
private func littleEndian(_ count: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
}
