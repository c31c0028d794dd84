/// One thing that can be set: in the configuration file, in the environment, as a flag. The table is the reference.
struct Setting: Sendable {
    /// What values it takes.
    enum Form: Sendable {
        case text
        case path
        case integer(ClosedRange<Int64>)
        case number(ClosedRange<Double>)
        case flag
        case choice([String])

        /// For help and faults.
        var words: String {
            switch self {
            case .text: "text"
            case .path: "a path"
            case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
            case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
            case .flag: "true or false"
            case .choice(let choices): choices.joined(separator: " or ")
            }
        }
    }

    /// The name: groups are dotted (`shop.guests`), nested in the file.
    let key: String
    let form: Form
    let initial: SettingValue
    let help: String

    init(_ key: String, _ form: Form, _ initial: SettingValue, _ help: String) {
        self.key = key
        self.form = form
        self.initial = initial
        self.help = help
    }

    /// `STOREHOUSE_SHOP_GUESTS`, and a word's inner capitals begin a new part: `failureRate` is `FAILURE_RATE`.
    var variable: String { "STOREHOUSE_" + spelled(with: "_").uppercased() }

    /// `--shop-guests`.
    var option: String { "--" + spelled(with: "-") }

    private func spelled(with separator: String) -> String {
        var text = ""
        for character in key {
            if character == "." {
                text += separator
            } else if character.isUppercase {
                text += separator + character.lowercased()
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// Reads a value from a flag or a variable; nil where it is not of the form.
    func value(from text: String) -> SettingValue? {
        switch form {
        // Where nothing is the default, nothing may be said, too.
        case .text, .path: return text.isEmpty && initial != .text("") ? nil : .text(text)
        case .integer(let range): return Int64(text).flatMap { range.contains($0) ? .integer($0) : nil }
        case .number(let range): return Double(text).flatMap { range.contains($0) ? .number($0) : nil }
        case .flag: return text == "true" || text == "1" ? .flag(true) : text == "false" || text == "0" ? .flag(false) : nil
        case .choice(let choices): return choices.contains(text) ? .text(text) : nil
        }
    }
}

/// The value of a setting.
enum SettingValue: Hashable, Sendable, CustomStringConvertible {
    case text(String)
    case integer(Int64)
    case number(Double)
    case flag(Bool)

    var description: String {
        switch self {
        case .text(let text): text
        case .integer(let number): String(number)
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        }
    }
}
