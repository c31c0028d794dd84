/// A sequence of changes to a JSON value (RFC 6902).
public struct JSONPatch: Hashable, Sendable {
    /// One change (section 4).
    public enum Operation: Hashable, Sendable {
        case add(JSONPointer, JSONValue)
        case remove(JSONPointer)
        case replace(JSONPointer, JSONValue)
        case move(from: JSONPointer, to: JSONPointer)
        case copy(from: JSONPointer, to: JSONPointer)
        case test(JSONPointer, JSONValue)
    }

    /// In the order in which they are applied.
    public var operations: [Operation]

    /// Values that `copy` may duplicate in one patch, so that copies of copies cannot fill the memory.
    public static let copiedValuesMax = 1_000_000

    /// Makes a patch of operations as they are: what cannot be applied shows in `apply`.
    public init(_ operations: [Operation]) {
        self.operations = operations
    }

    /// Applies all operations in order, or none (section 5).
    ///
    /// - Throws: `noSuchPlace`, `testFailed`, `invalidPatch` (moving a value into itself, removing the root), `tooDeep` or
    ///   `tooManyMembers` where the result would pass a bound; the pointer is that of the operation in the patch, such as `/3`.
    public func apply(to value: JSONValue) throws(JSONFault) -> JSONValue {
        var result = value
        var copiesLeft = Self.copiedValuesMax
        for (index, operation) in operations.enumerated() {
            do throws(JSONFault) {
                try Self.apply(operation, to: &result, copiesLeft: &copiesLeft)
            } catch {
                throw JSONFault(error.kind, pointer: JSONPointer([String(index)]), error.detail)
            }
        }
        return result
    }

    private static func apply(
        _ operation: Operation, to root: inout JSONValue, copiesLeft: inout Int
    ) throws(JSONFault) {
        switch operation {
        case .add(let place, let value):
            try checkDepth(of: value, at: place)
            try root.add(value, at: place)
        case .remove(let place):
            _ = try root.remove(at: place)
        case .replace(let place, let value):
            try checkDepth(of: value, at: place)
            try root.replace(at: place, with: value)
        case .move(let from, let place):
            guard !(place.tokens.count > from.tokens.count && JSONPointer(Array(place.tokens.prefix(from.tokens.count))) == from)
            else {
                throw JSONFault(.invalidPatch, "A value cannot be moved into itself, from \"\(from)\" to \"\(place)\".")
            }
            // Onto itself: nothing to do, but the place must exist. The root can go nowhere else.
            if from == place { return _ = try root.existing(at: from) }
            let value = try root.remove(at: from)
            try checkDepth(of: value, at: place)
            try root.add(value, at: place)
        case .copy(let from, let place):
            let value = try root.existing(at: from)
            copiesLeft -= value.valueCount(atMost: copiesLeft + 1)
            guard copiesLeft >= 0 else {
                throw JSONFault(.tooManyMembers, "The patch copies more than \(copiedValuesMax) values.")
            }
            try checkDepth(of: value, at: place)
            try root.add(value, at: place)
        case .test(let place, let value):
            guard try root.existing(at: place) == value else {
                throw JSONFault(.testFailed, "The value at \"\(place)\" is not the expected one.")
            }
        }
    }

    private static func checkDepth(of value: JSONValue, at place: JSONPointer) throws(JSONFault) {
        guard place.tokens.count + value.depth <= JSONLimits.depthCeiling else {
            throw JSONFault(.tooDeep, "The result would be nested more than \(JSONLimits.depthCeiling) deep.")
        }
    }
}

// MARK: - The textual form

extension JSONPatch {
    /// Reads a patch document: an array of objects with `op`, `path` and what the operation needs; other members are ignored (section 4).
    public init(_ document: JSONValue) throws(JSONFault) {
        guard case .array(let elements) = document else {
            throw JSONFault(.invalidPatch, "A patch is an array of operations, not \(document.kindText).")
        }
        operations = []
        for (index, element) in elements.enumerated() {
            do throws(JSONFault) {
                operations.append(try Self.operation(element))
            } catch {
                throw error.inside(String(index))
            }
        }
    }

    private static func operation(_ element: JSONValue) throws(JSONFault) -> Operation {
        guard case .object(let object) = element else {
            throw JSONFault(.invalidPatch, "An operation is an object, not \(element.kindText).")
        }
        func text(_ name: String) throws(JSONFault) -> String {
            guard let text = object[name]?.string else {
                throw JSONFault(.invalidPatch, pointer: JSONPointer([name]), "The operation needs a string \"\(name)\".")
            }
            return text
        }
        func place(_ name: String) throws(JSONFault) -> JSONPointer {
            do throws(JSONFault) {
                return try JSONPointer(parsing: try text(name))
            } catch {
                throw JSONFault(error.kind, pointer: JSONPointer([name]), error.detail)
            }
        }
        func value() throws(JSONFault) -> JSONValue {
            guard let value = object["value"] else {
                throw JSONFault(.invalidPatch, pointer: JSONPointer(["value"]), "The operation needs a \"value\".")
            }
            return value
        }
        switch try text("op") {
        case "add": return .add(try place("path"), try value())
        case "remove": return .remove(try place("path"))
        case "replace": return .replace(try place("path"), try value())
        case "move": return .move(from: try place("from"), to: try place("path"))
        case "copy": return .copy(from: try place("from"), to: try place("path"))
        case "test": return .test(try place("path"), try value())
        default:
            throw JSONFault(
                .invalidPatch, pointer: JSONPointer(["op"]), "An operation is one of add, remove, replace, move, copy and test.")
        }
    }

    /// The patch document.
    public var document: JSONValue { .array(operations.map(\.document)) }
}

extension JSONPatch.Operation {
    /// The operation as an object.
    public var document: JSONValue {
        switch self {
        case .add(let place, let value): ["op": "add", "path": .string(place.text), "value": value]
        case .remove(let place): ["op": "remove", "path": .string(place.text)]
        case .replace(let place, let value): ["op": "replace", "path": .string(place.text), "value": value]
        case .move(let from, let place): ["op": "move", "from": .string(from.text), "path": .string(place.text)]
        case .copy(let from, let place): ["op": "copy", "from": .string(from.text), "path": .string(place.text)]
        case .test(let place, let value): ["op": "test", "path": .string(place.text), "value": value]
        }
    }
}

extension JSONPatch: Encodable {
    /// Writes the patch document.
    public func encode(to encoder: any Encoder) throws {
        try document.encode(to: encoder)
    }
}
