/// Finds products by parts of words: for each distinct folded word of the catalog, the products it occurs in.
///
/// A word of a query is looked for in the distinct words, which are far fewer than the words of the texts, and lies never across
/// two of them because neither side has white space or NUL in it. So the answer is exactly that of looking through every text.
struct SearchIndex: Sendable {
    /// The bytes of all distinct words, each followed by 0, which no word of a query can match across.
    private let text: [UInt8]
    /// Where each word begins in `text`, and the end.
    private let starts: [Int]
    /// The positions of the products that have the word, ascending.
    private let positions: [[Int32]]
    /// How many products there are.
    private let productCount: Int

    /// Indexes the texts of each product.
    init(texts: [[String]]) {
        var vocabulary = Vocabulary()
        for (position, fields) in texts.enumerated() {
            for field in fields { vocabulary.note(field, at: Int32(position)) }
        }
        let sorted = vocabulary.words.sorted { $0.key < $1.key }
        var text: [UInt8] = []
        var starts: [Int] = []
        for (word, _) in sorted {
            starts.append(text.count)
            text.append(contentsOf: word.utf8)
            text.append(0)
        }
        starts.append(text.count)
        self.text = text
        self.starts = starts
        positions = sorted.map { vocabulary.positions[$0.value] }
        productCount = texts.count
    }

    /// The products that have every word of the query in some word of theirs; nil where the query has no words.
    func matches(_ query: String) -> PositionSet? {
        let words = Folding.words(of: query)
        guard !words.isEmpty else { return nil }
        var result: PositionSet?
        for word in words {
            var found = PositionSet(count: productCount)
            collect(Array(word), into: &found)
            if result == nil { result = found } else { result?.formIntersection(found) }
        }
        return result
    }

    /// Adds the products of each distinct word that has `part` in it.
    private func collect(_ part: [UInt8], into found: inout PositionSet) {
        guard let first = part.first, text.count >= part.count else { return }
        var word = 0
        var offset = 0
        let last = text.count - part.count
        while offset <= last {
            if text[offset] == first, matches(part, at: offset) {
                while starts[word + 1] <= offset { word += 1 }
                for position in positions[word] { found.insert(Int(position)) }
                offset = starts[word + 1]
            } else {
                offset += 1
            }
        }
    }

    private func matches(_ part: [UInt8], at offset: Int) -> Bool {
        for index in 1..<max(part.count, 1) where text[offset + index] != part[index] { return false }
        return true
    }
}

/// The distinct folded words of a catalog while it is being indexed.
///
/// A text is cut at ASCII white space first, and each distinct piece is folded and cut at the rest of Unicode's only once: folding is
/// slow, and most pieces repeat.
private struct Vocabulary {
    /// The number of each folded word.
    var words: [String: Int] = [:]
    /// By word number: the positions of the products that have it, ascending.
    var positions: [[Int32]] = []
    /// By piece, as it is written: the numbers of its words.
    private var pieces: [String: [Int]] = [:]

    /// Notes the words of a text. Positions are noted in ascending order.
    mutating func note(_ text: String, at position: Int32) {
        let bytes = Array(text.utf8)
        var start = 0
        for end in 0...bytes.count where end == bytes.count || isBreak(bytes[end]) {
            if end > start { note(piece: String(decoding: bytes[start..<end], as: UTF8.self), at: position) }
            start = end + 1
        }
    }

    /// Whether a byte is NUL or white space; no byte of a longer scalar is.
    private func isBreak(_ byte: UInt8) -> Bool {
        byte == 0x20 || 0x09...0x0d ~= byte || byte == 0
    }

    private mutating func note(piece: String, at position: Int32) {
        let numbers: [Int]
        if let known = pieces[piece] {
            numbers = known
        } else {
            numbers = Folding.words(of: piece).map { number(of: String(Substring($0))) }
            pieces[piece] = numbers
        }
        for number in numbers where positions[number].last != position { positions[number].append(position) }
    }

    private mutating func number(of word: String) -> Int {
        if let number = words[word] { return number }
        words[word] = positions.count
        positions.append([])
        return positions.count - 1
    }
}

/// A set of positions of products, one bit each.
struct PositionSet: Sendable {
    private var words: [UInt64]

    /// No positions, of `count` possible ones.
    init(count: Int) {
        words = Array(repeating: 0, count: (count + 63) / 64)
    }

    /// Whether a position is in the set.
    func contains(_ position: Int) -> Bool {
        words[position >> 6] >> UInt64(position & 63) & 1 == 1
    }

    /// Puts a position into the set.
    mutating func insert(_ position: Int) {
        words[position >> 6] |= 1 << UInt64(position & 63)
    }

    /// Keeps the positions that are also in the other set.
    mutating func formIntersection(_ other: PositionSet) {
        for index in words.indices { words[index] &= other.words[index] }
    }
}
