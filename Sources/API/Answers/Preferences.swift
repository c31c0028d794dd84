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
            let parts = member.string.split(separator: ";", maxSplits: 1)[0].split(separator: "=", maxSplits: 1)
            let name = parts[0].trimmed.lowercased()
            let value = parts.count > 1 ? parts[1].trimmed.unquoted : ""
            switch name {
            case "return" where value == "minimal": minimal = true
            case "return" where value == "representation": representation = true
            case "wait" where waitSeconds == nil: waitSeconds = Int(value).flatMap { $0 >= 0 ? $0 : nil }
            default: break
            }
        }
        if minimal != representation { returned = minimal ? .minimal : .representation }
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
