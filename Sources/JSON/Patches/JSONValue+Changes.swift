// Changing a value at a place (RFC 6902, section 4). Containers on the way are changed where they are, not copied.

extension JSONValue {
    /// The value at a place that must have one.
    func existing(at place: JSONPointer) throws(JSONFault) -> JSONValue {
        guard let value = place.value(in: self) else { throw .nothing(at: place) }
        return value
    }

    /// Inserts into an array, or sets a member, or replaces the root (4.1).
    mutating func add(_ value: JSONValue, at place: JSONPointer) throws(JSONFault) {
        guard let last = place.tokens.last else {
            self = value
            return
        }
        try change(containerOf: place) { container throws(JSONFault) in
            switch container {
            case .object(var object):
                container = .null  // so that the members are held once and changed in place
                object.updateValue(value, for: last)
                container = .object(object)
            case .array(var elements):
                guard let index = last == "-" ? elements.count : JSONPointer.index(last), index <= elements.count else {
                    throw JSONFault(.noSuchPlace, "The array at \"\(place)\" has \(elements.count) elements.")
                }
                container = .null
                elements.insert(value, at: index)
                container = .array(elements)
            default:
                throw .nothing(at: place)
            }
        }
    }

    /// Takes a value out (4.2) and returns it.
    mutating func remove(at place: JSONPointer) throws(JSONFault) -> JSONValue {
        guard let last = place.tokens.last else { throw JSONFault(.invalidPatch, "The whole value cannot be removed.") }
        return try change(containerOf: place) { container throws(JSONFault) in
            switch container {
            case .object(var object):
                container = .null
                let removed = object.removeValue(for: last)
                container = .object(object)
                if let removed { return removed }
            case .array(var elements):
                if let index = JSONPointer.index(last), index < elements.count {
                    container = .null
                    let removed = elements.remove(at: index)
                    container = .array(elements)
                    return removed
                }
            default: break
            }
            throw .nothing(at: place)
        }
    }

    /// Puts another value where there is one (4.3).
    mutating func replace(at place: JSONPointer, with value: JSONValue) throws(JSONFault) {
        try change(at: place.tokens[...], of: place) { target throws(JSONFault) in target = value }
    }

    private mutating func change<Result>(
        containerOf place: JSONPointer, _ body: (inout JSONValue) throws(JSONFault) -> Result
    ) throws(JSONFault) -> Result {
        try change(at: place.tokens.dropLast(), of: place, body)
    }

    /// Runs a change on the value at a place; on a fault the whole value is as it was.
    private mutating func change<Result>(
        at tokens: ArraySlice<String>, of place: JSONPointer, _ body: (inout JSONValue) throws(JSONFault) -> Result
    ) throws(JSONFault) -> Result {
        guard let token = tokens.first else { return try body(&self) }
        switch self {
        case .object(var object):
            guard let index = object.index(of: token) else { throw .nothing(at: place) }
            self = .null
            defer { self = .object(object) }
            return try object.withValue(at: index) { value throws(JSONFault) in
                try value.change(at: tokens.dropFirst(), of: place, body)
            }
        case .array(var elements):
            guard let index = JSONPointer.index(token), index < elements.count else { throw .nothing(at: place) }
            self = .null
            defer { self = .array(elements) }
            return try elements[index].change(at: tokens.dropFirst(), of: place, body)
        default:
            throw .nothing(at: place)
        }
    }

    /// How deep containers are nested in it; 0 for what is no container.
    var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let object): 1 + (object.members.lazy.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }

    /// How many values it consists of, itself included; counts no further than a bound.
    func valueCount(atMost bound: Int) -> Int {
        var count = 1
        switch self {
        case .array(let elements):
            for element in elements where count < bound { count += element.valueCount(atMost: bound - count) }
        case .object(let object):
            for member in object.members where count < bound { count += member.value.valueCount(atMost: bound - count) }
        default: break
        }
        return count
    }
}

extension JSONFault {
    fileprivate static func nothing(at place: JSONPointer) -> JSONFault {
        JSONFault(.noSuchPlace, "There is nothing at \"\(place)\".")
    }
}
