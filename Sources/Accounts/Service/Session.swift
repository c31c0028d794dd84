internal import Identity
internal import Persistence
public import Redux
internal import Synchronization

/// One token's standing: whose it is, and whether it still counts.
///
/// Connections keep a session beside the exact bytes that named it; `isLive` is one atomic load, so that a revocation is seen by
/// the very next request on every connection.
public final class Session: Sendable {
    /// Unique in the database, the same after a renewal; 0 for a gateway's caller.
    public let id: Int64
    /// Whose it is, for as long as it lasts.
    public let account: AccountID
    /// When it began, which a renewal leaves as it is; 0 for a gateway's caller.
    public let created: Milliseconds
    /// When it ends by itself; `never` for never.
    private let end: Atomic<Milliseconds>
    let tokenHash: TokenHash
    private let revoked = Atomic<Bool>(false)

    init(id: Int64, account: AccountID, created: Milliseconds, expires: Milliseconds?, tokenHash: TokenHash) {
        self.id = id
        self.account = account
        self.created = created
        end = Atomic(expires ?? Self.never)
        self.tokenHash = tokenHash
    }

    /// Whether the token counts at `now`.
    public func isLive(at now: Milliseconds) -> Bool {
        guard !revoked.load(ordering: .acquiring) else { return false }
        return !isExpired(at: now)
    }

    /// Whether it has come to its end by itself.
    public func isExpired(at now: Milliseconds) -> Bool { now >= end.load(ordering: .relaxed) }

    /// When it ends by itself; nil for never.
    public var expires: Milliseconds? {
        let end = end.load(ordering: .relaxed)
        return end == Self.never ? nil : end
    }

    private static let never = Milliseconds.max

    /// From now on it ends then.
    func expire(at time: Milliseconds) { end.store(time, ordering: .relaxed) }

    func revoke() { revoked.store(true, ordering: .releasing) }

    /// Compares in constant time.
    func hasToken(hash: TokenHash) -> Bool { tokenHash == hash }
}

extension Session {
    /// Stands for a caller whom a trusted gateway names: no token, no end.
    public static func ofGateway(_ account: AccountID) -> Session {
        guard let hash = TokenHash(bytes: [UInt8](repeating: 0, count: 32)) else { preconditionFailure("32 bytes are a hash") }
        return Session(id: 0, account: account, created: 0, expires: nil, tokenHash: hash)
    }

    /// Whether there is a token behind it; a gateway's caller has none.
    public var hasToken: Bool { id > 0 }

    /// Its record, with the end it has now.
    var record: SessionRecord {
        SessionRecord(id: id, account: account, tokenHash: tokenHash.bytes, created: created, expires: expires)
    }

    /// The session of a stored record; nil where its hash is not one.
    convenience init?(_ record: SessionRecord) {
        guard let hash = TokenHash(bytes: record.tokenHash) else { return nil }
        self.init(id: record.id, account: record.account, created: record.created, expires: record.expires, tokenHash: hash)
    }
}
