import JSON

/// A small fast generator of numbers (SplitMix64): the same seed gives the same run, here and in ten years.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Values with everything in them that has ever been hard: all planes, controls, escapes, extreme numbers.
struct ValueGenerator {
    var numbers: SeededNumbers

    init(seed: UInt64) {
        numbers = SeededNumbers(seed: seed)
    }

    private static let texts = [
        "", "a", "A", "é", "e\u{301}", "\u{0}", "\u{1F}", "\"", "\\", "/", "~", "~1", "\u{2028}", "\u{FFFF}", "\u{10FFFF}", "😀",
        "\u{E000}",
        "\u{7F}", "a very long name that is no small string", "0", "-", "01", "\n\r\t\u{8}\u{C}",
    ]

    mutating func text() -> String {
        if Bool.random(using: &numbers) { return Self.texts.randomElement(using: &numbers)! }
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &numbers) {
            let bound: UInt32 = [0x7F, 0x7FF, 0xFFFF, 0x10FFFF].randomElement(using: &numbers)!
            text.append(Unicode.Scalar(UInt32.random(in: 0...bound, using: &numbers)) ?? "?")
        }
        return String(text)
    }

    mutating func value(depth: Int = 4) -> JSONValue {
        let kinds = depth > 0 ? 9 : 7
        switch Int.random(in: 0..<kinds, using: &numbers) {
        case 0: return .null
        case 1: return .bool(.random(using: &numbers))
        case 2: return .integer(.random(in: .min ... .max, using: &numbers))
        case 3: return .integer([.min, .max, 0, -1, 1 << 53 + 1].randomElement(using: &numbers)!)
        case 4: return JSONValue(Double(bitPattern: numbers.next())) ?? .null
        case 5: return JSONValue(UInt64.random(in: .min ... .max, using: &numbers))
        case 6: return .string(text())
        case 7: return .array((0..<Int.random(in: 0...6, using: &numbers)).map { _ in value(depth: depth - 1) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...8, using: &numbers) { object[text()] = value(depth: depth - 1) }
            return .object(object)
        }
    }

    /// A value like another one, with a few places changed.
    mutating func variation(of value: JSONValue) -> JSONValue {
        if Int.random(in: 0..<8, using: &numbers) == 0 { return self.value(depth: 2) }
        switch value {
        case .array(var elements):
            for index in elements.indices { elements[index] = variation(of: elements[index]) }
            if Bool.random(using: &numbers), !elements.isEmpty {
                elements.remove(at: .random(in: elements.indices, using: &numbers))
            }
            if Bool.random(using: &numbers) {
                elements.insert(self.value(depth: 1), at: .random(in: 0...elements.count, using: &numbers))
            }
            return .array(elements)
        case .object(var object):
            for member in object.members {
                object[member.name] = Int.random(in: 0..<6, using: &numbers) == 0 ? nil : variation(of: member.value)
            }
            if Bool.random(using: &numbers) { object[text()] = self.value(depth: 1) }
            return .object(object)
        default: return value
        }
    }

    /// A text of a value with white space and escapes where the grammar lets them stand, and members in any order.
    mutating func spelling(of value: JSONValue) -> String {
        let space = [" ", "", "\n", "\t", "\r\n"].randomElement(using: &numbers)!
        switch value {
        case .array(let elements):
            return "[\(space)" + elements.map { spelling(of: $0) }.joined(separator: "\(space),") + "\(space)]"
        case .object(let object):
            let members = object.members.shuffled(using: &numbers)
            return "{" + members.map { "\(space)\(escaped($0.name))\(space):\(spelling(of: $0.value))" }.joined(separator: ",")
                + "\(space)}"
        case .string(let text): return escaped(text)
        default: return space + value.canonicalText + space
        }
    }

    private mutating func escaped(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar.value >= 0x20, scalar != "\"", scalar != "\\", Bool.random(using: &numbers) {
                quoted.unicodeScalars.append(scalar)
            } else {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: Bool.random(using: &numbers))
                    quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        quoted += "\""
        return quoted
    }
}
