internal import JSON
internal import Persistence
internal import Redux
internal import Runtime

// The outbox, for whoever operates the service: what waits, what is dead, and what is to become of it.

extension Command {
    private static let selection: [(name: String, value: String?, help: String)] = [
        ("--id", "ID", "One effect, as the list names it."),
        ("--account", "N", "The dead effects of an account."),
        ("--all", nil, "Every dead effect."),
    ]

    static let effectsList = Command(
        name: "effects list", summary: "List the effects that wait or are dead; works on a live database.",
        options: [
            ("--account", "N", "Of one account only."), ("--dead", nil, "The dead ones only."),
            ("--json", nil, "Print one JSON object a line."),
        ], takesSettings: true
    ) { options in
        let configuration = Configuration.orExit(options)
        let filter = EffectFilter(options)
        EffectsDesk.orExit { () throws(StorageFault) in
            let inspector = try Inspector.open(path: configuration.database, model: nil)
            try EffectsDesk.forEach(in: inspector) { entry in
                guard filter.matches(entry) else { return }
                ThisProcess.print(
                    (options.isOn("--json") ? EffectsDesk.json(of: entry) : EffectsDesk.text(of: entry)) + "\n")
            }
        }
    }

    static let effectsRetry = Command(
        name: "effects retry", summary: "Have dead effects tried again from the next start on; the service must be stopped.",
        options: selection, takesSettings: true
    ) { options in
        EffectsDesk.change(options, done: "to be tried again") { .reschedule($0.id, due: $1, attempt: 0) }
    }

    static let effectsDrop = Command(
        name: "effects drop",
        summary: "Give effects up: the next start reports that they were not done; the service must be stopped.",
        options: selection, takesSettings: true
    ) { options in
        EffectsDesk.change(options, done: "dropped") {
            .reschedule($0.id, due: $1, attempt: OutboxEntry.droppedAttempt)
        }
    }
}

/// Which entries are meant.
private struct EffectFilter {
    let id: OutboxID?
    let account: AccountID?
    let onlyDead: Bool
    /// Nothing says which.
    let isEmpty: Bool

    init(_ options: Command.Options) {
        id = options.last("--id").map { text in
            guard let id = OutboxID(text) else {
                EffectsDesk.misused("--id is of the form ACCOUNT.REVISION.ORDINAL; \"\(text)\" is not")
            }
            return id
        }
        account = options.last("--account").map { text in
            guard let account = Int64(text).flatMap({ AccountID(rawValue: $0) }) else {
                EffectsDesk.misused("--account is a positive integer; \"\(text)\" is not")
            }
            return account
        }
        onlyDead = options.isOn("--dead")
        isEmpty = id == nil && account == nil && !options.isOn("--all")
    }

    func matches(_ entry: OutboxEntry) -> Bool {
        (id == nil || entry.id == id) && (account == nil || entry.account == account) && (!onlyDead || entry.deadReason != nil)
    }

    /// An entry that is named may wait; of the others the dead are meant.
    func isChosen(_ entry: OutboxEntry) -> Bool { matches(entry) && (id != nil || entry.deadReason != nil) }
}

private enum EffectsDesk {
    static let pageMax = 1000

    static func misused(_ sentence: String) -> Never {
        ThisProcess.say("storehouse: \(sentence)")
        ThisProcess.exit(.usage)
    }

    static func orExit(_ body: () throws(StorageFault) -> Void) -> Never {
        do throws(StorageFault) {
            try body()
            ThisProcess.exit(.success)
        } catch {
            ThisProcess.say("storehouse: \(error)")
            ThisProcess.exit(.failure)
        }
    }

    static func forEach(in inspector: Inspector, _ body: (OutboxEntry) -> Void) throws(StorageFault) {
        var last: OutboxID?
        repeat {
            let page = try inspector.outbox(after: last, limit: pageMax)
            for entry in page { body(entry) }
            last = page.last?.id
        } while last != nil
    }

    /// Writes for each chosen entry what `write` says of it and of the time.
    static func change(
        _ options: Command.Options, done: String, _ write: (OutboxEntry, Milliseconds) -> Write
    ) {
        let configuration = Configuration.orExit(options)
        let filter = EffectFilter(options)
        guard !filter.isEmpty else { misused("say which: --id ID, --account N or --all") }
        orExit { () throws(StorageFault) in
            // Takes the lock, and so is refused while the service runs.
            let database = try Database.open(
                path: configuration.database, model: configuration.model, mode: .existing)
            let now = TimeSource.system.wallMilliseconds()
            var writes: [Write] = []
            try forEach(in: try Inspector.open(path: configuration.database, model: nil)) { entry in
                if filter.isChosen(entry) { writes.append(write(entry, now)) }
            }
            let count = writes.count
            let latch = Latch()
            database.submit(writes) { result in
                if case .failure(let fault) = result {
                    ThisProcess.say("storehouse: nothing was changed: \(fault)")
                    ThisProcess.exit(.failure)
                }
                database.close { latch.open() }
            }
            latch.wait()
            ThisProcess.print("\(count) \(count == 1 ? "effect" : "effects") \(done)\n")
        }
    }

    static func text(of entry: OutboxEntry) -> String {
        let standing =
            entry.deadReason.map { "dead: \($0)" }
            ?? (entry.attempt >= OutboxEntry.droppedAttempt ? "dropped" : "due \(entry.due), \(entry.attempt) attempts")
        return "\(entry.id) \(entry.kind) \(standing)"
    }

    static func json(of entry: OutboxEntry) -> String {
        var object = JSONObject()
        object["account"] = .integer(entry.account.rawValue)
        object["attempts"] = .integer(Int64(entry.attempt))
        object["dead"] = entry.deadReason.map { .string($0) } ?? .null
        object["due"] = .integer(entry.due)
        object["effect"] = (try? JSONReader.read(entry.payload, limits: .stored)) ?? .null
        object["id"] = .string(entry.id.description)
        object["key"] = entry.key.map { .string($0) } ?? .null
        object["kind"] = .string(entry.kind)
        return JSONValue.object(object).canonicalText
    }
}
