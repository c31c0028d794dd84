/// The reader's state: an offset. The text is handed to each method, because a span is never stored.
struct JSONScanner {
    let limits: JSONLimits
    /// The next byte to look at.
    var offset = 0

    init(limits: JSONLimits, offset: Int = 0) {
        self.limits = limits
        self.offset = offset
    }

    /// The whole text: one value between white space.
    mutating func document(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONValue {
        guard bytes.count <= limits.bytesMax else {
            throw JSONFault(.tooLong, at: limits.bytesMax, "The text is longer than \(limits.bytesMax) bytes.")
        }
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            throw JSONFault(.byteOrderMark, at: 0, "The text starts with a byte order mark; JSON has none.")
        }
        skipSpace(bytes)
        let result = try value(bytes, depth: 0)
        skipSpace(bytes)
        guard offset == bytes.count else {
            throw JSONFault(
                .trailingBytes, at: offset, "After the value there is \(Self.name(of: bytes[offset])); a text is one value.")
        }
        return result
    }

    /// The value at the offset, which stands at no white space. `depth` is the number of open containers.
    mutating func value(_ bytes: Span<UInt8>, depth: Int) throws(JSONFault) -> JSONValue {
        guard offset < bytes.count else { throw end("a value") }
        switch bytes[offset] {
        case UInt8(ascii: "\""): return .string(try string(bytes))
        case UInt8(ascii: "{"): return .object(try object(bytes, depth: depth))
        case UInt8(ascii: "["): return .array(try array(bytes, depth: depth))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number(bytes)
        case UInt8(ascii: "t"):
            try literal("true", bytes)
            return .bool(true)
        case UInt8(ascii: "f"):
            try literal("false", bytes)
            return .bool(false)
        case UInt8(ascii: "n"):
            try literal("null", bytes)
            return .null
        default: throw unexpected(bytes, wanted: "a value")
        }
    }

    // MARK: Containers

    private mutating func object(_ bytes: Span<UInt8>, depth: Int) throws(JSONFault) -> JSONObject {
        let start = offset
        var members: [JSONObject.Member] = []
        var inOrder = true
        guard try open(bytes, depth: depth, closing: UInt8(ascii: "}")) else { return JSONObject() }
        repeat {
            let name = try memberName(bytes)
            let value: JSONValue
            do throws(JSONFault) {
                value = try self.value(bytes, depth: depth + 1)
            } catch {
                throw error.inside(name)
            }
            if inOrder, let last = members.last, byteOrder(last.name, name) >= 0 { inOrder = false }
            if members.count == limits.membersMax { throw tooMany("members") }
            members.append(JSONObject.Member(name, value))
        } while try !close(bytes, with: UInt8(ascii: "}"))
        if !inOrder {
            members.sort { byteOrder($0.name, $1.name) < 0 }
            for index in members.indices.dropFirst() where sameBytes(members[index - 1].name, members[index].name) {
                throw duplicate(members[index].name, bytes, objectAt: start, depth: depth)
            }
        }
        return JSONObject(ordered: members)
    }

    private mutating func array(_ bytes: Span<UInt8>, depth: Int) throws(JSONFault) -> [JSONValue] {
        var elements: [JSONValue] = []
        guard try open(bytes, depth: depth, closing: UInt8(ascii: "]")) else { return elements }
        repeat {
            if elements.count == limits.membersMax { throw tooMany("elements") }
            do throws(JSONFault) {
                elements.append(try value(bytes, depth: depth + 1))
            } catch {
                throw error.inside(String(elements.count))
            }
        } while try !close(bytes, with: UInt8(ascii: "]"))
        return elements
    }

    /// Steps into a container; false where it is empty and already closed.
    private mutating func open(_ bytes: Span<UInt8>, depth: Int, closing: UInt8) throws(JSONFault) -> Bool {
        guard depth < limits.depthMax else {
            throw JSONFault(.tooDeep, at: offset, "Arrays and objects are nested more than \(limits.depthMax) deep.")
        }
        offset += 1
        skipSpace(bytes)
        guard offset < bytes.count else { throw end(closing == UInt8(ascii: "}") ? "a name or \"}\"" : "a value or \"]\"") }
        if bytes[offset] == closing {
            offset += 1
            return false
        }
        return true
    }

    /// Steps over a comma (false) or out of the container (true).
    private mutating func close(_ bytes: Span<UInt8>, with closing: UInt8) throws(JSONFault) -> Bool {
        let wanted = closing == UInt8(ascii: "}") ? "\",\" or \"}\"" : "\",\" or \"]\""
        skipSpace(bytes)
        guard offset < bytes.count else { throw end(wanted) }
        if bytes[offset] == closing {
            offset += 1
            return true
        }
        guard bytes[offset] == UInt8(ascii: ",") else { throw unexpected(bytes, wanted: wanted) }
        offset += 1
        skipSpace(bytes)
        return false
    }

    /// A member's name and the colon behind it.
    private mutating func memberName(_ bytes: Span<UInt8>) throws(JSONFault) -> String {
        guard offset < bytes.count else { throw end("a name in quotes") }
        guard bytes[offset] == UInt8(ascii: "\"") else { throw unexpected(bytes, wanted: "a name in quotes") }
        let name = try string(bytes)
        try colon(bytes)
        return name
    }

    private mutating func colon(_ bytes: Span<UInt8>) throws(JSONFault) {
        skipSpace(bytes)
        guard offset < bytes.count else { throw end("\":\"") }
        guard bytes[offset] == UInt8(ascii: ":") else { throw unexpected(bytes, wanted: "\":\"") }
        offset += 1
        skipSpace(bytes)
    }

    private mutating func literal(_ word: StaticString, _ bytes: Span<UInt8>) throws(JSONFault) {
        for index in 0..<word.utf8CodeUnitCount {
            guard offset < bytes.count else { throw end("\"\(word)\"") }
            // Within the static string's bytes.
            guard unsafe bytes[offset] == word.utf8Start[index] else { throw unexpected(bytes, wanted: "\"\(word)\"") }
            offset += 1
        }
    }

    mutating func skipSpace(_ bytes: Span<UInt8>) {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    // MARK: Skipping

    /// Steps over the value at the offset, checking all but names given twice.
    mutating func skipValue(_ bytes: Span<UInt8>, depth: Int) throws(JSONFault) {
        guard offset < bytes.count else { throw end("a value") }
        switch bytes[offset] {
        case UInt8(ascii: "{"):
            guard try open(bytes, depth: depth, closing: UInt8(ascii: "}")) else { return }
            repeat {
                guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else {
                    throw offset < bytes.count ? unexpected(bytes, wanted: "a name in quotes") : end("a name in quotes")
                }
                try skipString(bytes)
                try colon(bytes)
                try skipValue(bytes, depth: depth + 1)
            } while try !close(bytes, with: UInt8(ascii: "}"))
        case UInt8(ascii: "["):
            guard try open(bytes, depth: depth, closing: UInt8(ascii: "]")) else { return }
            repeat { try skipValue(bytes, depth: depth + 1) } while try !close(bytes, with: UInt8(ascii: "]"))
        case UInt8(ascii: "\""):
            try skipString(bytes)
        default:
            _ = try value(bytes, depth: depth)
        }
    }

    // MARK: Faults

    /// Names the byte at the offset, which no value has here.
    func unexpected(_ bytes: Span<UInt8>, wanted: String) -> JSONFault {
        JSONFault(.unexpectedByte, at: offset, "Expected \(wanted), found \(Self.name(of: bytes[offset])).")
    }

    /// The text is over although something is missing.
    func end(_ wanted: String) -> JSONFault {
        JSONFault(.unexpectedEnd, at: offset, "Expected \(wanted), but the text ends.")
    }

    private func tooMany(_ what: String) -> JSONFault {
        JSONFault(.tooManyMembers, at: offset, "There are more than \(limits.membersMax) \(what).")
    }

    /// Walks the object once more to find where the name occurs for the second time; only paid for by a faulty text.
    private func duplicate(_ name: String, _ bytes: Span<UInt8>, objectAt start: Int, depth: Int) -> JSONFault {
        var again = JSONScanner(limits: limits, offset: start)
        var place = start
        do throws(JSONFault) {
            var seen = false
            guard try again.open(bytes, depth: depth, closing: UInt8(ascii: "}")) else { return .duplicate(name, at: place) }
            repeat {
                place = again.offset
                if sameBytes(try again.memberName(bytes), name) {
                    if seen { return .duplicate(name, at: place) }
                    seen = true
                }
                try again.skipValue(bytes, depth: depth + 1)
            } while try !again.close(bytes, with: UInt8(ascii: "}"))
        } catch {}  // cannot happen: the same bytes were read a moment ago
        return .duplicate(name, at: place)
    }

    /// A byte as a person would name it.
    static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x21...0x7E: "\"\(Unicode.Scalar(byte))\""
        case 0x20: "a space"
        default: "the byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
        }
    }
}

extension JSONFault {
    fileprivate static func duplicate(_ name: String, at offset: Int) -> JSONFault {
        JSONFault(.duplicateName, at: offset, pointer: JSONPointer([name]), "An object names this member twice.")
    }
}
