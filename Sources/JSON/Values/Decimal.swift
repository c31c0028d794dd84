/// A decimal number in parts, between its text and its value: `0.DIGITS × 10^point`, without leading or trailing zeros.
struct Decimal {
    var isNegative = false
    /// ASCII digits, the first and the last not zero; empty for zero.
    var digits: [UInt8] = []
    /// Where the decimal point stands, counted from the first digit.
    var point = 0

    /// Beyond these no `Double` is finite or not zero; exponents are clamped far outside so that sums cannot overflow.
    private static let pointMax = 309
    private static let pointMin = -324
    private static let exponentClamp = 1_000_000_000

    /// Reads a number whose grammar has been checked (RFC 8259, 6), `bytes[range]`.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        var index = range.lowerBound
        var seenPoint = false
        scan: while index < range.upperBound {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "-"):
                isNegative = true
            case UInt8(ascii: "."):
                seenPoint = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"):
                break scan
            default:
                if !digits.isEmpty || byte != UInt8(ascii: "0") {
                    digits.append(byte)
                    if !seenPoint { point += 1 }
                } else if seenPoint {
                    point -= 1
                }
            }
            index += 1
        }
        point += Self.exponent(bytes, index..<range.upperBound)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        if digits.isEmpty { self = Decimal() }
    }

    /// Reads a number that this program wrote, such as a `Double`'s description.
    init(asciiText text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span, 0..<bytes.count)
    }

    private init() {}

    private static func exponent(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var exponent = 0
        var isNegative = false
        for index in range {
            switch bytes[index] {
            case UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"): break
            case UInt8(ascii: "-"): isNegative = true
            case let digit: exponent = min(exponent * 10 + Int(digit - UInt8(ascii: "0")), exponentClamp)
            }
        }
        return isNegative ? -exponent : exponent
    }

    /// The number as an integer; nil where it has a fraction or does not fit.
    func integer<Integer: FixedWidthInteger>(_: Integer.Type) -> Integer? {
        guard point >= digits.count, point <= 40 else { return digits.isEmpty ? 0 : nil }
        var result: Integer = 0
        for index in 0..<point {
            let digit = index < digits.count ? Integer(digits[index] - UInt8(ascii: "0")) : 0
            let (scaled, overflow) = result.multipliedReportingOverflow(by: 10)
            // Towards the sign's own side, so that the smallest integer fits too.
            let (sum, carry) = isNegative ? scaled.subtractingReportingOverflow(digit) : scaled.addingReportingOverflow(digit)
            if overflow || carry { return nil }
            result = sum
        }
        return result
    }

    /// Is there a finite `Double` near it that is not zero? Zero itself fits.
    var fitsDouble: Bool {
        if digits.isEmpty { return true }
        guard point <= Self.pointMax, point >= Self.pointMin else { return false }
        if point > -300, point < 300 { return true }
        guard let nearest = Double(text) else { return false }
        return nearest.isFinite && nearest != 0
    }

    /// The value: the integer where it is one within `Int64`.
    var value: JSONValue {
        if let integer = integer(Int64.self) { return .integer(integer) }
        return .number(JSONNumber(canonical: text))
    }

    /// The canonical text: plain digits from 1e-6 up to 21 digits before the point, else `d.ddde±x` (ECMAScript's rule).
    var text: String {
        var out: [UInt8] = []
        out.reserveCapacity(digits.count + 8)
        if isNegative { out.append(UInt8(ascii: "-")) }
        let zero = UInt8(ascii: "0")
        if digits.isEmpty {
            out.append(zero)
        } else if digits.count <= point, point <= 21 {
            out += digits
            out += repeatElement(zero, count: point - digits.count)
        } else if 0 < point, point <= 21 {
            out += digits[..<point]
            out.append(UInt8(ascii: "."))
            out += digits[point...]
        } else if -6 < point, point <= 0 {
            out += [zero, UInt8(ascii: ".")]
            out += repeatElement(zero, count: -point)
            out += digits
        } else {
            out.append(digits[0])
            if digits.count > 1 {
                out.append(UInt8(ascii: "."))
                out += digits[1...]
            }
            out += [UInt8(ascii: "e"), point > 0 ? UInt8(ascii: "+") : UInt8(ascii: "-")]
            out += String((point - 1).magnitude).utf8
        }
        return String(decoding: out, as: UTF8.self)
    }
}
