internal import Identity
internal import Persistence
internal import Redux
internal import Runtime

// What happens to an account's sessions. Each change is one batch with the fact by which the model learns of it; the fact that
// nobody is signed in any more is logged when the last session goes, and only then.

extension AccountShard {
    /// Sessions of one account at most; a further one ends the oldest.
    static var sessionsMax: Int { 64 }

    typealias SessionDone = @Sendable (Result<Void, IdentityFault>) -> Void

    /// Runs `body` once the account's store is in memory, or with the reason why it cannot be.
    private func ready(
        _ account: AccountID, _ body: @escaping @Sendable (isolated AccountShard<Model>, IdentityFault) -> Void
    ) {
        open(account) { result in
            switch result {
            case .success: self.assumeIsolated { body($0, .open(.noAccount)) }
            case .failure(let fault): self.assumeIsolated { body($0, .open(fault)) }
            }
        }
    }

    /// Opens a new account whose owner, if it has one, is registered with it; `done` runs after the commit.
    ///
    /// - Parameter start: where its life starts, as a base; nil starts with the initial state.
    func create(
        _ record: AccountRecord, session: SessionRecord?, event: SessionEvent?, from start: History<Model>.Point? = nil,
        done: @escaping @Sendable (Result<AccountHandle, CommitFault>) -> Void
    ) {
        let store = install(
            Recovered(
                record: record, sessions: session.flatMap(Session.init).map { [$0] } ?? [],
                state: start?.state ?? Model.initialState(for: record.id), head: start?.revision ?? 0, at: 0, tail: .empty,
                idempotency: []))
        write(.createAccount(record), of: store)
        if let start { write(.begin(base(of: record.id, start)), of: store) }
        if let session { write(.createSession(session), of: store) }
        if let event { report(event, in: store) }
        let handle = store.handle
        finish(store) { fault in done(fault.map { .failure($0) } ?? .success(handle)) }
    }

    /// Begins a session for someone who has signed in.
    func begin(_ record: SessionRecord, done: @escaping @Sendable (Result<AccountHandle, IdentityFault>) -> Void) {
        ready(record.account) { shard, fault in
            guard let store = shard.store(of: record.account), let session = Session(record) else {
                return done(.failure(fault))
            }
            shard.write(.createSession(record), of: store)
            let handle = store.handle
            handle.add(session)
            for oldest in handle.sessions.dropLast(Self.sessionsMax) { shard.remove(oldest, of: store) }
            shard.report(.signedIn, in: store)
            shard.finish(store) { fault in done(fault.map { .failure(.commit($0)) } ?? .success(handle)) }
        }
    }

    /// Ends a session: its token is dead at once, and stays so once `done` is told of success.
    func end(_ session: Session, clear: Bool, done: @escaping SessionDone) {
        session.revoke()
        ready(session.account) { shard, fault in
            // After a reload it is another object with the same number.
            guard let store = shard.store(of: session.account) else { return done(.failure(fault)) }
            guard let known = store.handle.sessions.first(where: { $0.id == session.id }) else { return done(.success(())) }
            shard.remove(known, of: store)
            shard.removeExpired(of: store)
            if store.handle.sessions.isEmpty { shard.report(.signedOut(clear: clear), in: store) }
            shard.finish(store) { fault in done(fault.map { .failure(.commit($0)) } ?? .success(())) }
        }
    }

    /// Ends what has come to its end; changes nothing where nothing has.
    func expireSessions(of account: AccountID) {
        ready(account) { shard, _ in
            guard let store = shard.store(of: account), shard.removeExpired(of: store) else { return }
            if store.handle.sessions.isEmpty { shard.report(.expired, in: store) }
            shard.finish(store) { _ in }
        }
    }

    /// Gives a session another token and another end; the old token is dead at once.
    func renew(_ session: Session, as record: SessionRecord, done: @escaping SessionDone) {
        ready(session.account) { shard, fault in
            guard let store = shard.store(of: session.account) else { return done(.failure(fault)) }
            guard let renewed = Session(record), let known = store.handle.sessions.first(where: { $0.id == session.id }),
                known.isLive(at: record.created)
            else { return done(.failure(.noSession)) }
            session.revoke()
            known.revoke()
            _ = store.handle.remove(known)
            store.handle.add(renewed)
            shard.write(.renewSession(record), of: store)
            shard.finish(store) { fault in done(fault.map { .failure(.commit($0)) } ?? .success(())) }
        }
    }

    /// Makes a guest's account a registered one: it keeps all it has. The guest's own tokens end with those of the owner, and at
    /// once where the address is yet to be verified.
    func register(
        _ record: AccountRecord, session: SessionRecord, event: SessionEvent,
        done: @escaping @Sendable (Result<AccountHandle, IdentityFault>) -> Void
    ) {
        ready(record.id) { shard, fault in
            guard let store = shard.store(of: record.id), let begun = Session(session) else {
                return done(.failure(fault))
            }
            let handle = store.handle
            guard handle.record.email == nil else { return done(.failure(.alreadyRegistered)) }
            // When it was opened, and its epoch, are for good.
            let record = AccountRecord(
                id: record.id, created: handle.record.created, epochPart: handle.record.epochPart, email: record.email,
                passwordHash: record.passwordHash, profile: record.profile)
            shard.write(.updateAccount(record), of: store)
            handle.replace(record: record)
            for guest in handle.sessions {
                if record.awaitsVerification {
                    shard.remove(guest, of: store)
                } else if guest.expires == nil, let end = session.expires {
                    guest.expire(at: end)
                    shard.write(.renewSession(guest.record), of: store)
                }
            }
            shard.write(.createSession(session), of: store)
            handle.add(begun)
            shard.report(event, in: store)
            shard.finish(store) { fault in done(fault.map { .failure(.commit($0)) } ?? .success(handle)) }
        }
    }

    /// Changes what is recorded of an account's owner, as `change` says; nil leaves it. The email address stays.
    func updateOwner(
        of account: AccountID, _ change: @escaping @Sendable (AccountRecord) -> (AccountRecord, SessionEvent?)?,
        done: @escaping @Sendable (Result<Bool, IdentityFault>) -> Void
    ) {
        ready(account) { shard, fault in
            guard let store = shard.store(of: account) else { return done(.failure(fault)) }
            guard let (record, event) = change(store.handle.record) else { return done(.success(false)) }
            shard.write(.updateAccount(record), of: store)
            store.handle.replace(record: record)
            if let event { shard.report(event, in: store) }
            shard.finish(store) { fault in done(fault.map { .failure(.commit($0)) } ?? .success(true)) }
        }
    }

    // MARK: Pieces

    private func remove(_ session: Session, of store: LiveStore<Model>) {
        session.revoke()
        guard store.handle.remove(session) else { return }
        write(.endSession(id: session.id, account: session.account), of: store)
    }

    /// Whether there was any.
    @discardableResult
    private func removeExpired(of store: LiveStore<Model>) -> Bool {
        let now = loop.time.wallMilliseconds()
        let expired = store.handle.sessions.filter { $0.isExpired(at: now) }
        for session in expired { remove(session, of: store) }
        return !expired.isEmpty
    }

    /// Logs what happened in the model's words, if it has any for it. Admission does not apply: it has happened already.
    private func report(_ event: SessionEvent, in store: LiveStore<Model>) {
        guard let fact = Model.fact(for: event) else { return }
        do throws(LiveStore<Model>.Refused) {
            try store.run([fact], at: loop.time.wallMilliseconds(), in: environment) { _, _ in }
            take(from: store)
        } catch {
            service.log.error(
                "session fact refused",
                [
                    "account": .count(store.handle.id.rawValue), "action": .text(fact.name),
                    "reason": .text(error.refusal.kind.slug),
                ])
        }
    }

    /// Keeps the store in memory until the commit, since a reload before it would bring back what has just ended; then tells `done`.
    private func finish(_ store: LiveStore<Model>, _ done: @escaping @Sendable (CommitFault?) -> Void) {
        let handle = store.handle
        handle.keep()
        afterCommit(of: store) { fault in
            handle.release()
            done(fault)
        }
    }
}
