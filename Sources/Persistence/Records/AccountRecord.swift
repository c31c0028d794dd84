package import Redux

/// An account as the database knows it, apart from its state.
package struct AccountRecord: Hashable, Sendable {
    package var id: AccountID
    package var created: Milliseconds
    /// Random; with the database's generation it gives the account's epoch (`Database.epoch(of:)`).
    package var epochPart: UInt64
    /// The sign-in name in its comparable form, unique in the database; nil for an anonymous account.
    package var email: String?
    /// The encoded password hash, opaque here.
    package var passwordHash: [UInt8]?
    /// Opaque bytes (canonical JSON by convention).
    package var profile: [UInt8]?

    package init(
        id: AccountID, created: Milliseconds, epochPart: UInt64, email: String? = nil, passwordHash: [UInt8]? = nil,
        profile: [UInt8]? = nil
    ) {
        self.id = id
        self.created = created
        self.epochPart = epochPart
        self.email = email
        self.passwordHash = passwordHash
        self.profile = profile
    }
}

/// A session: a token's hash and how long it holds.
package struct SessionRecord: Hashable, Sendable {
    /// Unique in the database and never reused (`Database.nextSessionID()`).
    package var id: Int64
    package var account: AccountID
    /// The 32-byte hash of the token; the token itself is stored nowhere.
    package var tokenHash: [UInt8]
    package var created: Milliseconds
    /// Nil holds for good.
    package var expires: Milliseconds?

    package init(id: Int64, account: AccountID, tokenHash: [UInt8], created: Milliseconds, expires: Milliseconds? = nil) {
        self.id = id
        self.account = account
        self.tokenHash = tokenHash
        self.created = created
        self.expires = expires
    }
}
