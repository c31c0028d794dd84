public import Identity
internal import Persistence
public import Redux
internal import Runtime

// Sessions, as the HTTP layer asks for them. Completions run on the account's shard.

/// A session that has begun, with the one showing of its token.
public struct NewSession: Sendable {
    /// The account in memory, the session among its own.
    public let account: AccountHandle
    /// Secret: shown to its owner once, stored and logged nowhere.
    public let token: String
    /// Nil where the session does not end by itself.
    public let expires: Milliseconds?
}

extension AccountService {
    /// Expired sessions looked for at a time, over all accounts, and how often.
    public static var sweepSessionsMax: Int { 256 }
    /// Between two such looks; the log is told of counted events as often.
    public static var sweepMilliseconds: Int { 60_000 }

    /// Mints the token of a session that begins, or goes on, now.
    func mintSession(_ id: Int64, of account: AccountID, _ policy: SessionPolicy) -> (record: SessionRecord, token: String) {
        let now = time.wallMilliseconds()
        let minted = mint.mint(account: account.rawValue)
        let record = SessionRecord(
            id: id, account: account, tokenHash: minted.hash.bytes, created: now, expires: policy.expiry(from: now))
        return (record, minted.text)
    }

    /// Begins a session of someone who has shown who they are.
    func begin(
        _ account: AccountID, _ policy: SessionPolicy, _ done: @escaping @Sendable (Result<NewSession, IdentityFault>) -> Void
    ) {
        let (record, token) = mintSession(database.nextSessionID(), of: account, policy)
        shard(of: account).perform { shard in
            shard.begin(record) { result in
                done(result.map { NewSession(account: $0, token: token, expires: record.expires) })
            }
        }
    }

    /// Ends a session; its token is dead at once, on every connection.
    ///
    /// - Parameter clear: whether the account's working data goes where it was the last one.
    public func end(_ session: Session, clear: Bool, _ done: @escaping @Sendable (Result<Void, IdentityFault>) -> Void) {
        session.revoke()
        shard(of: session.account).perform { $0.end(session, clear: clear, done: done) }
    }

    /// Gives a session a new token and, where it ends by itself, a new end; the old token is dead at once.
    public func renew(
        _ session: Session, of account: AccountHandle, _ policy: SessionPolicy,
        _ done: @escaping @Sendable (Result<NewSession, IdentityFault>) -> Void
    ) {
        var (record, token) = mintSession(session.id, of: account.id, account.record.email == nil ? .unending : policy)
        record.created = session.created
        let renewed = (record, token)
        shard(of: account.id).perform { shard in
            shard.renew(session, as: renewed.0) { result in
                done(result.map { NewSession(account: account, token: renewed.1, expires: renewed.0.expires) })
            }
        }
    }

    /// Ends what has come to its end, in every account, from time to time.
    func scheduleSessionSweep() {
        shard(at: 0).loop.execute { loop in
            loop.schedule(afterMilliseconds: Self.sweepMilliseconds) {
                self.sweepSessions()
                self.reportEvents()
                self.scheduleSessionSweep()
            }
        }
    }

    private func sweepSessions() {
        database.accountsWithExpiredSessions(upTo: time.wallMilliseconds(), limit: Self.sweepSessionsMax) { result in
            guard case .success(let accounts) = result else { return }
            for account in accounts { self.shard(of: account).perform { $0.expireSessions(of: account) } }
        }
    }

    /// Says in the log what has been counted since the last time.
    func reportEvents() {
        for event in counters.events.takeGrowth() {
            log.info("events", ["event": .text(event.name), "more": .count(event.more), "total": .count(event.count)])
        }
    }
}
