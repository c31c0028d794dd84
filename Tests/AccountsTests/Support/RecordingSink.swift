import Accounts
import JSON
import Persistence
import Redux
import Runtime
import Synchronization

/// A client's end of a stream, as a test sees it: what came, in order. It may be made slow.
final class RecordingSink: EventSink {
    enum Seen: Equatable, Sendable {
        case transition(Revision, patch: String?)
        case snapshot(Revision, state: String, reset: ResetReason?)
        case view(String, EventID, reset: ResetReason?)
        case heartbeat(Revision)
        case bye(ByeReason, resume: EventID?)
    }

    private struct State {
        var seen: [Seen] = []
        var accounts: Set<AccountID> = []
        var epochs: Set<String> = []
        var room = Int.max
        var rooms: SeededGenerator?
        var isEnded = false
    }
    private let state: Mutex<State>
    /// How long a full connection stays full; 0 is to the end of the turn.
    private let stallMilliseconds: Int

    /// With a seed it takes one to five events at a time.
    init(slowness seed: UInt64? = nil, room: Int = .max, stallMilliseconds: Int = 0) {
        self.stallMilliseconds = stallMilliseconds
        var state = State()
        state.room = room
        if let seed {
            state.rooms = SeededGenerator(seed: seed)
            state.room = 0
        }
        self.state = Mutex(state)
    }

    var seen: [Seen] { state.withLock { $0.seen } }
    /// Whose transitions came, and under which epochs.
    var accounts: Set<AccountID> { state.withLock { $0.accounts } }
    var epochs: Set<String> { state.withLock { $0.epochs } }
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Where the client stands: its last transition or snapshot.
    var revision: Revision? {
        seen.reversed().lazy.compactMap { event -> Revision? in
            switch event {
            case .transition(let revision, _), .snapshot(let revision, _, _): revision
            default: nil
            }
        }.first
    }

    func prepare(_ event: FeedEvent, patched: Bool, epoch: String) {}

    func send(_ event: FollowerEvent, epoch: String, on loop: isolated EventLoop) -> Bool {
        state.withLock { state in
            guard state.room > 0, !state.isEnded else { return false }
            if state.room < .max { state.room -= 1 }
            state.epochs.insert(epoch)
            switch event {
            case .transition(let event, let patched):
                state.accounts.insert(event.entry.account)
                let patch = patched ? event.patch.map { String(decoding: $0, as: UTF8.self) } ?? "missing" : nil
                state.seen.append(.transition(event.revision, patch: patch))
            case .snapshot(let published, let reset):
                let body = (try? published.body()).map { String(decoding: $0, as: UTF8.self) } ?? ""
                state.seen.append(.snapshot(published.revision, state: body, reset: reset))
            case .view(let value, let id, let reset):
                state.seen.append(.view(String(decoding: value, as: UTF8.self), id, reset: reset))
            case .heartbeat(let revision): state.seen.append(.heartbeat(revision))
            case .bye(let reason, let resume): state.seen.append(.bye(reason, resume: resume))
            }
            return true
        }
    }

    func whenWritable(on loop: isolated EventLoop, _ job: @escaping EventLoop.LocalJob) {
        let refill = { [self] in
            state.withLock { state in
                if state.rooms == nil { state.room = .max } else { state.room = Int.random(in: 1...5, using: &state.rooms!) }
            }
            job()
        }
        if stallMilliseconds == 0 { loop.endOfTurn(refill) } else { loop.schedule(afterMilliseconds: stallMilliseconds, refill) }
    }

    func end(on loop: isolated EventLoop) { state.withLock { $0.isEnded = true } }
}

extension Bench {
    /// Follows an account with its first session, on a loop by number.
    func follow(
        _ form: Follower<Model>.Form, of handle: AccountHandle, from resumption: Resumption = .fresh, to sink: RecordingSink,
        onLoop index: Int = 0, limits: FollowerLimits = FollowerLimits()
    ) -> Follower<Model> {
        let loop = loops[index % loops.count]
        let follower = Follower(
            form, of: handle.id, session: handle.sessions[0], from: resumption, to: sink, accounts: accounts, on: loop,
            limits: limits)
        loop.execute { _ in follower.assumeIsolated { $0.start() } }
        return follower
    }

    /// The client goes away.
    func cut(_ follower: Follower<Model>) {
        follower.loop.execute { _ in follower.assumeIsolated { $0.closed() } }
    }
}
