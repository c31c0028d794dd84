/// Which members of one object a type has asked for, so that the others can be refused.
///
/// One per value, shared by all containers and decoders of that value: a superclass, a wrapper and the wrapped type may each ask for
/// a part. Containers and decoders that live on after they were made (`nestedContainer`, `superDecoder`) hang below the one they came from.
final class Ledger {
    /// The names of members, known or not, that were asked for.
    private var asked: [String] = []
    /// Not an object to the type: it took the value as a whole.
    private var isWhole = false
    private var later: [ValueDecoder] = []

    func ask(_ name: String) {
        asked.append(name)
    }

    func takeWhole() {
        isWhole = true
    }

    /// Remembers a decoder whose unknown members are to be looked for at the end.
    func add(_ decoder: ValueDecoder) {
        later.append(decoder)
    }

    /// Throws for the first member of `value` (in canonical order) that nobody asked for.
    func refuseUnknownMembers(of value: JSONValue, at place: Place) throws {
        if case .object(let object) = value, !isWhole, !object.isEmpty {
            asked.sort { byteOrder($0, $1) < 0 }
            for member in object.members where !isAsked(member.name) {
                throw Place.member(member.name, of: place).error(.unknownMember, detail(on: member.name))
            }
        }
        for decoder in later { try decoder.refuseUnknownMembers() }
    }

    private func isAsked(_ name: String) -> Bool {
        var low = 0
        var high = asked.count
        while low < high {
            let middle = (low + high) / 2
            let order = byteOrder(asked[middle], name)
            if order == 0 { return true }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return false
    }

    private func detail(on name: String) -> String {
        let shown = Self.shortened(name)
        guard !asked.isEmpty else { return "The member \"\(shown)\" is unknown: there are no members here." }
        guard let nearest = Nearest.name(to: name, among: asked) else {
            return "The member \"\(shown)\" is unknown; known are \(Self.listed(asked))."
        }
        return "The member \"\(shown)\" is unknown; did you mean \"\(nearest)\"?"
    }

    private static func shortened(_ name: String) -> String {
        name.count <= 40 ? name : "\(name.prefix(40))…"
    }

    private static func listed(_ names: [String]) -> String {
        var unique: [String] = []
        for name in names where unique.last.map({ !sameBytes($0, name) }) ?? true { unique.append(name) }
        let shown = unique.prefix(12).map { "\"\($0)\"" }.joined(separator: ", ")
        return unique.count > 12 ? "\(shown) and \(unique.count - 12) more" : shown
    }
}

/// The word a person most likely meant.
package enum Nearest {
    /// Longer words are not compared: the work grows with the product of the lengths.
    private static let wordBytesMax = 64

    /// The nearest of some names by edit distance, where one is near: at most a third of its length (and at least one edit) away.
    package static func name(to word: String, among names: [String]) -> String? {
        var best: (name: String, distance: Int)?
        for name in names {
            let bound = max(1, max(name.utf8.count, word.utf8.count) / 3)
            guard let distance = distance(lowercased(word), lowercased(name)), distance <= bound else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (name, distance) }
        }
        return best?.name
    }

    private static func lowercased(_ word: String) -> [UInt8] {
        word.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Insertions, deletions, replacements and swaps of neighbours (Damerau, restricted); nil for words too long.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int? {
        guard left.count <= wordBytesMax, right.count <= wordBytesMax else { return nil }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, byte) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(last[column] + (byte == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
