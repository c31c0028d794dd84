import Accounts
import Counter
import JSON
import Persistence
import Redux
import Runtime
import Testing

/// What a client remembers over all its connections, and what it holds against the service.
private struct Client {
    let patched: Bool
    /// The last event's id, and the state as the client made it of what it was told.
    var id: EventID?
    var document: JSONValue?
    var resets: [ResetReason] = []
    /// Transitions and snapshots it was given.
    var events = 0
    var complaints: [String] = []

    init(patched: Bool) { self.patched = patched }

    var resumption: Resumption { id.map { .after($0) } ?? .fresh }

    /// Takes what one connection brought.
    mutating func take(_ sink: RecordingSink, epoch: String) {
        if sink.epochs.count > 1 { complaints.append("two epochs: \(sink.epochs)") }
        for event in sink.seen {
            switch event {
            case .snapshot(let revision, let state, let reset):
                if let reset { resets.append(reset) }
                if reset == nil, id != nil { complaints.append("a snapshot at \(revision) nobody asked for") }
                if revision < id?.revision ?? 0 { complaints.append("back from \(id!.revision) to \(revision)") }
                document = (try? JSONReader.read(Array(state.utf8)))?["state"]
                id = EventID(epoch: epoch, revision: revision)
            case .transition(let revision, let patch):
                if revision != (id?.revision ?? -2) + 1 { complaints.append("\(revision) after \(id?.revision ?? -1)") }
                id = EventID(epoch: epoch, revision: revision)
                if patched { apply(patch ?? "none", at: revision) }
            default: continue
            }
            events += 1
            // A counter that is only increased stands at its revision.
            if patched, document != ["value": .integer(id?.revision ?? -1)] {
                complaints.append("at \(id?.revision ?? -1) the client has \(document?.canonicalText ?? "nothing")")
            }
        }
    }

    private mutating func apply(_ patch: String, at revision: Revision) {
        do {
            document = try JSONPatch(JSONReader.read(Array(patch.utf8))).apply(to: document ?? .null)
        } catch {
            complaints.append("patch \(patch) at \(revision): \(error)")
        }
    }
}

@Suite(.serialized, .timeLimit(.minutes(10))) struct `A follower that comes back` {
    /// One account's clients through a life of actions, cuts, slow connections, restarts and (where asked for) trimming.
    private func live(seed: UInt64, trims: Bool) async throws -> (clients: [Client], head: Revision) {
        var random = SeededGenerator(seed: seed)
        var bench = try Bench<CounterModel>()
        let (first, _) = try await bench.create()
        let (other, _) = try await bench.create()
        var handle = first
        var clients = [Client(patched: false), Client(patched: true), Client(patched: false), Client(patched: true)]
        var connections: [Int: (Follower<CounterModel>, RecordingSink)] = [:]
        var head: Revision = 0

        func disconnect(_ index: Int) {
            guard let (follower, sink) = connections.removeValue(forKey: index) else { return }
            // On the loop, so that nothing more comes after the client has looked at what it got.
            follower.loop.runBlocking { _ in follower.assumeIsolated { $0.closed() } }
            if !sink.accounts.isSubset(of: [first.id]) { clients[index].complaints.append("events of another account") }
            clients[index].take(sink, epoch: handle.epoch)
        }

        for _ in 0..<60 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8:
                for _ in 0..<Int.random(in: 1...60, using: &random) {
                    _ = await bench.dispatch(.increase, to: first.id)
                    head += 1
                }
                _ = await bench.dispatch(.increase, to: other.id)
            case 8..<10:
                let count = Int.random(in: 1...100, using: &random)
                let batch = DispatchRequest<CounterModel>(
                    [CounterAction](repeating: .increase, count: count), render: Bench.render)
                _ = await bench.dispatch(batch, to: first.id)
                head += Int64(count)
            case 10..<15:
                let index = Int.random(in: 0..<clients.count, using: &random)
                guard connections[index] == nil else { continue }
                let slowness: UInt64? = Bool.random(using: &random) ? random.next() : nil
                let sink = RecordingSink(slowness: slowness)
                let follower = bench.follow(
                    .transitions(patched: clients[index].patched), of: handle, from: clients[index].resumption, to: sink,
                    onLoop: Int.random(in: 0...1, using: &random))
                connections[index] = (follower, sink)
            case 15..<18:
                disconnect(Int.random(in: 0..<clients.count, using: &random))
            case 18 where trims:
                try await trim(first.id, at: head, in: bench)
            default:
                for index in clients.indices { disconnect(index) }
                bench = try await bench.restarted(environment: .init())
                handle = try await bench.open(first.id).get()
            }
        }
        // At the end everybody comes back, and gets all that is left.
        for index in clients.indices where connections[index] == nil {
            let sink = RecordingSink()
            let form = Follower<CounterModel>.Form.transitions(patched: clients[index].patched)
            connections[index] = (bench.follow(form, of: handle, from: clients[index].resumption, to: sink), sink)
        }
        let last = clients.map(\.id?.revision)
        let sinks = connections.mapValues(\.1)
        let goal = head
        await bench.until { sinks.allSatisfy { $0.value.revision ?? last[$0.key] == goal } }
        for index in clients.indices { disconnect(index) }
        #expect(bench.accounts.counters.followers.current == 0)
        await bench.end()
        return (clients, head)
    }

    private func trim(_ account: AccountID, at head: Revision, in bench: Bench<CounterModel>) async throws {
        guard head > 1 else { return }
        let past = bench.accounts.past
        let point = try await withCheckedContinuation { done in past.state(of: account, at: head) { done.resume(returning: $0) } }
            .get()
        let base = try bench.accounts.history.states.snapshot(point.state, of: account, at: head, isBase: true)
        let outcome = await withCheckedContinuation { done in
            bench.accounts.database.submit([.snapshot(base), .trim(account, through: head - 1)]) { done.resume(returning: $0) }
        }
        try outcome.get()
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func `gives each client each revision once, in order, over cuts, slowness and restarts`(_ seed: UInt64) async throws {
        let (clients, head) = try await live(seed: seed, trims: false)
        for client in clients {
            #expect(client.complaints == [])
            #expect(client.resets == [], "nothing was lost, so nobody starts again")
            #expect(client.id?.revision == head)
        }
    }

    @Test(arguments: 101...106 as ClosedRange<UInt64>)
    func `starts again from a snapshot where the log was trimmed, and only there`(_ seed: UInt64) async throws {
        let (clients, head) = try await live(seed: seed, trims: true)
        for client in clients {
            #expect(client.complaints == [])
            #expect(client.resets.allSatisfy { $0 == .trimmed })
            #expect(client.id?.revision == head)
        }
    }
}
