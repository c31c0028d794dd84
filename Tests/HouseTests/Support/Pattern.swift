import Foundation

/// A regular expression over whole files, with `^` and `$` at line ends.
///
/// Foundation's engine: Swift's own takes minutes for the sources of a house in a debug build.
struct Pattern: Sendable {
    /// One place where a pattern holds.
    struct Match {
        /// From 1.
        let line: Int
        /// The whole line.
        let text: String
        /// What the first group matched; empty where the pattern has none.
        let group: String

        var isComment: Bool { text.drop { $0 == " " }.hasPrefix("//") }
    }

    private let expression: NSRegularExpression

    init(_ pattern: String) {
        do {
            expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
        } catch {
            preconditionFailure("\(pattern): \(error)")
        }
    }

    /// Every match in `text`, in order.
    func matches(in text: String) -> [Match] {
        let whole = text as NSString
        return expression.matches(in: text, range: NSRange(location: 0, length: whole.length)).map { result in
            let lineRange = whole.lineRange(for: NSRange(location: result.range.location, length: 0))
            let before = whole.substring(to: lineRange.location)
            let group = result.numberOfRanges > 1 ? result.range(at: 1) : NSRange(location: NSNotFound, length: 0)
            return Match(
                line: before.utf8.count { $0 == UInt8(ascii: "\n") } + 1,
                text: whole.substring(with: lineRange).trimmingCharacters(in: .newlines),
                group: group.location == NSNotFound ? "" : whole.substring(with: group))
        }
    }
}
