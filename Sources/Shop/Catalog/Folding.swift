/// Folds text for comparing it without regard to case and diacritics, by what the standard library knows about each scalar.
///
/// Upper-casing before lower-casing joins what differs only in form (ß is SS, ſ is S, ς is Σ). A combining mark is dropped; a letter
/// whose Unicode name says that it is another one WITH something becomes that other one, which covers Latin, Greek and Cyrillic with
/// composed letters and strokes alike. The few that are named otherwise are listed.
enum Folding {
    /// The folded text.
    static func fold(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar.value < 0x80 {
                folded.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
                continue
            }
            for upper in scalar.properties.uppercaseMapping.unicodeScalars {
                for lower in upper.properties.lowercaseMapping.unicodeScalars { append(lower, to: &folded) }
            }
        }
        return String(folded)
    }

    /// The folded words of a text, parted by white space and NUL.
    static func words(of text: String) -> [Substring.UTF8View] {
        fold(text).unicodeScalars.split { $0.properties.isWhitespace || $0.value == 0 }.map { Substring($0).utf8 }
    }

    private static func append(_ scalar: Unicode.Scalar, to folded: inout String.UnicodeScalarView) {
        if let listed = exceptions[scalar] {
            folded.append(contentsOf: listed.unicodeScalars)
        } else if isMark(scalar) {
            return
        } else if scalar.value < 0x80 {
            folded.append(scalar)
        } else {
            folded.append(base(of: scalar) ?? scalar)
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .nonspacingMark
    }

    /// The letter that this one is with something added; nil where its name does not say so.
    private static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar? {
        guard let name = scalar.properties.name, let end = indexOfWith(name) else { return nil }
        return letters[String(name[..<end])]
    }

    /// Where ` WITH ` begins in a name.
    private static func indexOfWith(_ name: String) -> String.Index? {
        let mark = Array(" WITH ".utf8)
        let bytes = Array(name.utf8)
        guard bytes.count >= mark.count else { return nil }
        for start in 0...(bytes.count - mark.count) where bytes[start..<(start + mark.count)].elementsEqual(mark) {
            return name.utf8.index(name.startIndex, offsetBy: start)
        }
        return nil
    }

    /// The plain small letters of Latin, Greek and Cyrillic by name.
    private static let letters: [String: Unicode.Scalar] = {
        var letters: [String: Unicode.Scalar] = [:]
        let blocks: [ClosedRange<UInt32>] = [0x61...0x7a, 0x3b1...0x3c9, 0x430...0x45f]
        for value in blocks.joined() {
            guard let scalar = Unicode.Scalar(value), let name = scalar.properties.name, indexOfWith(name) == nil else {
                continue
            }
            letters[name] = scalar
        }
        return letters
    }()

    /// Ligatures, and accented letters whose names do not say so.
    private static let exceptions: [Unicode.Scalar: String] = [
        "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ĳ": "ij", "ŋ": "n",
        "й": "и", "ё": "е", "ї": "і", "ў": "у", "ѓ": "г", "ќ": "к",
        "’": "'", "‘": "'", "“": "\"", "”": "\"",
    ]
}
