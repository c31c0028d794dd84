internal import Identity
internal import Persistence
package import Redux
internal import Synchronization

/// One token's standing: whose it is, and whether it still counts.
///
/// Connections keep a session beside the exact bytes that named it; `isLive` is one atomic load, so that a revocation is seen by
/// the very next request on every connection.
package final class Session: Sendable {
    package let id: Int64
    package let account: AccountID
    package let created: Milliseconds
    /// When it ends by itself; nil for never.
    package let expires: Milliseconds?
    private let tokenHash: TokenHash
    private let revoked = Atomic<Bool>(false)

    init(id: Int64, account: AccountID, created: Milliseconds, expires: Milliseconds?, tokenHash: TokenHash) {
        self.id = id
        self.account = account
        self.created = created
        self.expires = expires
        self.tokenHash = tokenHash
    }

    /// Whether the token counts at `now`.
    package func isLive(at now: Milliseconds) -> Bool {
        guard !revoked.load(ordering: .acquiring) else { return false }
        guard let expires else { return true }
        return now < expires
    }

    func revoke() { revoked.store(true, ordering: .releasing) }

    /// Compares in constant time.
    func hasToken(hash: TokenHash) -> Bool { tokenHash == hash }
}

extension Session {
    /// The session of a stored record; nil where its hash is not one.
    convenience init?(_ record: SessionRecord) {
        guard let hash = TokenHash(bytes: record.tokenHash) else { return nil }
        self.init(id: record.id, account: record.account, created: record.created, expires: record.expires, tokenHash: hash)
    }
}
