internal import Identity
internal import Persistence
public import Redux
internal import Runtime
internal import Sodium
internal import Synchronization

/// Where people register and sign in. Passwords are hashed one at a time on a queue of their own; nothing here blocks a loop.
///
/// Whether an address has a user shows neither in the answer to a log-in, nor in how long it takes, nor in locks: names without a user
/// fail, are timed and are locked as the others are. (That an address is taken can be seen by registering it, as everywhere.)
public final class IdentityDesk<Model: AccountModel>: Sendable {
    /// As given at the start.
    public let policy: IdentityPolicy
    private let accounts: AccountService<Model>
    private let queue: SerialQueue
    private let passwords: PasswordQueue
    private let locks: Mutex<LockTable>
    /// Addresses on their way into the database. It has one writer, this process: an address that is neither here nor there is free,
    /// so that a registration never fails with the batch it shares a transaction with.
    private let reserved = Mutex<Set<String>>([])

    /// Told once what came of it, on whichever queue that was decided, which it must not block; at once where a check refuses.
    public typealias Done = @Sendable (Result<NewSession, IdentityFault>) -> Void

    /// Opens a desk for the accounts; nothing is locked yet, since locks are kept in memory only.
    public init(_ accounts: AccountService<Model>, policy: IdentityPolicy = IdentityPolicy()) {
        self.accounts = accounts
        self.policy = policy
        let queue = SerialQueue(label: "passwords")
        self.queue = queue
        passwords = PasswordQueue(cost: policy.cost, waitingMax: policy.passwordsWaitingMax) { queue.execute($0) }
        locks = Mutex(LockTable(policy: policy.locks))
    }

    // MARK: Registering

    /// A registration as it was sent.
    public struct Application: Sendable {
        /// As it was typed; compared in lower case, without white space around it.
        public var email: String
        /// Secret; its bytes are what is hashed, neither trimmed nor normalised.
        public var password: String
        /// For people to read; refused where it is blank, too long or holds control characters.
        public var name: String

        /// Makes an application as it was sent; `register` checks it.
        public init(email: String, password: String, name: String) {
            self.email = email
            self.password = password
            self.name = name
        }
    }

    /// Registers a user: as a new account, or as the owner of `guest`, which keeps all it has.
    public func register(_ application: Application, guest: AccountHandle?, _ done: @escaping Done) {
        let email: EmailAddress
        do throws(IdentityFault) {
            email = try check(application)
        } catch {
            return done(.failure(error))
        }
        if let guest, guest.record.email != nil { return done(.failure(.alreadyRegistered)) }
        reserve(email.text, done) { done in
            self.passwords.hash(application.password) { result in
                switch result {
                case .failure(let trouble): done(.failure(.passwords(trouble)))
                case .success(let hash):
                    self.enrol(email.text, application.name, hash, guest: guest?.id, done)
                }
            }
        }
    }

    private func check(_ application: Application) throws(IdentityFault) -> EmailAddress {
        guard let email = EmailAddress(application.email) else { throw .invalidEmail }
        guard OwnerName.isAcceptable(application.name) else { throw .invalidName }
        if let fault = policy.passwords.fault(in: application.password) { throw .password(fault) }
        return email
    }

    /// Goes on where the address is free, and keeps it reserved until what goes on is done.
    private func reserve(_ email: String, _ done: @escaping Done, _ body: @escaping @Sendable (@escaping Done) -> Void) {
        guard reserved.withLock({ $0.insert(email).inserted }) else { return done(.failure(.emailTaken)) }
        let released: Done = { result in
            _ = self.reserved.withLock { $0.remove(email) }
            done(result)
        }
        accounts.database.account(withEmail: email) { result in
            switch result {
            case .success(nil): body(released)
            case .success: released(.failure(.emailTaken))
            case .failure(let fault): released(.failure(.storage(fault)))
            }
        }
    }

    private func enrol(_ email: String, _ name: String, _ hash: PasswordHash, guest: AccountID?, _ done: @escaping Done) {
        let account = guest ?? accounts.database.nextAccountID()
        var owner = AccountOwner(name: name, isVerified: !policy.requiresVerification)
        let message = owner.isVerified ? nil : issueCode(to: &owner, account, email)
        let record = AccountRecord(
            id: account, created: accounts.time.wallMilliseconds(), epochPart: RandomBytes.bits64(), email: email,
            passwordHash: Array(hash.text.utf8), profile: owner.profile)
        let event = SessionEvent.registered(email: email, name: name, verified: owner.isVerified)
        let (session, token) = accounts.mintSession(accounts.database.nextSessionID(), of: account, policy.sessions)
        let finished: @Sendable (Result<AccountHandle, IdentityFault>) -> Void = { result in
            if case .success = result, let message { self.send(message) }
            done(result.map { NewSession(account: $0, token: token, expires: session.expires) })
        }
        accounts.shard(of: account).perform { shard in
            if guest != nil {
                shard.register(record, session: session, event: event, done: finished)
            } else {
                shard.create(record, session: session, event: event) { result in
                    finished(result.mapError { IdentityFault.commit($0) })
                }
            }
        }
    }

    // MARK: Signing in

    /// Begins a session for the holder of a password.
    public func logIn(email text: String, password: String, _ done: @escaping Done) {
        let done = counting(done)
        let email = EmailAddress(text)?.text
        if let email, let refusal = refusalBeforePassword(email) { return done(.failure(refusal)) }
        // What cannot be a user's is looked up and checked all the same: it takes as long.
        accounts.database.account(withEmail: email ?? "") { result in
            switch result {
            case .failure(let fault): done(.failure(.storage(fault)))
            case .success(let record):
                let stored = record?.passwordHash.map { PasswordHash(text: String(decoding: $0, as: UTF8.self)) }
                let isPossible = password.utf8.count <= self.policy.passwords.bytesMax
                self.passwords.check(isPossible ? password : "", against: isPossible ? stored : nil) { result in
                    self.checked(result, email, record, password, done)
                }
            }
        }
    }

    private func refusalBeforePassword(_ email: String) -> IdentityFault? {
        if policy.isDemo {
            switch DemoUsers.behavior(of: email) {
            case .locked: return .locked(seconds: policy.locks.lockDuration / 1000)
            case .fails: return .unavailable
            case .works, .unverified, nil: break
            }
        }
        return lock(of: email)
    }

    private func lock(of email: String) -> IdentityFault? {
        let standing = locks.withLock { $0.standing(of: email, at: accounts.time.wallMilliseconds()) }
        return standing == .open ? nil : .locked(seconds: standing.retryAfterSeconds)
    }

    /// On the passwords' queue.
    private func checked(
        _ result: Result<PasswordCheck, PasswordTrouble>, _ email: String?, _ record: AccountRecord?, _ password: String,
        _ done: @escaping Done
    ) {
        // Tries that waited while others failed are no way round the lock.
        if let email, let fault = lock(of: email) { return done(.failure(fault)) }
        switch (result, record) {
        case (.failure(let trouble), _): done(.failure(.passwords(trouble)))
        case (.success(.right), let record?), (.success(.rightOutdated), let record?):
            if let email { locks.withLock { $0.recordSuccess(of: email) } }
            if result == .success(.rightOutdated) { rehash(password, of: record) }
            if record.awaitsVerification {
                resendCode(record)
                return done(.failure(.notVerified))
            }
            accounts.begin(record.id, policy.sessions, done)
        case (.success, _):
            if let email {
                let isLocked = locks.withLock { $0.recordFailure(of: email, at: accounts.time.wallMilliseconds()) }
                if isLocked { accounts.counters.events.count(IdentityEvents.locked) }
            }
            done(.failure(.wrongCredentials))
        }
    }

    private func counting(_ done: @escaping Done) -> Done {
        { result in
            if case .failure(.wrongCredentials) = result { self.accounts.counters.events.count(IdentityEvents.failed) }
            done(result)
        }
    }

    /// Brings an old hash to today's cost while its password is at hand.
    private func rehash(_ password: String, of record: AccountRecord) {
        passwords.hash(password) { result in
            guard case .success(let hash) = result else { return }
            self.accounts.shard(of: record.id).perform { shard in
                shard.updateOwner(of: record.id) { current in
                    guard current.passwordHash == record.passwordHash else { return nil }
                    var current = current
                    current.passwordHash = Array(hash.text.utf8)
                    return (current, nil)
                } done: { _ in
                }
            }
        }
    }

    // MARK: Verification

    /// Takes a code back that was sent to an address: the account's tokens work from here on.
    public func verify(code: String, _ done: @escaping @Sendable (Result<AccountID, IdentityFault>) -> Void) {
        guard let token = accounts.mint.parse(code, kind: .verification), let account = AccountID(rawValue: token.account) else {
            return done(.failure(.invalidCode))
        }
        accounts.shard(of: account).perform { shard in
            shard.updateOwner(of: account) { record in
                guard var owner = record.owner, !owner.isVerified, let email = record.email, let stored = owner.codeHash,
                    TokenHash(bytes: stored) == token.hash
                else { return nil }
                owner.isVerified = true
                owner.codeHash = nil
                owner.codeSent = nil
                var record = record
                record.profile = owner.profile
                return (record, .registered(email: email, name: owner.name, verified: true))
            } done: { result in
                switch result {
                case .success(true): done(.success(account))
                case .success(false), .failure(.open(.noAccount)): done(.failure(.invalidCode))
                case .failure(let fault): done(.failure(fault))
                }
            }
        }
    }

    /// A further code for the same address is sent at most this often.
    static var resendMilliseconds: Milliseconds { 60_000 }

    /// Sends another code to someone who knows the password: the first may have been lost.
    private func resendCode(_ record: AccountRecord) {
        guard policy.requiresVerification, let email = record.email else { return }
        let now = accounts.time.wallMilliseconds()
        let held = Held()
        accounts.shard(of: record.id).perform { shard in
            shard.updateOwner(of: record.id) { record in
                guard var owner = record.owner, !owner.isVerified, now - (owner.codeSent ?? 0) >= Self.resendMilliseconds else {
                    return nil
                }
                let message = self.issueCode(to: &owner, record.id, email)
                held.message.withLock { $0 = message }
                var record = record
                record.profile = owner.profile
                return (record, nil)
            } done: { result in
                if case .success(true) = result, let message = held.message.withLock({ $0 }) { self.send(message) }
            }
        }
    }

    /// A message between two closures that run one after the other.
    private final class Held: Sendable {
        let message = Mutex<VerificationMessage?>(nil)
    }

    private func issueCode(to owner: inout AccountOwner, _ account: AccountID, _ email: String) -> VerificationMessage {
        let code = accounts.mint.mint(account: account.rawValue, kind: .verification)
        owner.codeHash = code.hash.bytes
        owner.codeSent = accounts.time.wallMilliseconds()
        return VerificationMessage(account: account.rawValue, email: email, code: code.text)
    }

    private func send(_ message: VerificationMessage) {
        let deliver = policy.deliver
        queue.execute { deliver(message) }
    }

    // MARK: The demonstration

    /// Makes the demonstration's users that are not there yet, with one hash for all; `done` runs once they are.
    public func prepareDemo(_ done: @escaping @Sendable (Result<Void, IdentityFault>) -> Void) {
        prepareDemo(DemoUsers.all[...], nil, done)
    }

    private func prepareDemo(
        _ users: ArraySlice<(email: String, name: String, behavior: DemoUsers.Behavior)>, _ hash: PasswordHash?,
        _ done: @escaping @Sendable (Result<Void, IdentityFault>) -> Void
    ) {
        guard let user = users.first else { return done(.success(())) }
        accounts.database.account(withEmail: user.email) { result in
            switch result {
            case .failure(let fault): done(.failure(.storage(fault)))
            case .success(.some): self.prepareDemo(users.dropFirst(), hash, done)
            case .success(nil):
                guard let hash else {
                    return self.passwords.hash(DemoUsers.password) { result in
                        switch result {
                        case .success(let hash): self.prepareDemo(users, hash, done)
                        case .failure(let trouble): done(.failure(.passwords(trouble)))
                        }
                    }
                }
                self.createDemo(user, hash) { result in
                    switch result {
                    case .success: self.prepareDemo(users.dropFirst(), hash, done)
                    case .failure(let fault): done(.failure(.commit(fault)))
                    }
                }
            }
        }
    }

    private func createDemo(
        _ user: (email: String, name: String, behavior: DemoUsers.Behavior), _ hash: PasswordHash,
        _ done: @escaping @Sendable (Result<AccountHandle, CommitFault>) -> Void
    ) {
        let owner = AccountOwner(name: user.name, isVerified: user.behavior != .unverified)
        let record = AccountRecord(
            id: accounts.database.nextAccountID(), created: accounts.time.wallMilliseconds(), epochPart: RandomBytes.bits64(),
            email: user.email, passwordHash: Array(hash.text.utf8), profile: owner.profile)
        let event = SessionEvent.registered(email: user.email, name: user.name, verified: owner.isVerified)
        accounts.shard(of: record.id).perform { $0.create(record, session: nil, event: event, done: done) }
    }
}

/// What the desk counts, beside what the model counts.
public enum IdentityEvents {
    /// A log-in with a wrong password or an unknown address.
    static let failed = "login_failed"
    /// A name was locked.
    static let locked = "login_locked"

    /// In the order of the documents, after the model's own.
    public static let all = [failed, locked]
}
