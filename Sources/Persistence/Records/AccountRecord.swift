public import Redux

/// An account as the database knows it, apart from its state.
public struct AccountRecord: Hashable, Sendable {
    /// Unique in the database, never used twice (`Database.nextAccountID()`).
    public var id: AccountID
    /// Never changed: `Write.updateAccount` wants it as it is stored.
    public var created: Milliseconds
    /// Random; with the database's generation it gives the account's epoch (`Database.epoch(of:)`).
    public var epochPart: UInt64
    /// The sign-in name in its comparable form, unique in the database; nil for an anonymous account.
    public var email: String?
    /// The encoded password hash, opaque here.
    public var passwordHash: [UInt8]?
    /// Opaque bytes (canonical JSON by convention).
    public var profile: [UInt8]?

    /// Anonymous unless it has an email address.
    public init(
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
public struct SessionRecord: Hashable, Sendable {
    /// Unique in the database and never reused (`Database.nextSessionID()`).
    public var id: Int64
    /// Whose session it is; it never changes hands.
    public var account: AccountID
    /// The 32-byte hash of the token; the token itself is stored nowhere.
    public var tokenHash: [UInt8]
    /// When its token was minted, by the wall clock: at the beginning, or at the last renewal.
    public var created: Milliseconds
    /// Nil holds for good.
    public var expires: Milliseconds?

    /// Holds for good unless `expires` is given.
    public init(id: Int64, account: AccountID, tokenHash: [UInt8], created: Milliseconds, expires: Milliseconds? = nil) {
        self.id = id
        self.account = account
        self.tokenHash = tokenHash
        self.created = created
        self.expires = expires
    }
}
