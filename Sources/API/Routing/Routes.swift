internal import HTTP
internal import Redux

/// The whole HTTP surface. The router, the documents and the tests read this one table.
enum Routes<Model: AccountModel> {
    static var all: [Route<Model>] { accounts + actions + state + events + operations + resources }

    private static var accounts: [Route<Model>] {
        [
            Route(
                .post, "/accounts", parameters: ["fork"],
                "Open an account: anonymous, with a body a user's, or a copy of the caller's",
                .open { $0.createAccount($1, on: $2) }),
            Route(.post, "/accounts/verify", "Verify an address by its code", .open { $0.verify($1, on: $2) }),
            Route(.get, "/account", "Read who the account is, and its sizes", .account { $0.readAccount($1, $2, on: $3) }),
            Route(
                .delete, "/account", "Erase everything of the account, for good", .account { $0.eraseAccount($1, $2, on: $3) }),
            Route(.get, "/account/effects", "List what waits to be run", .account { $0.listEffects($1, $2, on: $3) }),
            Route(
                .post, "/account/restore", parameters: ["dryRun", "revision"], "Bring back what a past state held",
                .account { $0.restore($1, $2, on: $3) }),
            Route(.post, "/sessions", "Sign in", .open { $0.logIn($1, on: $2) }),
            Route(.get, "/sessions", "List the account's sessions", .account { $0.listSessions($1, $2, on: $3) }),
            Route(.get, "/sessions/current", "Read this session", .account { $0.readSession($1, $2, on: $3) }),
            Route(.delete, "/sessions/current", "End this session", .account { $0.endSession($1, $2, on: $3) }),
            Route(
                .post, "/sessions/current/refresh", "Renew this session: another token, another end",
                .account { $0.refreshSession($1, $2, on: $3) }),
            Route(.delete, "/sessions/{id}", "End a session of the account", .account { $0.revokeSession($1, $2, on: $3) }),
        ]
    }

    private static var actions: [Route<Model>] {
        [
            Route(
                .post, "/actions", parameters: ["dryRun", "postpone"], "Dispatch an action, or an array of them as one",
                .account { $0.dispatch($1, $2, on: $3) }),
            Route(
                .get, "/actions", parameters: ["after", "before", "type", "limit"], "Read the log, oldest first",
                .account { $0.listActions($1, $2, on: $3) }),
            Route(.get, "/actions/types", "List the actions there are", .open { $0.listActionTypes($1, on: $2) }),
            Route(.get, "/actions/{revision}", "Read one entry of the log", .account { $0.readAction($1, $2, on: $3) }),
            Route(
                .post, "/postponed/{tag}/run", "Run what was postponed under a tag", .account { $0.runPostponed($1, $2, on: $3) }),
        ]
    }

    private static var state: [Route<Model>] {
        [
            Route(
                .get, "/state", parameters: ["pointer", "revision"], "Read the state, as it is or was",
                .account { $0.readState($1, $2, on: $3) }),
            Route(
                .get, "/state/diff", parameters: ["from", "to"], "What changed between two revisions",
                .account { $0.readDifference($1, $2, on: $3) }),
            Route(.get, "/views", "List the views", .account { $0.listViews($1, $2, on: $3) }),
            Route(.get, "/views/{name}", "Read a view", .account { $0.readView($1, $2, on: $3) }),
        ]
    }

    private static var events: [Route<Model>] {
        [
            Route(
                .get, "/events", parameters: ["after", "patch", "ticket", "view"], "Follow the account (server-sent events)",
                .account { $0.streamEvents($1, $2, on: $3) }),
            Route(
                .post, "/events/tickets", "Mint a ticket for a browser's EventSource",
                .account { $0.createTicket($1, $2, on: $3) }),
        ]
    }

    private static var operations: [Route<Model>] {
        [
            Route(.get, "/healthz", "Is the process alive?", .open { $0.health($1, on: $2) }),
            Route(.get, "/livez", "The same as /healthz", .open { $0.health($1, on: $2) }),
            Route(.get, "/readyz", parameters: ["verbose"], "Can it take actions?", .open { $0.readiness($1, on: $2) }),
            Route(.get, "/openapi.json", "Read this service's description (OpenAPI 3.1)", .open { $0.readDocument($1, on: $2) }),
            Route(.get, "/metrics", "Read the metrics (Prometheus)", .open { $0.readMetrics($1, on: $2) }),
            Route(.get, "/devtools", "The developer page", .open { $0.readDevTools($1, on: $2) }),
            Route(.get, "/devtools/{file}", "A file of the developer page", .open { $0.readDevTools($1, on: $2) }),
        ]
    }

    private static var resources: [Route<Model>] {
        Model.resources.map { resource in
            Route(
                .get, "/\(resource.name)", parameters: resource.parameters.map(\.name), resource.summary,
                .open { $0.readResource(resource, $1, on: $2) })
        }
    }
}
