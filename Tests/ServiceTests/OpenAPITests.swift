import Foundation
import Testing

/// The service's description of itself, and whether it is true.
@ServiceQueue @Suite struct `The OpenAPI document` {
    static func document(_ wire: Wire) throws -> [String: Value] {
        let answer = try wire.get("/openapi.json")
        #expect(answer.status == 200 && answer.field("Content-Type") == "application/json")
        return try #require(try answer.json.members)
    }

    /// Method, path and operation, sorted.
    static func operations(_ document: [String: Value]) -> [(method: String, path: String, operation: Value)] {
        (document["paths"]?.members ?? [:]).flatMap { path, methods in
            (methods.members ?? [:]).map { ($0.key.uppercased(), path, $0.value) }
        }.sorted { ($0.path, $0.method) < ($1.path, $1.method) }
    }

    @Test(arguments: ModelUnderTest.all) func `has every route, as the router answers it`(_ model: ModelUnderTest) throws {
        try withService(model: model.name) { service in
            let wire = try service.connect()
            let document = try Self.document(wire)
            #expect(document["openapi"] == "3.1.0")
            let operations = Self.operations(document)
            #expect(operations.count > 20)
            for (path, all) in Dictionary(grouping: operations, by: \.path) {
                let options = try wire.exchange("OPTIONS", path.replacing("{", with: "").replacing("}", with: ""))
                var methods = Set(all.map(\.method)).union(["OPTIONS"])
                if methods.contains("GET") { methods.insert("HEAD") }
                #expect(options.status == 204 && options.field("Allow") == methods.sorted().joined(separator: ", "), "\(path)")
            }
            #expect(Set(operations.compactMap { $0.operation["operationId"]?.string }).count == operations.count)
        }
    }

    @Test(arguments: ModelUnderTest.all) func `describes every route, parameter and answer`(_ model: ModelUnderTest) throws {
        try withService(model: model.name) { service in
            for (method, path, operation) in Self.operations(try Self.document(service.connect())) {
                let name = "\(method) \(path)"
                #expect(operation["x-undescribed"] == nil, "\(name): add it to RouteDocument")
                #expect(operation["summary"]?.string?.isEmpty == false, "\(name)")
                for parameter in operation["parameters"]?.array ?? [] {
                    #expect(parameter["description"]?.string?.isEmpty == false, "\(name): \(parameter)")
                    #expect(parameter["schema"] != nil && (parameter["in"] != "path" || parameter["required"] == .bool(true)))
                }
                let responses = operation["responses"]?.members ?? [:]
                #expect(responses.keys.contains { $0.hasPrefix("2") }, "\(name) never succeeds")
                for status in ["400", "413", "500", "503"] { #expect(responses[status] != nil, "\(name) has no \(status)") }
                #expect(operation["security"] != nil || responses["401"] != nil, "\(name) has no 401")
                for (status, response) in responses {
                    #expect(response["description"]?.string?.isEmpty == false, "\(name) \(status)")
                }
            }
        }
    }

    @Test func `names every problem type where it may be met`() throws {
        let table = try Service.run(["problems"]).said.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /`(\/problems\/[a-z-]+)` \| (\d+)/).map { (type: String($0.1), status: String($0.2)) }
        }
        #expect(table.count > 60)
        try withService { service in
            let document = try Self.document(service.connect())
            let listed = (document["x-problem-types"]?.array ?? []).compactMap { $0["type"]?.string }
            #expect(listed.sorted() == table.map(\.type).sorted())
            var met: [String: Set<String>] = [:]
            for (_, _, operation) in Self.operations(document) {
                for (status, response) in operation["responses"]?.members ?? [:] {
                    for type in response["x-problem-types"]?.array ?? [] { met[type.string ?? "", default: []].insert(status) }
                }
            }
            // What no operation of the document can meet: another path, another method.
            let elsewhere: Set = ["/problems/method-not-allowed"]
            for (type, status) in table where !elsewhere.contains(type) {
                #expect(met[type] == [status], "\(type) is met as \(met[type] ?? [])")
            }
        }
    }

    @Test func `has the model's actions, as their code reads them`() throws {
        try withService { service in
            let wire = try service.connect()
            let schemas = try #require(try Self.document(wire)["components"]?["schemas"]?.members)
            let payload = try #require(schemas["Action.cart.addItem"]?["properties"]?["payload"])
            #expect(payload["required"] == ["productID"])
            #expect(payload["properties"]?["productID"] == ["type": "string"])
            #expect(payload["properties"]?["quantity"]?["type"] == ["integer", "null"])
            #expect(payload["additionalProperties"] == .bool(false))
            let sort = schemas["Action.catalog.setSort"]?["properties"]?["payload"]?["properties"]?["by"]?["enum"]?.array
            #expect(sort?.contains("priceAscending") == true)
            #expect(schemas["Action.cart.checkoutSucceeded"]?["x-fact"] == .bool(true))
            let intentions = schemas["Action"]?["oneOf"]?.array ?? []
            #expect(intentions.count > 15 && !intentions.contains(["$ref": "#/components/schemas/Action.cart.checkoutSucceeded"]))
            // Each example is understood: accepted, or refused by a reducer, never for its form.
            let account = try wire.openAccount()
            for (name, schema) in schemas where schema["examples"] != nil && schema["x-fact"] == nil && name.hasPrefix("Action.")
            {
                let example = try #require(schema["examples"]?[0])
                let answer = try wire.exchange(
                    "POST", "/actions?dryRun=true", as: account, body: try Array(JSONEncoder().encode(Sent(value: example))))
                #expect([200, 409].contains(answer.status), "\(name): \(answer)")
            }
        }
    }
}

/// A value on its way out.
private struct Sent: Encodable {
    let value: Value

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .object(let members): try members.mapValues(Sent.init).encode(to: encoder)
        case .array(let elements): try elements.map(Sent.init).encode(to: encoder)
        case .string(let text): try text.encode(to: encoder)
        case .integer(let number): try number.encode(to: encoder)
        case .number(let number): try number.encode(to: encoder)
        case .bool(let flag): try flag.encode(to: encoder)
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        }
    }
}
