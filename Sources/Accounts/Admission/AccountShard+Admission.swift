public import Persistence
internal import Redux
internal import Runtime

// Who is let in. Effects' outcomes always are: what was begun is never lost at the door.

extension AccountShard {
    /// Refuses a request because too much waits: of its account, or for the writer; nil lets it in.
    func overload(_ request: DispatchRequest<Model>, of store: LiveStore<Model>, at now: Milliseconds) -> Verdict? {
        request.settles == nil ? overload(request.actions.count, of: store, at: now) : nil
    }

    /// The same for so many actions.
    func overload(_ actions: Int, of store: LiveStore<Model>, at now: Milliseconds) -> Verdict? {
        if store.gate.count >= service.limits.mailboxActionsMax { return .overloaded }
        if !backlog.admits(beside: batch.actions, at: now) {
            service.counters.actionsShed.add(actions)
            return .writerBehind
        }
        return nil
    }

    /// Refuses a request because its account has used up its rate; nil lets it in. Asked after the idempotency key: a replay costs nothing.
    func excess(_ request: DispatchRequest<Model>, of store: LiveStore<Model>, at now: Milliseconds) -> Verdict? {
        request.settles == nil ? excess(request.actions.count, of: store, at: now) : nil
    }

    /// The same for so many actions.
    func excess(_ actions: Int, of store: LiveStore<Model>, at now: Milliseconds) -> Verdict? {
        guard let rate, let wait = store.bucket.take(actions, of: rate, at: now) else { return nil }
        service.counters.actionsRateLimited.add(actions)
        return .rateExceeded(waitMilliseconds: wait)
    }

    /// With so many of its account's effects waiting, a request may ask for no more.
    func effectsMax(of request: DispatchRequest<Model>) -> Int {
        request.settles == nil ? service.limits.effects.waitingPerAccountMax : .max
    }

    /// A line for each action that has become durable; never its payload, which may say something about a person.
    func tellTransitions(_ writes: [Write]) {
        for case .append(let entry) in writes {
            var fields: [(key: String, value: LogValue)] = [
                ("account", .number(entry.account.rawValue)), ("revision", .number(entry.revision)), ("type", .text(entry.name)),
                ("changed", .flag(entry.flags.contains(.changed))), ("id", .text(entry.id.text)), ("stamp", .number(entry.at)),
            ]
            if let cause = entry.cause { fields.append(("cause", .number(cause))) }
            if let trace = entry.traceText { fields.append(("trace", .text(trace))) }
            service.log.tell("transition", fields)
        }
    }
}

extension LogEntry {
    /// The trace context of the request it came with, as it is written in a `traceparent` field.
    public var traceText: String? { Self.text(ofTrace: trace) }

    /// The text of a kept trace context.
    static func text(ofTrace trace: [UInt8]?) -> String? {
        trace.flatMap { $0.count > 2 ? String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) : nil }
    }

    /// The form in which a trace context is kept: JSON text, as everything in the log.
    public static func trace(_ text: String) -> [UInt8] { Array("\"\(text)\"".utf8) }
}
