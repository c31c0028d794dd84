public import Identity
public import Persistence
public import Redux
public import Runtime
internal import Sodium
internal import Synchronization

/// Every account of one database, as the HTTP layer and tests use them: open, create, dispatch, read.
///
/// Callable from any thread. What concerns one account runs on its shard; completions run there too, so that they may go on to
/// other shards without blocking.
public final class AccountService<Model: AccountModel>: Sendable {
    /// Where all accounts are stored; `close` closes it.
    public let database: Database
    /// The accounts in memory, to be found without asking their shards.
    public let directory = Directory()
    /// What has happened since the process started, and how much waits or runs now.
    public let counters = AccountCounters(events: Model.countedEvents + IdentityEvents.all)
    /// As given at the start; the same for all accounts.
    public let limits: AccountLimits
    /// Makes and reads this database's tokens, stream tickets and verification codes.
    public let mint: TokenMint
    /// The loops' clock, which tests may set.
    public let time: TimeSource
    /// Stored bytes to typed actions and states, for all shards.
    public let history = History<Model>()

    private let shards: [AccountShard<Model>]
    private let current: Mutex<Model.Environment>
    /// Where faults, transitions and counted events are told.
    public let log: Log
    private let runner: EffectRunner<Model>
    let logSweep = Mutex(LogSweep())

    /// Puts the accounts of `database` on the loops. Effects run only after `start`.
    public init(
        database: Database, loops: [EventLoop], environment: Model.Environment, limits: AccountLimits = AccountLimits(), log: Log
    ) {
        precondition(!loops.isEmpty, "accounts live on event loops")
        self.database = database
        self.limits = limits
        self.log = log
        time = loops[0].time
        mint = TokenMint(secret: database.secret)
        current = Mutex(environment)
        let outcomes = OutcomeDoor<Model>()
        let runner = EffectRunner<Model>(
            loop: loops[0], database: database, limits: limits.effects, counters: counters, log: log, environment: environment,
            report: { action, entry, ending, done in outcomes.report(action, of: entry, ending, done) },
            settled: { outcomes.settled($0) })
        self.runner = runner
        let context = AccountShard<Model>.Context(
            database: database, directory: directory, limits: limits, counters: counters, history: history, log: log,
            effectsCommitted: { entries in runner.perform { $0.committed(entries) } },
            accountErased: { account in runner.perform { $0.committed([.erased(account)]) } })
        shards = loops.map {
            AccountShard(index: $0.index, of: loops.count, loop: $0, service: context, environment: environment)
        }
        outcomes.open(onto: shards)
    }

    /// Takes up the effects an earlier process left, begins to suspend idle accounts and to look after the database.
    ///
    /// `storageFailed` is called once, on the first loop, when nothing can be written any more: the process should end and start anew.
    public func start(storageFailed: @escaping @Sendable () -> Void = {}) {
        for shard in shards { shard.perform { $0.start() } }
        runner.perform { $0.start() }
        scheduleSessionSweep()
        scheduleUpkeep(storageFailed: storageFailed)
    }

    /// The world as views, enrichment and effects see it now.
    public var environment: Model.Environment { current.withLock { $0 } }

    /// Replaces the world as a whole; requests already running finish with the old one.
    public func replace(environment: Model.Environment) {
        current.withLock { $0 = environment }
        for shard in shards { shard.perform { $0.replace(environment: environment) } }
        runner.perform { $0.replace(environment: environment) }
    }

    func shard(at index: Int) -> AccountShard<Model> { shards[index] }

    /// The shard an account lives on.
    func shard(of account: AccountID) -> AccountShard<Model> { shards[account.shard(of: shards.count)] }

    // MARK: Accounts

    /// Opens an anonymous account; `done` gets its handle and its first token after the commit.
    public func create(_ done: @escaping @Sendable (Result<(AccountHandle, token: String), CommitFault>) -> Void) {
        let account = database.nextAccountID()
        let record = AccountRecord(id: account, created: time.wallMilliseconds(), epochPart: RandomBytes.bits64())
        let (session, token) = mintSession(database.nextSessionID(), of: account, .unending)
        shard(of: account).perform { shard in
            shard.create(record, session: session, event: nil) { result in done(result.map { ($0, token) }) }
        }
    }

    /// The handle of an account, loaded where it is not in memory; `done` runs at once where it is.
    public func open(_ account: AccountID, _ done: @escaping @Sendable (Result<AccountHandle, OpenFault>) -> Void) {
        if let handle = directory.find(account) { return done(.success(handle)) }
        shard(of: account).perform { $0.open(account, done) }
    }

    /// The live session of a token; nil in `done` where the token counts for nothing (any more).
    ///
    /// Junk is told by its checksum, before any look-up.
    public func authenticate(
        _ token: ParsedToken, _ done: @escaping @Sendable (Result<(AccountHandle, Session)?, OpenFault>) -> Void
    ) {
        guard let account = AccountID(rawValue: token.account) else { return done(.success(nil)) }
        let now = time.wallMilliseconds()
        let opened: @Sendable (Result<AccountHandle, OpenFault>) -> Void = { result in
            switch result {
            case .success(let handle):
                guard let session = handle.session(tokenHash: token.hash), session.isLive(at: now) else {
                    return done(.success(nil))
                }
                done(.success((handle, session)))
            case .failure(.noAccount): done(.success(nil))
            case .failure(let fault): done(.failure(fault))
            }
        }
        open(account) { result in
            if case .failure(let fault) = result, fault.setsAside { return self.openAside(account, fault, opened) }
            opened(result)
        }
    }

    /// What the value of an Authorization field was read as on this loop lately; nil asks for reading it, and for `keep`.
    public func recentToken(_ credentials: Span<UInt8>, on loop: isolated EventLoop) -> RecentTokens.Reading? {
        shard(on: loop)?.assumeIsolated { $0.tokens.find(credentials) }
    }

    /// Keeps what such a value was read as.
    public func keep(_ reading: RecentTokens.Reading, on loop: isolated EventLoop) {
        shard(on: loop)?.assumeIsolated { $0.tokens.keep(reading) }
    }

    /// The shard that shares a loop; nil for a loop that serves no accounts.
    private func shard(on loop: EventLoop) -> AccountShard<Model>? {
        guard loop.index < shards.count, shards[loop.index].loop === loop else { return nil }
        return shards[loop.index]
    }

    /// The live session of a token, where its account is in memory; nil is no verdict, but asks for `authenticate`.
    public func standing(of token: ParsedToken, at now: Milliseconds) -> (AccountHandle, Session)? {
        guard let account = AccountID(rawValue: token.account), let handle = directory.find(account),
            let session = handle.session(tokenHash: token.hash), session.isLive(at: now)
        else { return nil }
        return (handle, session)
    }

    // MARK: Actions

    /// Dispatches to an account; `deliver` is called once, after the output gate, on the account's executor.
    public func dispatch(
        _ request: DispatchRequest<Model>, to account: AccountID, deliver: @escaping @Sendable (Verdict) -> Void
    ) {
        shard(of: account).perform { $0.dispatch(request, to: account, deliver: deliver) }
    }

    /// The same from code that already runs on `loop`: without a hop where the account lives there.
    public func dispatch(
        _ request: DispatchRequest<Model>, to account: AccountID, on loop: isolated EventLoop,
        deliver: @escaping @Sendable (Verdict) -> Void
    ) {
        let shard = shard(of: account)
        if shard.index == loop.index {
            shard.assumeIsolated { $0.dispatch(request, to: account, deliver: deliver) }
        } else {
            shard.perform { $0.dispatch(request, to: account, deliver: deliver) }
        }
    }

    // MARK: The end

    /// Waits a while for the effects that run, writes every state back and closes the database. Nothing may be dispatched any more.
    public func close(_ done: @escaping @Sendable () -> Void) {
        reportEvents()
        let waiting = Countdown(shards.count) { [database] in database.close(then: done) }
        let shards = shards
        runner.perform { runner in
            runner.stop { for shard in shards { shard.perform { $0.writeBackAll { waiting.arrive() } } } }
        }
    }
}

extension AccountID {
    /// Spreads accounts over shards: neighbouring ids land on different ones.
    func shard(of count: Int) -> Int { Int(truncatingIfNeeded: UInt64(bitPattern: rawValue) % UInt64(count)) }
}

/// Where effects' outcomes enter: the same door as every other action, opened once the shards stand.
private final class OutcomeDoor<Model: AccountModel>: Sendable {
    private let shards = Mutex<[AccountShard<Model>]>([])

    func open(onto shards: [AccountShard<Model>]) { self.shards.withLock { $0 = shards } }

    func report(
        _ action: Model.Action, of entry: OutboxEntry, _ ending: EffectRunner<Model>.Ending,
        _ done: @escaping @Sendable (Verdict) -> Void
    ) {
        let shards = shards.withLock { $0 }
        var request = DispatchRequest<Model>([action]) { _ in RenderedAnswer(status: 200, fields: [], body: []) }
        request.settles = entry.id
        if case .bury(let reason) = ending { request.buries = reason }
        let outcome = request
        shards[entry.account.shard(of: shards.count)].perform { $0.dispatch(outcome, to: entry.account, deliver: done) }
    }

    /// An entry has gone, with nothing to report.
    func settled(_ id: OutboxID) {
        let shards = shards.withLock { $0 }
        shards[id.account.shard(of: shards.count)].perform { $0.didSettle(id) }
    }
}

/// Calls `last` when as many have arrived as were announced.
final class Countdown: Sendable {
    private let left: Mutex<Int>
    private let last: @Sendable () -> Void

    init(_ count: Int, last: @escaping @Sendable () -> Void) {
        left = Mutex(count)
        self.last = last
    }

    func arrive() {
        let isLast = left.withLock {
            $0 -= 1
            return $0 == 0
        }
        if isLast { last() }
    }
}
