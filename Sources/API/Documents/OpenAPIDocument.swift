internal import HTTP
internal import JSON
internal import Redux

/// The OpenAPI 3.1 document of a model's service, made from the table the router reads and from the model's own tables.
struct OpenAPIDocument<Model: AccountModel> {
    let version: String
    let routes: [Route<Model>]

    var value: JSONValue {
        var document = JSONObject()
        document["openapi"] = "3.1.0"
        document["info"] = [
            "title": .string("Storehouse: \(Model.name)"), "version": .string(version),
            "summary": "Redux on the server: one durable store per account.",
            "description":
                "Dispatch actions, read the state, follow it live. Errors are problems (RFC 9457) with a stable `type`.",
        ]
        document["servers"] = [["url": "/"]]
        document["security"] = [["bearer": []]]
        var paths = JSONObject()
        for route in routes {
            var path = paths[route.path]?.object ?? JSONObject()
            path[route.method.token.description.lowercased()] = operation(route)
            paths[route.path] = .object(path)
        }
        document["paths"] = .object(paths)
        document["components"] = [
            "securitySchemes": [
                "bearer": ["type": "http", "scheme": "bearer", "description": "RFC 6750; POST /accounts gives a token."]
            ],
            "schemas": schemas,
        ]
        document["x-problem-types"] = .array(kinds.map(Self.described))
        return .object(document)
    }

    // MARK: Operations

    private func operation(_ route: Route<Model>) -> JSONValue {
        let document = self.document(of: route)
        var operation = JSONObject()
        operation["operationId"] = .string(Self.operationID(route))
        operation["summary"] = .string(route.summary)
        if Self.described(route) == nil { operation["x-undescribed"] = true }
        if let text = document.text { operation["description"] = .string(text) }
        if !route.needsAccount { operation["security"] = route.path == "/accounts" ? [[:], ["bearer": []]] : [] }
        let parameters = self.parameters(of: route, document)
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        if let body = document.body {
            operation["requestBody"] = [
                "required": .bool(body.isRequired), "content": ["application/json": ["schema": Self.reference(body.schema)]],
            ]
        }
        operation["responses"] = responses(of: route, document)
        return .object(operation)
    }

    /// What is said of a route: of a resource of the model, and of one that nobody has described, in general words.
    private func document(of route: Route<Model>) -> RouteDocument { Self.described(route) ?? .resource }

    private static func described(_ route: Route<Model>) -> RouteDocument? {
        RouteDocument.all["\(route.method.token) \(route.path)"]
            ?? (Model.resources.contains { "/\($0.name)" == route.path } ? .resource : nil)
    }

    /// `getStateDiff`, `postSessionsCurrentRefresh`, `getActionsByRevision`.
    private static func operationID(_ route: Route<Model>) -> String {
        var id = route.method.token.description.lowercased()
        for segment in route.segments {
            switch segment {
            case .literal(let text): id += text.split { !$0.isLetter }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            case .variable(let name): id += "By" + name.prefix(1).uppercased() + name.dropFirst()
            }
        }
        return id
    }

    private func parameters(of route: Route<Model>, _ document: RouteDocument) -> [JSONValue] {
        var parameters: [JSONValue] = []
        for case .variable(let name) in route.segments { parameters.append(parameter(name, in: "path", of: route)) }
        let resource = Model.resources.first { "/\($0.name)" == route.path && route.method == .get }
        for name in route.parameters {
            if let known = resource?.parameters.first(where: { $0.name == name }) {
                var schema: JSONObject = ["type": .string(known.type)]
                if let bounds = known.bounds {
                    (schema["minimum"], schema["maximum"]) = (.integer(bounds.lowerBound), .integer(bounds.upperBound))
                }
                if !known.values.isEmpty, known.type == "string" { schema["enum"] = .array(known.values.map(JSONValue.string)) }
                parameters.append([
                    "name": .string(name), "in": "query", "description": .string(known.summary), "schema": .object(schema),
                ])
            } else {
                parameters.append(parameter(name, in: "query", of: route))
            }
        }
        for name in document.fields {
            parameters.append(Self.parameter(name, in: "header", DocumentSchemas.fields[name]))
        }
        return parameters
    }

    private func parameter(_ name: String, in place: String, of route: Route<Model>) -> JSONValue {
        let known = DocumentSchemas.parameters["\(route.path) \(name)"] ?? DocumentSchemas.parameters[name]
        if route.path == "/views/{name}" || name == "view" {
            var named = known?.object ?? JSONObject()
            named["schema"] = ["type": "string", "enum": .array(Model.views.map { .string($0.name) })]
            return Self.parameter(name, in: place, .object(named))
        }
        return Self.parameter(name, in: place, known)
    }

    private static func parameter(_ name: String, in place: String, _ known: JSONValue?) -> JSONValue {
        var parameter = known?.object ?? ["schema": ["type": "string"]]
        parameter["name"] = .string(name)
        parameter["in"] = .string(place)
        if place == "path" { parameter["required"] = true }
        return .object(parameter)
    }

    // MARK: Answers

    private func responses(of route: Route<Model>, _ document: RouteDocument) -> JSONValue {
        var responses = JSONObject()
        for success in document.successes {
            var response: JSONObject = ["description": .string(success.summary)]
            if let type = success.type {
                var content: JSONObject = [:]
                content[type] = ["schema": Self.reference(success.schema ?? "Any")]
                if route.path == "/readyz" { content["text/plain"] = ["schema": Self.reference("Text")] }
                response["content"] = .object(content)
            }
            if success.isTagged {
                response["headers"] = ["ETag": ["description": "The entity tag.", "schema": ["type": "string"]]]
            }
            responses[String(success.status.code)] = .object(response)
        }
        for (status, kinds) in problems(of: route, document) { responses[String(status)] = problemResponse(kinds, of: route) }
        return .object(responses)
    }

    private func problemResponse(_ kinds: [ProblemKind], of route: Route<Model>) -> JSONValue {
        let lines = kinds.map { "`\(Problem.typePrefix)\($0.slug)`: \($0.title)." }
        var content: JSONObject = ["application/problem+json": ["schema": Self.reference("Problem")]]
        if route.path == "/readyz" { content["text/plain"] = ["schema": Self.reference("Text")] }
        var response: JSONObject = [
            "description": .string(lines.joined(separator: "\n")), "content": .object(content),
            "x-problem-types": .array(kinds.map { .string(Problem.typePrefix + $0.slug) }),
        ]
        if kinds.contains(where: { [423, 429, 503, 507].contains($0.status.code) }) {
            response["headers"] = [
                "Retry-After": ["description": "Whole seconds to wait.", "schema": ["type": "string"]]
            ]
        }
        return .object(response)
    }

    /// The problems of a route by status, each kind once.
    private func problems(of route: Route<Model>, _ document: RouteDocument) -> [(status: UInt16, kinds: [ProblemKind])] {
        var kinds = document.problems
        if document.refuses { kinds += Model.refusals.map(ProblemKind.init) }
        kinds += RouteDocument.common + (route.needsAccount ? RouteDocument.ofCallers : [])
        var slugs: Set<String> = []
        kinds = kinds.filter { slugs.insert($0.slug).inserted }
        return Dictionary(grouping: kinds) { $0.status.code }.map { (status: $0.key, kinds: $0.value) }.sorted {
            $0.status < $1.status
        }
    }

    /// The service's kinds and the model's, each once.
    private var kinds: [ProblemKind] {
        var slugs: Set<String> = []
        return (ProblemKind.all + Model.refusals.map(ProblemKind.init)).filter { slugs.insert($0.slug).inserted }
    }

    private static func described(_ kind: ProblemKind) -> JSONValue {
        [
            "type": .string(Problem.typePrefix + kind.slug), "title": .string(kind.title),
            "status": .integer(Int64(kind.status.code)),
        ]
    }

    // MARK: Schemas

    private static func reference(_ name: String) -> JSONValue { ["$ref": .string("#/components/schemas/\(name)")] }

    private var schemas: JSONValue {
        var schemas = DocumentSchemas.all.object ?? JSONObject()
        var intentions: [JSONValue] = []
        for kind in Model.Action.kinds {
            let name = "Action." + kind.name.split(separator: "/").joined(separator: ".")
            schemas[name] = Self.schema(of: kind)
            if kind.origin == .intention { intentions.append(Self.reference(name)) }
        }
        schemas["Action"] = ["oneOf": .array(intentions)]
        schemas["Actions"] = [
            "oneOf": [
                Self.reference("Action"), ["type": "array", "minItems": 1, "maxItems": 100, "items": Self.reference("Action")],
            ]
        ]
        return .object(schemas)
    }

    /// An action as a client sends it, or, for a fact, as the log shows it.
    private static func schema(of kind: ActionKind<Model.Action>) -> JSONValue {
        let example = kind.example.flatMap { try? JSONEncoding.encodeValue($0) }
        let payload = SchemaNode.probe(example ?? .object(JSONObject())) { _ = try kind.decode($0) }
        let needsPayload = !(payload["required"]?.array ?? []).isEmpty
        var schema: JSONObject = [
            "type": "object", "additionalProperties": false, "description": .string(kind.summary),
            "properties": ["type": ["const": .string(kind.name)], "payload": payload],
            "required": needsPayload ? ["payload", "type"] : ["type"],
        ]
        if kind.origin == .fact { schema["x-fact"] = true }
        if let example { schema["examples"] = [["type": .string(kind.name), "payload": example]] }
        return .object(schema)
    }
}
