/// Where the pieces of a request target lie, counted from the first byte of the request.
struct TargetParts: Sendable, Equatable {
    var form: Target.Form
    /// Whether the path holds a percent escape.
    var hasEscapedPath: Bool
    /// Whether there is a question mark.
    var hasQuery: Bool
    /// The whole target as sent.
    var whole: Extent
    /// The authority of an absolute-form target, which is never empty; empty in the other forms.
    var authority: Extent
    /// The path; empty for the asterisk form and for an absolute form without one, which means "/".
    var path: Extent
    /// The query without its question mark; empty where there is none.
    var query: Extent
}

/// The target of a request (RFC 9112 section 3.2): already checked, decoded when asked.
///
/// Every percent escape is well formed; decoded, the target is UTF-8, without NUL, and its path without any control. A
/// path is split at its slashes first and each segment decoded then, so that `%2F` never separates. Dot segments are
/// not resolved: they name nothing here.
public struct Target: Sendable {
    /// The forms a target may have.
    public enum Form: Sendable {
        /// A path with an optional query.
        case origin
        /// A whole http or https URI; its authority outranks Host. Read as the path and query it holds.
        case absolute
        /// The server as a whole, `*`; for OPTIONS only.
        case asterisk
    }

    let bytes: [UInt8]
    let parts: TargetParts

    /// The form.
    public var form: Form { parts.form }

    /// The target as sent, for logs and fingerprints: visible ASCII only.
    public var raw: String { String(decoding: bytes[parts.whole.range], as: UTF8.self) }

    /// The target's bytes as sent.
    public var rawBytes: FieldValue { FieldValue(bytes: bytes, range: parts.whole.range) }

    /// The path as sent, not decoded; "/" for an absolute form without a path, "*" for the asterisk form.
    public var path: String {
        if parts.form == .asterisk { return "*" }
        return parts.path.isEmpty ? "/" : String(decoding: bytes[parts.path.range], as: UTF8.self)
    }

    /// The path's bytes as sent; empty for an absolute form without a path and for the asterisk form.
    public var pathBytes: FieldValue { FieldValue(bytes: bytes, range: parts.path.range) }

    /// Whether the path as sent is exactly `literal`; the quick way to a route without variables or escapes.
    public func pathEquals(_ literal: StaticString) -> Bool {
        pathBytes.equals(literal)
    }

    /// The path's segments, each decoded: `/state/diff` gives `["state", "diff"]`, "/" gives `[""]`, `/state/` gives `["state", ""]`.
    ///
    /// Empty for the asterisk form.
    public var segments: [String] {
        if parts.form == .asterisk { return [] }
        if parts.path.isEmpty { return [""] }
        var segments: [String] = []
        var start = parts.path.range.lowerBound + 1
        let end = parts.path.range.upperBound
        while true {
            var stop = start
            while stop < end, bytes[stop] != ByteName.slash { stop += 1 }
            segments.append(
                parts.hasEscapedPath
                    ? PercentCoding.decode(bytes, start..<stop, plusIsSpace: false)
                    : String(decoding: bytes[start..<stop], as: UTF8.self))
            if stop == end { return segments }
            start = stop + 1
        }
    }

    /// Whether there is a question mark, be it followed by nothing.
    public var hasQuery: Bool { parts.hasQuery }

    /// The query as sent, without the question mark and not decoded, or nil where there is none.
    public var rawQuery: String? {
        parts.hasQuery ? String(decoding: bytes[parts.query.range], as: UTF8.self) : nil
    }

    /// The query's parameters in order, decoded; a repeated name stays repeated.
    ///
    /// Pairs are separated by "&"; a pair without "=" has an empty value; empty pairs are left out; "+" is a space, as
    /// forms and URLSearchParams write it (a plus itself is `%2B`).
    public var queryItems: [(name: String, value: String)] {
        let query = parts.query.range
        var items: [(name: String, value: String)] = []
        var start = query.lowerBound
        while start < query.upperBound {
            var stop = start
            var equals: Int?
            while stop < query.upperBound, bytes[stop] != ByteName.ampersand {
                if equals == nil, bytes[stop] == ByteName.equals { equals = stop }
                stop += 1
            }
            if stop > start {
                let name = PercentCoding.decode(bytes, start..<(equals ?? stop), plusIsSpace: true)
                let value = equals.map { PercentCoding.decode(bytes, ($0 + 1)..<stop, plusIsSpace: true) }
                items.append((name, value ?? ""))
            }
            start = stop + 1
        }
        return items
    }

    /// The value of the first parameter of that name, decoded, or nil where there is none.
    public func queryValue(_ name: String) -> String? {
        parts.query.isEmpty ? nil : queryItems.first { $0.name == name }?.value
    }
}
