internal import Accounts
public import HTTP
internal import Redux

/// One kind of problem (RFC 9457): a stable `type`, a constant title, a status.
///
/// The table is the whole vocabulary of the service's own refusals; a model adds its own (`AccountModel.refusals`).
public struct ProblemKind: Sendable, Hashable {
    /// What follows `/problems/` in the type; clients compare it, so it stays as it is.
    public let slug: String
    /// The same for all problems of the kind; the particular is in `Problem.detail`.
    public let title: String
    /// The answer's status, and the body's `status` member.
    public let status: Status

    init(_ slug: String, _ status: Status, _ title: String) {
        self.slug = slug
        self.title = title
        self.status = status
    }

    init(_ kind: RefusalKind) {
        self.init(kind.slug, Status(UInt16(kind.status)), kind.title)
    }

    // The message
    static let badRequest = ProblemKind("bad-request", .badRequest, "The request is malformed")
    static let malformedJSON = ProblemKind("malformed-json", .badRequest, "The body is not JSON")
    static let invalidAccount = ProblemKind("invalid-account", .badRequest, "The account id is not a positive integer")
    static let invalidIdempotencyKey = ProblemKind("invalid-idempotency-key", .badRequest, "The Idempotency-Key is malformed")
    static let requestTimeout = ProblemKind("request-timeout", .requestTimeout, "The request did not arrive in time")
    static let contentTooLarge = ProblemKind("content-too-large", .contentTooLarge, "The body is too large")
    static let uriTooLong = ProblemKind("uri-too-long", .uriTooLong, "The request target is too long")
    static let unsupportedMediaType = ProblemKind(
        "unsupported-media-type", .unsupportedMediaType, "The body is not application/json")
    static let expectationFailed = ProblemKind("expectation-failed", .expectationFailed, "The expectation is not known")
    static let fieldsTooLarge = ProblemKind("fields-too-large", .fieldsTooLarge, "The header section is too large")
    static let notImplemented = ProblemKind("not-implemented", .notImplemented, "The method or transfer coding is not known")
    static let versionNotSupported = ProblemKind(
        "version-not-supported", .versionNotSupported, "The HTTP version is not supported")

    // Who asks
    static let unauthorized = ProblemKind("unauthorized", .unauthorized, "A token is required")
    static let invalidToken = ProblemKind("invalid-token", .unauthorized, "The token is not valid, or not any more")
    static let invalidCredentials = ProblemKind("invalid-authorization", .badRequest, "The Authorization field is malformed")
    static let factFromClient = ProblemKind("fact-not-allowed", .forbidden, "Only the service reports this action")

    // What is asked for
    static let notFound = ProblemKind("not-found", .notFound, "There is nothing under this path")
    static let revisionNotFound = ProblemKind("revision-not-found", .notFound, "The account has no such revision")
    static let historyUnavailable = ProblemKind(
        "history-unavailable", .gone, "What led to that revision is not kept any more")
    static let viewNotFound = ProblemKind("view-not-found", .notFound, "The model has no such view")
    static let methodNotAllowed = ProblemKind("method-not-allowed", .methodNotAllowed, "The path has no such method")
    static let invalidParameter = ProblemKind("invalid-parameter", .unprocessableContent, "A query parameter is not understood")
    static let unknownAction = ProblemKind("unknown-action", .unprocessableContent, "The action's type is not known")
    static let invalidAction = ProblemKind(
        "invalid-action", .unprocessableContent, "The action does not have the form of an action")
    static let invalidPayload = ProblemKind(
        "invalid-payload", .unprocessableContent, "The payload does not have the form of its action")
    static let batchTooLarge = ProblemKind("batch-too-large", .unprocessableContent, "The batch holds too many actions")

    // What stands against it
    static let preconditionFailed = ProblemKind("precondition-failed", .preconditionFailed, "The account has moved on")
    static let notRestorable = ProblemKind("not-restorable", .conflict, "The model brings nothing back")
    static let keyReused = ProblemKind(
        "idempotency-key-reused", .unprocessableContent, "The Idempotency-Key belongs to another request")
    static let keyRunning = ProblemKind(
        "idempotency-key-in-use", .conflict, "The first request with this Idempotency-Key is still running")
    static let tooManyKeys = ProblemKind("too-many-keys", .tooManyRequests, "The account holds too many idempotency keys")
    static let rateLimited = ProblemKind("rate-limited", .tooManyRequests, "Too much is asked too fast")
    static let tooManyPostponed = ProblemKind(
        "too-many-postponed", .tooManyRequests, "The account has postponed as much as it may")
    static let tooManyEffects = ProblemKind(RefusalKind.tooManyEffects)
    static let postponedRunning = ProblemKind("postponed-running", .conflict, "Postponed actions of the account are being run")
    static let overloaded = ProblemKind("overloaded", .serviceUnavailable, "The service is too busy")
    static let commitUnknown = ProblemKind("commit-unknown", .serviceUnavailable, "Whether the action was kept is not known")
    static let storageFull = ProblemKind("storage-full", .insufficientStorage, "There is no room to store the action")
    static let unavailable = ProblemKind("unavailable", .serviceUnavailable, "The service cannot answer now")
    static let accountUnreadable = ProblemKind("account-unreadable", .internalServerError, "The account's history cannot be read")
    static let internalError = ProblemKind("internal-error", .internalServerError, "The service failed")

    /// The service's own kinds, in the order of the documents.
    public static let all: [ProblemKind] =
        [
            badRequest, malformedJSON, invalidAccount, invalidIdempotencyKey, requestTimeout, contentTooLarge, uriTooLong,
            unsupportedMediaType, expectationFailed, fieldsTooLarge, notImplemented, versionNotSupported, unauthorized,
            invalidToken,
            invalidCredentials, factFromClient, notFound, revisionNotFound, historyUnavailable, viewNotFound, methodNotAllowed,
            invalidParameter,
            unknownAction,
            invalidAction, invalidPayload, batchTooLarge, preconditionFailed, notRestorable, keyReused, keyRunning,
            rateLimited, tooManyKeys, tooManyPostponed, tooManyEffects, postponedRunning,
            overloaded,
            commitUnknown,
            storageFull, unavailable, accountUnreadable, internalError,
        ] + identity

    /// The kind for what HTTPServer refuses before there is a request.
    static func of(_ status: Status) -> ProblemKind {
        all.first { $0.status == status } ?? badRequest
    }
}
