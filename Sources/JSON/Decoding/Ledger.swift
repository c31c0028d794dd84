/// Which members of one object a type has asked for, so that the others can be refused.
///
/// One per value, shared by all containers and decoders of that value: a superclass, a wrapper and the wrapped type may each ask for
/// a part. Containers and decoders that live on after they were made (`nestedContainer`, `superDecoder`) hang below the one they came from.
final class Ledger {
    /// The names that were asked for, known or not, in the order of asking.
    private var asked: [String] = []
    /// Which of the object's members were asked for, by index.
    private var found: [Bool] = []
    private var foundCount = 0
    /// Not an object to the type: it took the value as a whole.
    private var isWhole = false
    private var later: [ValueDecoder] = []

    /// Records that a name was asked for in an object of `count` members, and the index of its member if there is one.
    func ask(_ name: String, _ index: Int?, of count: Int) {
        asked.append(name)
        guard let index else { return }
        if found.isEmpty { found = [Bool](repeating: false, count: count) }
        if !found[index] {
            found[index] = true
            foundCount += 1
        }
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
        if case .object(let object) = value, !isWhole, foundCount < object.count {
            for (index, member) in object.members.enumerated() where found.isEmpty || !found[index] {
                throw Place.member(member.name, of: Place.Link(place)).error(.unknownMember, detail(on: member.name))
            }
        }
        for decoder in later { try decoder.refuseUnknownMembers() }
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
        for name in names.sorted(by: { byteOrder($0, $1) < 0 }) where unique.last.map({ !sameBytes($0, name) }) ?? true {
            unique.append(name)
        }
        let shown = unique.prefix(12).map { "\"\($0)\"" }.joined(separator: ", ")
        return unique.count > 12 ? "\(shown) and \(unique.count - 12) more" : shown
    }
}

/// The word a person most likely meant.
public enum Nearest {
    /// Longer words are not compared: the work grows with the product of the lengths.
    public static let wordBytesMax = 64

    /// The nearest of some names by edit distance, where one is near: at most a third of its length (and at least one edit) away.
    public static func name(to word: String, among names: [String]) -> String? {
        var best: (name: String, distance: Int)?
        for name in names {
            let bound = max(1, max(name.utf8.count, word.utf8.count) / 3)
            guard let distance = distance(word, name), distance <= bound else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (name, distance) }
        }
        return best?.name
    }

    private static func lowercased(_ word: String) -> [UInt8] {
        word.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Insertions, deletions, replacements and swaps of neighbours (Damerau, restricted), ASCII letters without regard to case; nil for words too long.
    public static func distance(_ word: String, _ other: String) -> Int? {
        let (left, right) = (lowercased(word), lowercased(other))
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
