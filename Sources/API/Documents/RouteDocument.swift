internal import HTTP
internal import JSON

/// What the documents say of a route beyond its line in the table: forms, statuses and problems.
struct RouteDocument: Sendable {
    /// One way in which the route succeeds.
    struct Success: Sendable {
        let status: Status
        let summary: String
        /// The media type; nil without a body.
        var type: String? = "application/json"
        /// The name of a schema in `DocumentSchemas`, or of none.
        var schema: String?
        /// Has an entity tag.
        var isTagged = false
    }

    let successes: [Success]
    /// The name of the body's schema, and whether there must be one.
    var body: (schema: String, isRequired: Bool)?
    /// Fields that the route reads, as parameters of the document.
    var fields: [String] = []
    /// Problems of its own, beside those that every route has.
    var problems: [ProblemKind] = []
    /// Whether the model's refusals are among them.
    var refuses = false
    /// More than one line has room for, in Markdown.
    var text: String?

    static func ok(_ summary: String, _ schema: String, isTagged: Bool = false) -> Success {
        Success(status: .ok, summary: summary, schema: schema, isTagged: isTagged)
    }

    static func empty(_ status: Status, _ summary: String, isTagged: Bool = false) -> Success {
        Success(status: status, summary: summary, type: nil, schema: nil, isTagged: isTagged)
    }

    static let notModified = empty(.notModified, "Nothing new", isTagged: true)

    /// Problems of every request.
    static let common: [ProblemKind] = [
        .badRequest, .requestTimeout, .contentTooLarge, .uriTooLong, .expectationFailed, .fieldsTooLarge, .notImplemented,
        .versionNotSupported, .invalidParameter, .rateLimited, .overloaded, .unavailable, .internalError,
    ]
    /// Problems of every request with a token.
    static let ofCallers: [ProblemKind] = [
        .unauthorized, .invalidToken, .invalidCredentials, .invalidAccount, .accountNotFound, .emailNotVerified,
        .accountUnreadable,
    ]
    /// Problems of every request that writes.
    static let ofWrites: [ProblemKind] = [.commitUnknown, .storageFull]
    /// Problems of every request with a body.
    static let ofBodies: [ProblemKind] = [.malformedJSON, .unsupportedMediaType]
    static let ofForms: [ProblemKind] = ofBodies + [.invalidBody]
    static let ofPasswords: [ProblemKind] = [.identityUnavailable]
    static let ofActions: [ProblemKind] = [
        .unknownAction, .invalidAction, .invalidPayload, .batchTooLarge, .factFromClient, .preconditionFailed,
        .invalidIdempotencyKey,
        .keyReused, .keyRunning, .tooManyKeys,
    ]

    /// Routes of the table by method and path. A test holds the two against each other.
    static let all: [String: RouteDocument] = accounts.merging(sessions) { $1 }.merging(actions) { $1 }.merging(states) { $1 }
        .merging(operations) { $1 }

    private static let accounts: [String: RouteDocument] = [
        "POST /accounts": RouteDocument(
            successes: [
                Success(status: .created, summary: "The account, and the one showing of its token", schema: "NewAccount")
            ],
            body: ("Registration", false),
            problems: ofForms + ofWrites + ofPasswords + ofCallers + [
                .revisionNotFound, .historyUnavailable, .emailTaken, .alreadyRegistered, .invalidEmail, .invalidName,
                .passwordTooShort, .passwordTooLong,
            ],
            text:
                "Without a body an anonymous account. With one a registered user's; on a guest's token that account goes on. With `fork` and a token, without a body, an anonymous account that starts as the token's account was at that revision, without its log, effects and sessions."
        ),
        "POST /accounts/verify": RouteDocument(
            successes: [ok("The address is verified", "Verified")], body: ("Verification", true),
            problems: ofForms + ofWrites + [.invalidCode]),
        "GET /account": RouteDocument(successes: [ok("The account", "Account")]),
        "DELETE /account": RouteDocument(successes: [empty(.noContent, "Nothing of it is left")], problems: ofWrites),
    ]

    private static let sessions: [String: RouteDocument] = [
        "POST /sessions": RouteDocument(
            successes: [
                Success(status: .created, summary: "The session, and the one showing of its token", schema: "NewSession")
            ],
            body: ("Credentials", true),
            problems: ofForms + ofWrites + ofPasswords + [
                .wrongCredentials, .emailNotVerified, .accountLocked, .accountUnreadable,
            ]),
        "GET /sessions": RouteDocument(successes: [ok("Those that have not ended", "Sessions")]),
        "GET /sessions/current": RouteDocument(successes: [ok("The token's session", "Session")], problems: [.sessionNotFound]),
        "DELETE /sessions/current": RouteDocument(
            successes: [empty(.noContent, "The token is dead")], problems: ofWrites + [.sessionNotFound]),
        "POST /sessions/current/refresh": RouteDocument(
            successes: [ok("The new token; the old one is dead", "NewSession")], problems: ofWrites + [.sessionNotFound]),
        "DELETE /sessions/{id}": RouteDocument(
            successes: [empty(.noContent, "Its token is dead")], problems: ofWrites + [.sessionNotFound]),
    ]

    private static let actions: [String: RouteDocument] = [
        "POST /actions": RouteDocument(
            successes: [
                ok("Accepted, and durable", "Receipt", isTagged: true),
                empty(.noContent, "The same, where `Prefer: return=minimal` was sent", isTagged: true),
                Success(status: .accepted, summary: "Kept under the tag of `postpone`, and durable", schema: "Postponed"),
            ],
            body: ("Actions", true), fields: ["Idempotency-Key", "If-Match", "Prefer", "traceparent"],
            problems: ofBodies + ofWrites + ofActions + [.tooManyPostponed, .tooManyEffects], refuses: true,
            text:
                "One action, or an array of them as one: all or none. The answer leaves after the commit. A 5xx means that the outcome is not known: repeat with the same `Idempotency-Key`."
        ),
        "POST /postponed/{tag}/run": RouteDocument(
            successes: [ok("What became of each item, in the order in which they were postponed", "PostponedResults")],
            fields: ["Idempotency-Key", "traceparent"],
            problems: ofWrites + [.invalidIdempotencyKey, .keyReused, .keyRunning, .tooManyKeys, .postponedRunning],
            text: "Each item goes in the transaction of its action. One that is refused goes too, and the rest goes on."),
        "POST /account/restore": RouteDocument(
            successes: [
                ok("Brought back, and durable", "Receipt", isTagged: true),
                empty(.noContent, "The same, where `Prefer: return=minimal` was sent", isTagged: true),
            ], fields: ["Idempotency-Key", "If-Match", "Prefer", "traceparent"],
            problems: ofWrites + [
                .invalidBody, .preconditionFailed, .invalidIdempotencyKey, .keyReused, .keyRunning, .tooManyKeys,
                .revisionNotFound,
                .historyUnavailable, .notRestorable, .tooManyEffects,
            ], refuses: true,
            text: "One action, which sets only what the model brings back; it is refused and taken back as any other."),
        "GET /account/effects": RouteDocument(successes: [ok("What waits to be run, in the order it was asked for", "Effects")]),
        "GET /actions/types": RouteDocument(successes: [ok("The actions there are", "ActionTypes")]),
        "GET /actions": RouteDocument(successes: [ok("A page of the log", "LogPage")]),
        "GET /actions/{revision}": RouteDocument(
            successes: [ok("The entry", "LogEntry")], problems: [.revisionNotFound, .historyUnavailable]),
    ]

    private static let states: [String: RouteDocument] = [
        "GET /state": RouteDocument(
            successes: [ok("The state, or the part that `pointer` names", "StateOrPart", isTagged: true), notModified],
            fields: ["If-None-Match", "Prefer"], problems: [.notFound, .revisionNotFound, .historyUnavailable],
            text: "With `If-None-Match` and `Prefer: wait=SECONDS` the answer waits for another state."),
        "GET /state/diff": RouteDocument(
            successes: [
                Success(
                    status: .ok, summary: "A JSON Patch (RFC 6902)", type: "application/json-patch+json", schema: "Patch",
                    isTagged: true),
                notModified,
            ], fields: ["If-None-Match"], problems: [.revisionNotFound, .historyUnavailable]),
        "GET /views": RouteDocument(successes: [ok("The views", "Views")]),
        "GET /views/{name}": RouteDocument(
            successes: [ok("What it selects", "Any", isTagged: true), notModified], fields: ["If-None-Match"],
            problems: [.viewNotFound]),
        "GET /events": RouteDocument(
            successes: [Success(status: .ok, summary: "Server-sent events", type: "text/event-stream", schema: "Text")],
            fields: ["Last-Event-ID"], problems: [.viewNotFound],
            text:
                "Each event has the id `EPOCH.REVISION`, by which `Last-Event-ID` goes on without gap or repeat. `snapshot` has a state, `transition` an entry of the log, `view` a view's value; `reset` says that what follows starts anew, `bye` that the stream ends. The stream does not end by itself."
        ),
        "POST /events/tickets": RouteDocument(
            successes: [
                Success(status: .created, summary: "The ticket, good for 10 minutes after its last use", schema: "Ticket")
            ]),
    ]

    private static let operations: [String: RouteDocument] = [
        "GET /healthz": RouteDocument(successes: [ok("Alive", "Standing")]),
        "GET /livez": RouteDocument(successes: [ok("Alive", "Standing")]),
        "GET /readyz": RouteDocument(
            successes: [ok("Ready", "Standing")], text: "With `verbose` the checks, a line of text each, also in the 503."),
        "GET /metrics": RouteDocument(
            successes: [Success(status: .ok, summary: "Metrics (Prometheus, 0.0.4)", type: "text/plain", schema: "Text")]),
        "GET /devtools": RouteDocument(
            successes: [
                Success(
                    status: .ok, summary: "The page, where it is turned on", type: "text/html", schema: "Text", isTagged: true),
                notModified,
            ], problems: [.notFound]),
        "GET /devtools/{file}": RouteDocument(
            successes: [
                Success(status: .ok, summary: "The file", type: "text/javascript", schema: "Text", isTagged: true), notModified,
            ], problems: [.notFound]),
        "GET /openapi.json": RouteDocument(successes: [ok("This document", "Any")]),
    ]

    /// Of a model's resource.
    static let resource = RouteDocument(successes: [ok("The data", "Any")])
}
