/// Walks the members of a comma-separated list (RFC 9110 section 5.6.1); empty members are skipped, white space trimmed.
///
/// Where members may be quoted, a comma inside the quotes does not separate; a string that never ends reaches to the end of the value.
struct ListCursor {
    /// How a list's members may be quoted.
    enum Quoting {
        /// Tokens only, as in Connection: a quote is a character like any other.
        case none
        /// Between quotes, with no escapes: entity tags (RFC 9110 section 8.8.3).
        case plain
        /// Quoted strings, in which a backslash takes the next character's meaning (section 5.6.4).
        case escaped
    }

    private let quoting: Quoting
    private var position: Int
    private let end: Int

    init(_ range: Range<Int>, _ quoting: Quoting = .escaped) {
        self.quoting = quoting
        position = range.lowerBound
        end = range.upperBound
    }

    /// The range of the next member that is not empty, or nil at the end.
    mutating func next(_ bytes: Span<UInt8>) -> Range<Int>? {
        while position < end {
            let start = position
            var quoted = false
            while position < end {
                let byte = bytes[position]
                if quoted {
                    if byte == ByteName.backslash, quoting == .escaped {
                        position += 1
                    } else if byte == ByteName.quote {
                        quoted = false
                    }
                } else if byte == ByteName.quote, quoting != .none {
                    quoted = true
                } else if byte == ByteName.comma {
                    break
                }
                position += 1
            }
            // A backslash may have been the last byte.
            position = min(position, end)
            let member = bytes.trimmed(start..<position)
            position += 1
            if !member.isEmpty { return member }
        }
        return nil
    }
}
