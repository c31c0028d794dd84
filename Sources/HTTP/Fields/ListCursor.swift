/// Walks the members of a comma-separated list (RFC 9110 section 5.6.1); empty members are skipped, white space trimmed.
///
/// A comma inside a quoted string does not separate; a string that never ends reaches to the end of the value.
struct ListCursor {
    private var position: Int
    private let end: Int

    init(_ range: Range<Int>) {
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
                    if byte == ByteName.backslash {
                        position += 1
                    } else if byte == ByteName.quote {
                        quoted = false
                    }
                } else if byte == ByteName.quote {
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
