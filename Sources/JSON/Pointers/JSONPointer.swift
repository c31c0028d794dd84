/// A place in a JSON value (RFC 6901): the names and indices on the way from the root. Equal where the tokens' UTF-8 bytes are.
public struct JSONPointer: Sendable {
    /// Unescaped reference tokens; none for the whole value.
    public var tokens: [String]

    /// The whole value.
    public static let root = JSONPointer([])

    /// Makes a pointer of unescaped tokens: `~` and `/` in them stand for themselves.
    public init(_ tokens: [String]) {
        self.tokens = tokens
    }

    /// Reads the textual form: empty, or `/` before each token, `~0` for `~` and `~1` for `/` (section 3).
    ///
    /// - Throws: `invalidPointer` with the offset in bytes.
    public init(parsing text: String) throws(JSONFault) {
        try self.init(utf8: Array(text.utf8))
    }

    /// Reads the URI fragment form, with or without its `#`: percent-encoded UTF-8 of the textual form (section 6).
    ///
    /// - Throws: `invalidPointer` with the offset in bytes of the encoded form, or of the decoded one where only that shows the fault.
    public init(parsingFragment text: String) throws(JSONFault) {
        var bytes = Array(text.utf8)
        if bytes.first == UInt8(ascii: "#") { bytes.removeFirst() }
        try self.init(utf8: Self.percentDecoded(bytes))
    }

    private init(utf8 bytes: [UInt8]) throws(JSONFault) {
        tokens = []
        guard let first = bytes.first else { return }
        guard first == UInt8(ascii: "/") else {
            throw JSONFault(.invalidPointer, at: 0, "A JSON Pointer is empty or starts with \"/\".")
        }
        var token: [UInt8] = []
        var index = 1
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "/"):
                tokens.append(try Self.text(token, endingAt: index))
                token.removeAll(keepingCapacity: true)
            case UInt8(ascii: "~"):
                index += 1
                switch index < bytes.count ? bytes[index] : 0 {
                case UInt8(ascii: "0"): token.append(UInt8(ascii: "~"))
                case UInt8(ascii: "1"): token.append(UInt8(ascii: "/"))
                default: throw JSONFault(.invalidPointer, at: index - 1, "In a JSON Pointer \"~\" is followed by 0 or 1.")
                }
            case let byte:
                token.append(byte)
            }
            index += 1
        }
        tokens.append(try Self.text(token, endingAt: index))
    }

    private static func text(_ token: [UInt8], endingAt offset: Int) throws(JSONFault) -> String {
        guard let text = String(validating: token, as: UTF8.self) else {
            throw JSONFault(.invalidPointer, at: offset, "A JSON Pointer is UTF-8.")
        }
        return text
    }

    private static func percentDecoded(_ bytes: [UInt8]) throws(JSONFault) -> [UInt8] {
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, let high = hexDigit(bytes[index + 1]), let low = hexDigit(bytes[index + 2]) else {
                    throw JSONFault(.invalidPointer, at: index, "\"%\" is followed by two hexadecimal digits.")
                }
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    /// The place one level further in.
    public func appending(_ token: String) -> JSONPointer { JSONPointer(tokens + [token]) }

    /// The place of an array's element.
    public func appending(_ index: Int) -> JSONPointer { appending(String(index)) }

    /// The textual form (section 5).
    public var text: String {
        var text = ""
        for token in tokens {
            text += "/"
            for scalar in token.unicodeScalars {
                switch scalar {
                case "~": text += "~0"
                case "/": text += "~1"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }

    /// The URI fragment form with its `#` (section 6); every byte that RFC 3986 (3.5) does not allow there is percent-encoded.
    public var fragment: String {
        var text: [UInt8] = [UInt8(ascii: "#")]
        for byte in self.text.utf8 {
            if Self.fragmentBytes.contains(byte) {
                text.append(byte)
            } else {
                text += [UInt8(ascii: "%"), upperHexDigit(byte >> 4), upperHexDigit(byte & 15)]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Unreserved, sub-delims, `:`, `@`, `/` and `?`.
    private static let fragmentBytes = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?".utf8)
}

extension JSONPointer: Hashable {
    /// By the tokens' UTF-8 bytes, not by canonical equivalence as `String` compares.
    public static func == (left: JSONPointer, right: JSONPointer) -> Bool {
        left.tokens.elementsEqual(right.tokens, by: sameBytes)
    }

    /// In agreement with `==`: the number of tokens and their UTF-8 bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(tokens.count)
        for token in tokens { hashBytes(of: token, into: &hasher) }
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The textual form, as `text`.
    public var description: String { text }
}

extension JSONPointer {
    /// The value at this place (section 4); nil where there is none. `-` names the element after the last, so it never has a value.
    public func value(in root: JSONValue) -> JSONValue? {
        var value = root
        for token in tokens {
            switch value {
            case .object(let object):
                guard let member = object[token] else { return nil }
                value = member
            case .array(let elements):
                guard let index = Self.index(token), index < elements.count else { return nil }
                value = elements[index]
            default:
                return nil
            }
        }
        return value
    }

    /// An array index: ASCII digits without a leading zero (section 4).
    static func index(_ token: String) -> Int? {
        let bytes = token.utf8
        guard let first = bytes.first, bytes.count == 1 || first != UInt8(ascii: "0"),
            bytes.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return nil }
        return Int(token)
    }
}

/// The value of a hexadecimal digit of either case.
func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}

private func upperHexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}
