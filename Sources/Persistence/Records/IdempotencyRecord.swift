public import Redux

/// The first answer given under an `Idempotency-Key`, stored in the transaction of the action it answers.
public struct IdempotencyRecord: Hashable, Sendable {
    /// How long an answer is good for: 24 hours. After that its key may be used anew.
    public static let keptMilliseconds: Milliseconds = 86_400_000

    /// Whose key it is; other accounts may use the same one.
    public var account: AccountID
    /// Unique within the account.
    public var key: String
    /// The hash of the request the key was first used with.
    public var fingerprint: [UInt8]
    /// The HTTP status of the answer.
    public var status: Int
    /// The answer's head, in whatever form the writer of the record reads back.
    public var head: [UInt8]
    /// The answer's body, given again byte for byte.
    public var body: [UInt8]
    /// When the answer was given; it is good for `keptMilliseconds` from then.
    public var at: Milliseconds

    /// A first answer, to be stored with `Write.remember`.
    public init(
        account: AccountID, key: String, fingerprint: [UInt8], status: Int, head: [UInt8], body: [UInt8], at: Milliseconds
    ) {
        self.account = account
        self.key = key
        self.fingerprint = fingerprint
        self.status = status
        self.head = head
        self.body = body
        self.at = at
    }
}

/// An action, or an atomic batch of them, put off under a tag.
public struct PostponedRecord: Hashable, Sendable {
    /// Unique in the database while the record lives, ascending in time (`Database.nextPostponedID()`).
    public var id: Int64
    /// Whose actions they are.
    public var account: AccountID
    /// What they are found and run by; any number of records may share one.
    public var tag: String
    /// What is to be dispatched, opaque here.
    public var body: [UInt8]
    /// When it was put off.
    public var at: Milliseconds

    /// Something put off, to be stored with `Write.postpone`.
    public init(id: Int64, account: AccountID, tag: String, body: [UInt8], at: Milliseconds) {
        self.id = id
        self.account = account
        self.tag = tag
        self.body = body
        self.at = at
    }
}
