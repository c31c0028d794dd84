internal import Accounts
internal import JSON
internal import Persistence
internal import Redux
internal import Runtime

extension Command {
    static let replay = Command(
        name: "replay",
        summary: "Run the accounts of an export again, step by step, and compare each state with what was recorded.",
        options: [
            ("--account", "N", "This account only."), ("--until", "R", "Stop at this revision."),
            ("--diff", nil, "Show what each step changed."), ("--state", nil, "Show the state at the end."),
            ("--json", nil, "Print a line of JSON for each step."),
        ], takesSettings: false, operands: ["FILE"]
    ) { options in
        let path = options.last("FILE") ?? ""
        do {
            var source = try LineSource(path)
            guard let first = try source.next() else { throw CommandFault("the file is empty") }
            let model = try model(ofExport: first)
            let form = ReplayForm(
                account: try options.account(), until: try options.until(), isDiffed: options.isOn("--diff"),
                showsState: options.isOn("--state"), isJSON: options.isOn("--json"))
            let agrees = try run(model, first, &source, form)
            ThisProcess.exit(agrees ? .success : .failure)
        } catch {
            ThisProcess.complain(["\(path): \(error)"])
            ThisProcess.exit(error is CommandFault.Usage ? .usage : .failure)
        }
    }

    private static func run<Model: AccountModel>(
        _ model: Model.Type, _ first: [UInt8], _ source: inout LineSource, _ form: ReplayForm
    ) throws -> Bool {
        var replay = Replay(model, form)
        try replay.take(first)
        while !replay.isOver, let line = try source.next() { try replay.take(line) }
        return try replay.finish()
    }
}

/// What of a replay is shown.
struct ReplayForm {
    let account: AccountID?
    let until: Revision?
    let isDiffed: Bool
    let showsState: Bool
    let isJSON: Bool
}

/// Prints the steps of an export as it is played back.
private struct Replay<Model: AccountModel> {
    private let form: ReplayForm
    private var playback: ExportPlayback<Model>
    private var account: AccountID?
    /// Whether the account at hand is shown, and has not come to its end.
    private var isShown = false
    private var start: Milliseconds?
    private var before: JSONValue?
    private var shown = 0
    /// Nothing more is to be read: a difference was found, or the one account is through.
    private(set) var isOver = false
    private var agrees = true

    init(_ model: Model.Type, _ form: ReplayForm) {
        self.form = form
        playback = ExportPlayback(model)
    }

    mutating func take(_ line: [UInt8]) throws {
        switch try playback.take(line) {
        case .export, .effect, .postponed, .done: break
        case .account(let record):
            account = record.id
            isShown = form.account == nil || form.account == record.id
            start = nil
            before = form.isDiffed ? playback.state : nil
            if isShown {
                shown += 1
                if !form.isJSON { say("account \(record.id)") }
                if form.until == 0 { conclude(at: 0) }
            }
        case .base(let base, let comparison):
            guard isShown else { return }
            before = form.isDiffed ? playback.state : nil
            if !form.isJSON { say("\(pad(base.revision))  starts from a base  \(comparison.reached ?? "")") }
            check(comparison, at: base.revision)
            if isShown, form.until == base.revision { conclude(at: base.revision) }
        case .action(let entry, let comparison):
            guard isShown else { return }
            show(entry, comparison)
            check(comparison, at: entry.revision)
            if isShown, form.until == entry.revision { conclude(at: entry.revision) }
        case .end(_, let revision, let comparison):
            guard isShown else { return }
            if let until = form.until { throw CommandFault("account \(name) ends at revision \(revision), before \(until)") }
            check(comparison, at: revision)
            if isShown { conclude(at: revision) }
        }
    }

    /// Whether all that was shown agrees with what was recorded.
    func finish() throws -> Bool {
        if !isOver { try playback.finish() }
        if shown == 0, let account = form.account { throw CommandFault("there is no account \(account) in it") }
        return agrees
    }

    private var name: String { account?.description ?? "" }

    /// A difference ends the replay: what follows it says nothing.
    private mutating func check(_ comparison: ExportPlayback<Model>.Comparison, at revision: Revision) {
        guard comparison.differs else { return }
        let reason =
            playback.obstacle?.reason
            ?? "this build comes to \(comparison.reached ?? "nothing"), \(comparison.recorded ?? "nothing") was recorded"
        ThisProcess.complain(["account \(name), revision \(revision): \(reason)"])
        agrees = false
        isShown = false
        isOver = true
    }

    /// The account is shown no further.
    private mutating func conclude(at revision: Revision) {
        isShown = false
        if form.account != nil { isOver = true }
        let hash = playback.point.flatMap { try? History<Model>().states.encode($0.state) }.map { StateHash.text($0) } ?? ""
        guard form.isJSON else {
            say("account \(name) is at revision \(revision), state \(hash)")
            if form.showsState, let state = playback.state { say(state.canonicalText) }
            return
        }
        var line = JSONObject()
        line["account"] = account.map { .integer($0.rawValue) }
        line["end"] = true
        line["hash"] = .string(hash)
        line["revision"] = .integer(revision)
        if form.showsState { line["state"] = playback.state }
        say(JSONValue.object(line).canonicalText)
    }

    private mutating func show(_ entry: LogEntry, _ comparison: ExportPlayback<Model>.Comparison) {
        var patch: JSONPatch?
        if form.isDiffed {
            let after = playback.state
            if let before, let after { patch = JSONPatch.difference(from: before, to: after) }
            before = after
        }
        guard !form.isJSON else { return say(json(entry, comparison, patch)) }
        let first = start ?? entry.at
        start = first
        let since = entry.at - first
        let milliseconds = String(since % 1000)
        let fraction = String(repeating: "0", count: 3 - milliseconds.count) + milliseconds
        say(
            "\(pad(entry.revision))  +\(since / 1000).\(fraction) s  \(entry.name)  \(String(decoding: entry.payload, as: UTF8.self))"
        )
        for operation in patch?.operations ?? [] { say("          \(operation.document.canonicalText)") }
    }

    private func json(_ entry: LogEntry, _ comparison: ExportPlayback<Model>.Comparison, _ patch: JSONPatch?) -> String {
        var line = JSONObject()
        line["account"] = .integer(entry.account.rawValue)
        line["agrees"] = .bool(!comparison.differs)
        line["at"] = .integer(entry.at)
        line["hash"] = comparison.reached.map { .string($0) } ?? .null
        line["patch"] = patch?.document
        line["revision"] = .integer(entry.revision)
        line["type"] = .string(entry.name)
        return JSONValue.object(line).canonicalText
    }

    private func say(_ line: String) { ThisProcess.print(line + "\n") }

    private func pad(_ revision: Revision) -> String {
        let text = String(revision)
        return String(repeating: " ", count: max(0, 6 - text.count)) + text
    }
}
