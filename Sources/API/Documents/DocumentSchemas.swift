internal import JSON

/// The schemas (JSON Schema 2020-12) of what does not depend on the model, and the parameters that routes take by name.
enum DocumentSchemas {
    static let all: JSONValue = parsed(
        """
        {
          "Any": {},
          "Text": {"type": "string"},
          "Problem": {"type": "object", "description": "RFC 9457. `type` names the kind; `detail` is for people.",
            "required": ["type", "title", "status", "detail"], "properties": {
            "type": {"type": "string"}, "title": {"type": "string"}, "status": {"type": "integer"}, "detail": {"type": "string"},
            "pointer": {"type": "string"}, "parameter": {"type": "string"}, "offset": {"type": "integer"}, "index": {"type": "integer"},
            "revision": {"type": "integer", "format": "int64"},
            "errors": {"type": "array", "items": {"type": "object", "required": ["detail", "pointer"], "properties": {
              "detail": {"type": "string"}, "pointer": {"type": "string"}}}}}},
          "NewAccount": {"type": "object", "required": ["account", "token"], "properties": {
            "account": {"type": "integer", "format": "int64"}, "token": {"type": "string"}, "expiresAt": {"type": ["integer", "null"]},
            "fork": {"type": "object", "required": ["account", "revision"], "properties": {
              "account": {"type": "integer"}, "revision": {"type": "integer"}}}}},
          "NewSession": {"type": "object", "required": ["account", "token", "expiresAt"], "properties": {
            "account": {"type": "integer", "format": "int64"}, "token": {"type": "string"}, "expiresAt": {"type": ["integer", "null"]}}},
          "Registration": {"type": "object", "required": ["email", "password", "name"], "additionalProperties": false, "properties": {
            "email": {"type": "string", "format": "email", "examples": ["ada@example.com"]}, "password": {"type": "string"},
            "name": {"type": "string", "minLength": 1, "examples": ["Ada"]}}},
          "Credentials": {"type": "object", "required": ["email", "password"], "additionalProperties": false, "properties": {
            "email": {"type": "string"}, "password": {"type": "string"}}},
          "Verification": {"type": "object", "required": ["code"], "additionalProperties": false, "properties": {
            "code": {"type": "string"}}},
          "Verified": {"type": "object", "required": ["account", "verified"], "properties": {
            "account": {"type": "integer"}, "verified": {"type": "boolean"}}},
          "Account": {"type": "object", "required": ["account", "created", "email", "epoch", "kind", "revision", "sessions", "verified"],
            "properties": {"account": {"type": "integer"}, "created": {"type": "integer"}, "email": {"type": ["string", "null"]},
            "epoch": {"type": "string"}, "kind": {"enum": ["guest", "registered"]}, "profile": {}, "revision": {"type": "integer"},
            "sessions": {"type": "integer"}, "sizes": {"type": "object"}, "verified": {"type": "boolean"}}},
          "Session": {"type": "object", "required": ["created", "current", "expiresAt", "id"], "properties": {
            "created": {"type": "integer"}, "current": {"type": "boolean"}, "expiresAt": {"type": ["integer", "null"]},
            "id": {"type": "integer"}}},
          "Sessions": {"type": "object", "required": ["sessions"], "properties": {
            "sessions": {"type": "array", "items": {"$ref": "#/components/schemas/Session"}}}},
          "Ticket": {"type": "object", "required": ["expiresAt", "ticket"], "properties": {
            "expiresAt": {"type": "integer"}, "ticket": {"type": "string"}}},
          "Receipt": {"type": "object", "required": ["account", "actions", "changed", "epoch", "revision"], "properties": {
            "account": {"type": "integer"}, "changed": {"type": "boolean"}, "dryRun": {"type": "boolean"},
            "effects": {"type": "array", "items": {"type": "object"}}, "epoch": {"type": "string"},
            "revision": {"type": "integer", "minimum": 0}, "state": {"type": "object"},
            "actions": {"type": "array", "items": {"type": "object", "required": ["revision", "type"], "properties": {
              "revision": {"type": "integer", "minimum": 1}, "type": {"type": "string"}}}}}},
          "Postponed": {"type": "object", "required": ["account", "tag", "waiting"], "properties": {
            "account": {"type": "integer"}, "tag": {"type": "string"}, "waiting": {"type": "integer", "minimum": 1}}},
          "PostponedResults": {"type": "object", "required": ["account", "results", "tag"], "properties": {
            "account": {"type": "integer"}, "tag": {"type": "string"}, "results": {"type": "array", "items": {"anyOf": [
            {"type": "object", "required": ["revision"], "properties": {"revision": {"type": "integer", "minimum": 1}}},
            {"type": "object", "required": ["problem"], "properties": {
              "problem": {"$ref": "#/components/schemas/Problem"}}}]}}}},
          "LogEntry": {"type": "object", "required": ["at", "changed", "id", "payload", "revision", "type"], "properties": {
            "at": {"type": "integer"}, "batched": {"type": "boolean"}, "cause": {"type": "integer"}, "changed": {"type": "boolean"},
            "facts": {}, "id": {"type": "string", "format": "uuid"}, "payload": {"type": "object"},
            "revision": {"type": "integer", "minimum": 1}, "skewed": {"type": "boolean"}, "trace": {"type": "string"},
            "type": {"type": "string"}}},
          "LogPage": {"type": "object", "required": ["actions", "next"], "properties": {
            "actions": {"type": "array", "items": {"$ref": "#/components/schemas/LogEntry"}}, "next": {"type": ["integer", "null"]},
            "oldest": {"type": "integer", "description": "Where what the log began with is not kept any more: the first revision that is."}}},
          "State": {"type": "object", "required": ["account", "epoch", "revision", "state"], "properties": {
            "account": {"type": "integer"}, "epoch": {"type": "string"}, "revision": {"type": "integer", "minimum": 0},
            "state": {"type": "object"}}},
          "StateOrPart": {"anyOf": [{"$ref": "#/components/schemas/State"}, {"description": "What `pointer` names"}]},
          "Patch": {"type": "array", "items": {"type": "object", "required": ["op", "path"], "properties": {
            "op": {"enum": ["add", "remove", "replace", "move", "copy", "test"]}, "path": {"type": "string"}, "from": {"type": "string"},
            "value": {}}}},
          "Views": {"type": "object", "required": ["views"], "properties": {"views": {"type": "array", "items": {
            "type": "object", "required": ["name", "summary"], "properties": {
            "name": {"type": "string"}, "summary": {"type": "string"}}}}}},
          "ActionTypes": {"type": "object", "required": ["actions"], "properties": {"actions": {"type": "array", "items": {
            "type": "object", "required": ["origin", "summary", "type", "version"], "properties": {
            "example": {}, "origin": {"enum": ["intention", "fact"]}, "summary": {"type": "string"}, "type": {"type": "string"},
            "version": {"type": "integer", "minimum": 1}}}}}},
          "Effects": {"type": "object", "required": ["effects"], "properties": {"effects": {"type": "array", "items": {
            "type": "object", "required": ["attempt", "dead", "due", "id", "key", "kind", "revision"], "properties": {
            "attempt": {"type": "integer"}, "dead": {"type": ["string", "null"]}, "due": {"type": "integer"}, "id": {"type": "string"},
            "key": {"type": ["string", "null"]}, "kind": {"type": "string"}, "revision": {"type": "integer"}}}}}},
          "Standing": {"type": "object", "required": ["status"], "properties": {"status": {"enum": ["ok", "ready"]}}}
        }
        """)

    /// Query parameters and variable segments by name; one with a path before its name is meant for that route.
    static let parameters: JSONValue = parsed(
        """
        {
          "after": {"description": "Only what is behind this revision", "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 9223372036854775807}},
          "/events after": {"description": "A revision or an event's id to go on behind", "schema": {"type": "string"}},
          "before": {"description": "Only what is before this revision", "schema": {"type": "integer", "format": "int64", "minimum": 1, "maximum": 9223372036854775807}},
          "dryRun": {"description": "Say what would happen, and keep nothing", "schema": {"type": "string", "enum": ["", "true", "false"]}},
          "file": {"description": "The file's name", "schema": {"enum": ["app.js", "client.js", "json.js", "style.css"]}},
          "fork": {"description": "The revision to go on from in a copy of the account", "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 9223372036854775807}},
          "/account/restore revision": {"description": "The revision to go back to", "required": true, "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 9223372036854775807}},
          "from": {"description": "The revision before", "required": true, "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 9223372036854775807}},
          "id": {"description": "A session's id", "schema": {"type": "integer", "format": "int64", "minimum": 1, "maximum": 9223372036854775807}},
          "limit": {"description": "The most entries; 100 where nothing is said",
            "schema": {"type": "integer", "minimum": 1, "maximum": 1000}},
          "name": {"description": "A view's name", "schema": {"type": "string"}},
          "patch": {"description": "With what each transition changed, as a JSON Patch", "schema": {"type": "string", "enum": ["", "true", "false"]}},
          "pointer": {"description": "A part of the state (RFC 6901)", "schema": {"type": "string", "format": "json-pointer"}},
          "postpone": {"description": "Keep the actions under this tag until it is run",
            "schema": {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$"}},
          "revision": {"description": "The state as it was at this revision", "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 9223372036854775807}},
          "/actions/{revision} revision": {"description": "The entry's revision", "schema": {"type": "integer", "format": "int64", "minimum": 1, "maximum": 9223372036854775807}},
          "tag": {"description": "The tag that was given to `postpone`",
            "schema": {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$"}},
          "ticket": {"description": "A stream ticket instead of a token", "schema": {"type": "string"}},
          "to": {"description": "The revision after", "required": true, "schema": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 9223372036854775807}},
          "type": {"description": "Only actions of this type", "schema": {"type": "string"}},
          "verbose": {"description": "List the checks", "schema": {"type": "string", "enum": ["", "true", "false"]}},
          "view": {"description": "Follow a view instead of transitions", "schema": {"type": "string"}}
        }
        """)

    /// Fields of requests by name.
    static let fields: JSONValue = parsed(
        """
        {
          "Idempotency-Key": {"description": "Makes a retry harmless: the first answer is kept for 24 hours, and given again. 1 to 255 visible characters",
            "example": "0b7e-1", "schema": {"type": "string"}},
          "If-Match": {"description": "Performed only where the account is at this entity tag, or `*`", "example": "*",
            "schema": {"type": "string", "pattern": "^(\\\\*|\\"[!#-~]*\\"(, \\"[!#-~]*\\")*)$"}},
          "If-None-Match": {"description": "304 where the entity tag is still this one", "schema": {"type": "string"}},
          "Last-Event-ID": {"description": "The id to go on behind", "schema": {"type": "string"}},
          "Prefer": {"description": "`return=minimal`, `return=representation`, `wait=SECONDS` (RFC 7240)",
            "example": "return=representation", "schema": {"type": "string"}},
          "traceparent": {"description": "W3C Trace Context; kept with the action", "schema": {"type": "string"}}
        }
        """)

    private static func parsed(_ text: String) -> JSONValue {
        do throws(JSONFault) {
            return try JSONReader.read(Array(text.utf8), limits: .stored)
        } catch {
            preconditionFailure("the documents' own JSON: \(error)")
        }
    }
}
