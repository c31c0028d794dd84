import Accounts
import Foundation
import Redux
import Testing

/// The model of the guide `Your first model`, and what the guide says of it.
@Suite(.timeLimit(.minutes(2))) struct `The first model` {
    @Test func `gives an item the number of the revision that added it`() throws {
        let account = try #require(AccountID(rawValue: 1))
        let stamp = Stamp(revision: 7, at: 0, id: ActionID(high: 1, low: 1), account: account)
        var state = ToDoModel.initialState(for: account)
        try ToDoModel.reduce(into: &state, action: Stamped(.add(.init(text: "Write")), stamp: stamp))
        #expect(state.items == [ToDoModel.Item(id: 7, text: "Write")])
        let refusal = #expect(throws: Refusal.self) {
            try ToDoModel.reduce(into: &state, action: Stamped(.finish(.init(id: 8)), stamp: stamp))
        }
        #expect(refusal?.kind == .itemNotFound)
    }

    @Test func `refuses what passes the bound of its list, and only that`() throws {
        let account = try #require(AccountID(rawValue: 1))
        var state = ToDoModel.initialState(for: account)
        func add() throws(Refusal) {
            let stamp = Stamp(revision: 1, at: 0, id: ActionID(high: 1, low: 1), account: account)
            try ToDoModel.reduce(into: &state, action: Stamped(.add(.init(text: "Write")), stamp: stamp))
        }
        for _ in 0..<100 { try add() }
        #expect(throws: Refusal(.listFull, "A hundred things are enough.")) { try add() }
    }

    @Test func `fits on a page`() throws {
        let text = try Checkout.text("Tests/DocumentTests/Model/ToDoModel.swift")
        let lines = text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
        #expect(lines.count <= 62)
    }

    @Test func `is served: the guide's commands answer what the guide says`() async throws {
        let served = try Served<ToDoModel>()
        let blocks = Document.firstModel.blocks("sh")
        try #require(!blocks.isEmpty)
        for block in blocks {
            let transcript = Transcript(block.text)
            let script = "PORT=\(served.port)\n" + Shell.onPort(transcript.script)
            let (status, said) = try await Shell.run(script)
            #expect(status == 0)
            transcript.check(said, in: .firstModel, at: block.line)
        }
        await served.end()
    }

    @Test func `is followed by a later one, which reads what the first has stored`() async throws {
        let served = try Served<ToDoModel>()
        let opening = await withCheckedContinuation { done in served.accounts.create { done.resume(returning: $0) } }
        let account = try opening.get().0.id
        for action in [ToDoModel.Action.add(.init(text: "Write")), .finish(.init(id: 1)), .add(.init(text: "Read"))] {
            _ = await served.dispatch(action, to: account)
        }
        let later = try await served.followed(by: LaterToDoModel.self)
        _ = await later.dispatch(.finish(.init(id: 3)), to: account)
        let handle = await withCheckedContinuation { done in later.accounts.open(account) { done.resume(returning: $0) } }
        let body = String(decoding: try handle.get().published.body(), as: UTF8.self)
        // What was finished before the release has no time but the first of all.
        #expect(
            body.contains(/\{"finishedAt":0,"id":1,"text":"Write"\},\{"finishedAt":1\d{12},"id":3,"text":"Read"\}/), "\(body)"
        )
        await later.end()
    }
}

extension Served {
    /// Dispatches one action; fails where it is not accepted.
    func dispatch(_ action: Model.Action, to account: AccountID) async -> Verdict {
        let request = DispatchRequest<Model>([action]) { _ in RenderedAnswer(status: 200, fields: [], body: []) }
        let verdict = await withCheckedContinuation { done in
            accounts.dispatch(request, to: account) { done.resume(returning: $0) }
        }
        guard case .done = verdict else {
            Issue.record("\(action.name): \(verdict)")
            return verdict
        }
        return verdict
    }
}
