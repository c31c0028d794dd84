/// How much a log line matters.
public enum LogLevel: UInt8, Sendable, Comparable, CaseIterable {
    case debug, info, warning, error

    /// In lower case, as lines show it and settings spell it.
    public var name: String {
        switch self {
        case .debug: "debug"
        case .info: "info"
        case .warning: "warning"
        case .error: "error"
        }
    }

    /// The level of that name.
    public init?(name: String) {
        guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
        self = level
    }

    /// By weight, `debug` being the least.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}

/// The value of a log line's field.
public enum LogValue: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    case text(String)
    case number(Int64)
    case flag(Bool)

    /// A literal is `text`.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A literal is `number`.
    public init(integerLiteral value: Int64) { self = .number(value) }
    /// A literal is `flag`.
    public init(booleanLiteral value: Bool) { self = .flag(value) }

    /// An integer of any kind; beyond 64 signed bits it stops at the bound.
    public static func count(_ value: some BinaryInteger) -> LogValue { .number(Int64(clamping: value)) }
}

/// How log lines are written.
public enum LogForm: Sendable {
    /// One JSON object a line: `at` (RFC 3339, milliseconds, UTC), `level`, `message`, then the fields.
    case json
    /// For people: time, level, message, `name=value`.
    case text
}

/// Encodes one line; an enum without cases, only a place for functions.
enum LogLine {
    static func append(
        to line: inout [UInt8], _ form: LogForm, at milliseconds: Int64, _ level: LogLevel, _ message: String,
        _ fields: [(key: String, value: LogValue)]
    ) {
        switch form {
        case .json:
            line += "{\"at\":\"".utf8
            appendTime(milliseconds, to: &line)
            line += "\",\"level\":\"".utf8
            line += level.name.utf8
            line += "\",\"message\":".utf8
            appendQuoted(message, to: &line)
            for (name, value) in fields {
                line.append(UInt8(ascii: ","))
                appendQuoted(name, to: &line)
                line.append(UInt8(ascii: ":"))
                append(value, to: &line, quoting: true)
            }
            line += "}\n".utf8
        case .text:
            appendTime(milliseconds, to: &line)
            line += " \(level.name) ".utf8
            appendPlain(message, to: &line)
            for (name, value) in fields {
                line += " \(name)=".utf8
                append(value, to: &line, quoting: false)
            }
            line.append(UInt8(ascii: "\n"))
        }
    }

    private static func append(_ value: LogValue, to line: inout [UInt8], quoting: Bool) {
        switch value {
        case .text(let text): quoting ? appendQuoted(text, to: &line) : appendPlain(text, to: &line)
        case .number(let number): line += String(number).utf8
        case .flag(let flag): line += (flag ? "true" : "false").utf8
        }
    }

    /// A JSON string (RFC 8259, section 7).
    static func appendQuoted(_ text: String, to line: inout [UInt8]) {
        line.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                line.append(UInt8(ascii: "\\"))
                line.append(byte)
            case 0..<0x20, 0x7F: appendEscape(byte, to: &line)
            default: line.append(byte)
            }
        }
        line.append(UInt8(ascii: "\""))
    }

    /// Text as it is, but for control characters: nobody can forge a line by a line break in a value.
    private static func appendPlain(_ text: String, to line: inout [UInt8]) {
        for byte in text.utf8 {
            if byte < 0x20 || byte == 0x7F { appendEscape(byte, to: &line) } else { line.append(byte) }
        }
    }

    private static func appendEscape(_ byte: UInt8, to line: inout [UInt8]) {
        let digits = Array("0123456789abcdef".utf8)
        line += "\\u00".utf8
        line.append(digits[Int(byte >> 4)])
        line.append(digits[Int(byte & 15)])
    }

    /// RFC 3339 in UTC with milliseconds. Days to a civil date by eras of 400 years, valid for every Int64 that a clock may show.
    static func appendTime(_ milliseconds: Int64, to line: inout [UInt8]) {
        let (day, inDay) = floorDivision(milliseconds, 86_400_000)
        let shifted = day + 719_468  // days from 0000-03-01, so that the leap day ends a year
        let (era, dayOfEra) = floorDivision(shifted, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        appendDigits(year, 4, to: &line)
        line.append(UInt8(ascii: "-"))
        appendDigits(month, 2, to: &line)
        line.append(UInt8(ascii: "-"))
        appendDigits(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1, 2, to: &line)
        line.append(UInt8(ascii: "T"))
        appendDigits(inDay / 3_600_000, 2, to: &line)
        line.append(UInt8(ascii: ":"))
        appendDigits(inDay / 60_000 % 60, 2, to: &line)
        line.append(UInt8(ascii: ":"))
        appendDigits(inDay / 1000 % 60, 2, to: &line)
        line.append(UInt8(ascii: "."))
        appendDigits(inDay % 1000, 3, to: &line)
        line.append(UInt8(ascii: "Z"))
    }

    private static func floorDivision(_ dividend: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func appendDigits(_ value: Int64, _ width: Int, to line: inout [UInt8]) {
        let digits = String(value)
        for _ in 0..<max(0, width - digits.utf8.count) { line.append(UInt8(ascii: "0")) }
        line += digits.utf8
    }
}
