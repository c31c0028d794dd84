/// Why a submission is not known to be committed.
public enum CommitFault: Error, Hashable, Sendable {
    /// Something unique was there already, or was not as expected. Nothing of the submission is kept; others are not touched.
    public enum Conflict: Hashable, Sendable {
        /// Another account has the email address.
        case email
        /// The account has an answer under this idempotency key.
        case idempotencyKey
        /// A log entry does not follow its account's last one, or a snapshot or trimming is beyond what is stored.
        case revision
        /// No such account, or it exists already.
        case account
        /// Anything else: an error of the caller.
        case other(String)
    }

    /// The disk is full, or so nearly full that writing on would be unsafe. Nothing of it is kept; may succeed later.
    case full
    /// An input/output error: it may be in the database, or come back after a restart. The writer has stopped for good.
    case outcomeUnknown(String)
    /// Nothing of it is kept.
    case conflict(Conflict)
    /// More is waiting than the limit allows. Nothing of it is kept; may succeed later.
    case overloaded
    /// The database was closed before. Nothing of it is kept.
    case closed
    /// The database file is not under its name any more: moved, deleted or replaced. Nothing of it is kept; may succeed once it is back.
    case displaced
}
