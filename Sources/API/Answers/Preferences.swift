internal import HTTP

/// What the client prefers (RFC 7240). Preferences that are not known, or not understood, are ignored.
struct Preferences {
    enum Returned: Sendable {
        case minimal
        case representation
    }

    /// `return=`; both at once count as neither.
    var returned: Returned?
    /// `wait=`, the client's patience in seconds.
    var waitSeconds: Int?

    init(_ fields: Fields) {
        guard fields.first(.prefer) != nil else { return }
        var minimal = false
        var representation = false
        for member in fields.members(.prefer) {
            let (name, value) = Self.preference(in: member.string)
            switch name {
            case "return" where value == "minimal": minimal = true
            case "return" where value == "representation": representation = true
            case "wait" where waitSeconds == nil: waitSeconds = Decimals.read(value).flatMap { Int(exactly: $0) }
            default: break
            }
        }
        if minimal != representation { returned = minimal ? .minimal : .representation }
    }

    /// The name and value of a preference, without its parameters; whatever a client may send has some.
    private static func preference(in member: String) -> (name: String, value: Substring) {
        var isQuoted = false
        var escapes = false
        let end = member.firstIndex { character in
            if escapes {
                escapes = false
            } else if isQuoted, character == "\\" {
                escapes = true
            } else if character == "\"" {
                isQuoted.toggle()
            }
            return character == ";" && !isQuoted
        }
        let whole = member[..<(end ?? member.endIndex)]
        guard let equals = whole.firstIndex(of: "=") else { return (whole.trimmed.lowercased(), "") }
        return (whole[..<equals].trimmed.lowercased(), whole[whole.index(after: equals)...].trimmed.unquoted)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    fileprivate var unquoted: Substring {
        count >= 2 && first == "\"" && last == "\"" ? dropFirst().dropLast() : self
    }
}
