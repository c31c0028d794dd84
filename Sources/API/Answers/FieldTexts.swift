internal import HTTP
internal import JSON

/// Numbers in targets and fields: decimal digits alone, with no sign.
enum Decimals {
    static func read(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(text)
    }
}

/// The text of an Idempotency-Key field: a structured-field string, or the common bare form.
enum IdempotencyKeyText {
    /// The longest key, without its quotes.
    static let bytesMax = 255

    /// The key; nil where it is empty, too long, or has other than visible ASCII characters and inner spaces.
    static func parse(_ text: String) -> String? {
        var bytes = Array(text.utf8)
        if bytes.first == UInt8(ascii: "\"") {
            guard let inner = unquote(bytes) else { return nil }
            bytes = inner
        } else if bytes.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }) {
            return nil
        }
        guard (1...bytesMax).contains(bytes.count), bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A structured-field string (RFC 8941, 3.3.3): only quotes and backslashes are escaped. Parameters say nothing here.
    private static func unquote(_ bytes: [UInt8]) -> [UInt8]? {
        var inner: [UInt8] = []
        var index = 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\"):
                index += 1
                guard index < bytes.count, bytes[index] == UInt8(ascii: "\\") || bytes[index] == UInt8(ascii: "\"") else {
                    return nil
                }
                inner.append(bytes[index])
            case UInt8(ascii: "\""):
                let rest = bytes[(index + 1)...].drop { $0 == UInt8(ascii: " ") }
                return rest.isEmpty || rest.first == UInt8(ascii: ";") ? inner : nil
            case let byte: inner.append(byte)
            }
            index += 1
        }
        return nil
    }
}

/// Entity tags in conditions (RFC 9110, 8.8.3 and 13.1).
enum EntityTagText {
    static func isWellFormed(_ bytes: [UInt8]) -> Bool {
        let opaque = bytes.starts(with: Array("W/".utf8)) ? bytes.dropFirst(2) : bytes[...]
        guard opaque.count >= 2, opaque.first == UInt8(ascii: "\""), opaque.last == UInt8(ascii: "\"") else { return false }
        return opaque.dropFirst().dropLast().allSatisfy { $0 == 0x21 || $0 >= 0x23 && $0 != 0x7f }
    }
}

extension Fields {
    /// If-None-Match against the tag of what would be answered: weak comparison (RFC 9110, 13.1.2).
    func noneMatch(_ made: @autoclosure () -> [UInt8]) -> Bool {
        guard let first = first(.ifNoneMatch) else { return true }
        let tag = made()
        // The usual case: one tag, as it was given out.
        if count(of: .ifNoneMatch) == 1, first.equals(tag) || first.equals("*") { return false }
        return !entityTags(.ifNoneMatch).contains { $0.equals(tag) || $0.copy == Array("W/".utf8) + tag }
    }
}

extension Request {
    /// Refuses a body of another media type (415). An empty body is none, whatever Content-Type says; a body without one is taken as JSON.
    func requireJSON() throws(Problem) {
        guard !body.isEmpty else { return }
        guard head.fields.members(.contentEncoding).allSatisfy({ $0.equalsToken("identity") }) else {
            var problem = Problem(.unsupportedMediaType, "Send the body as it is; no content coding is taken off here.")
            problem.fields.add(.acceptEncoding, "identity")
            throw problem
        }
        guard let type = head.fields.first(.contentType) else { return }
        guard type.isMediaType("application/json"), head.fields.count(of: .contentType) == 1 else {
            var problem = Problem(.unsupportedMediaType, "Send the body as application/json.")
            problem.fields.add(.accept, "application/json")
            throw problem
        }
    }
}

extension Call {
    /// A query parameter that is `true` or `false`; false where it is left out.
    func flag(_ name: String) throws(Problem) -> Bool {
        switch query[name] {
        case nil, "false": return false
        case "true", "": return true
        default: throw Problem(.invalidParameter, "\(name) is true or false.").with("parameter", .string(name))
        }
    }

    /// A query parameter that is an integer within bounds.
    func integer(_ name: String, in bounds: ClosedRange<Int64>) throws(Problem) -> Int64? {
        guard let text = query[name] else { return nil }
        guard let value = Decimals.read(text), bounds.contains(value) else {
            throw Problem(.invalidParameter, "\(name) is an integer from \(bounds.lowerBound) to \(bounds.upperBound).")
                .with("parameter", .string(name))
        }
        return value
    }
}
