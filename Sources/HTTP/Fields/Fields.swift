/// Where one field line lies: offsets of its name and its trimmed value, counted from the first byte of the request.
struct FieldEntry: Sendable, Equatable {
    let name: Extent
    let value: Extent
}

/// The header section of a request: its field lines in order, duplicates kept, as ranges over one byte array.
///
/// Names are compared as bytes without regard to ASCII case. Nothing here makes a String unless asked for one. Values
/// have no controls but tabs, and no white space at their ends (RFC 9110 section 5.5); what else they hold is the sender's.
public struct Fields: Sendable {
    let bytes: [UInt8]
    let entries: [FieldEntry]

    /// The number of field lines.
    public var count: Int { entries.count }

    /// The name of field line `index`, as the sender spelt it.
    public func name(at index: Int) -> String {
        String(decoding: bytes[entries[index].name.range], as: UTF8.self)
    }

    /// The value of field line `index`.
    public func value(at index: Int) -> FieldValue {
        FieldValue(bytes: bytes, range: entries[index].value.range)
    }

    /// The value of the first line with that name, or nil where there is none.
    ///
    /// Where a repetition would be ambiguous (credentials, keys, conditions) ask for `count(of:)` as well.
    public func first(_ name: FieldName) -> FieldValue? {
        let bytes = bytes.span
        for entry in entries where bytes.holdsFolded(name.text, in: entry.name.range) {
            return FieldValue(bytes: self.bytes, range: entry.value.range)
        }
        return nil
    }

    /// The values of all lines with that name, in order.
    public func all(_ name: FieldName) -> [FieldValue] {
        let bytes = bytes.span
        var values: [FieldValue] = []
        for entry in entries where bytes.holdsFolded(name.text, in: entry.name.range) {
            values.append(FieldValue(bytes: self.bytes, range: entry.value.range))
        }
        return values
    }

    /// The number of lines with that name.
    public func count(of name: FieldName) -> Int {
        let bytes = bytes.span
        var count = 0
        for entry in entries where bytes.holdsFolded(name.text, in: entry.name.range) { count += 1 }
        return count
    }

    /// The value of the first line with that name as text, or nil where there is none; malformed UTF-8 is repaired.
    public func string(_ name: FieldName) -> String? {
        first(name)?.string
    }

    /// The comma-separated members of all lines with that name (RFC 9110 section 5.6.1), trimmed, empty ones left out.
    ///
    /// A comma inside a quoted string does not separate. Members keep their parameters and their case.
    public func members(_ name: FieldName) -> [FieldValue] { members(name, .escaped) }

    /// The entity tags of all lines with that name (RFC 9110 section 8.8.3): in them a backslash is a character like any other.
    public func entityTags(_ name: FieldName) -> [FieldValue] { members(name, .plain) }

    private func members(_ name: FieldName, _ quoting: ListCursor.Quoting) -> [FieldValue] {
        var members: [FieldValue] = []
        let bytes = bytes.span
        for entry in entries where bytes.holdsFolded(name.text, in: entry.name.range) {
            var list = ListCursor(entry.value.range, quoting)
            while let member = list.next(bytes) {
                members.append(FieldValue(bytes: self.bytes, range: member))
            }
        }
        return members
    }

    /// Whether a line with that name lists the token, compared without regard to case and as a whole member.
    public func lists(_ token: StaticString, in name: FieldName) -> Bool {
        let bytes = bytes.span
        for entry in entries where bytes.holdsFolded(name.text, in: entry.name.range) {
            var list = ListCursor(entry.value.range)
            while let member = list.next(bytes) {
                if bytes.holdsFolded(token, in: member) { return true }
            }
        }
        return false
    }
}
