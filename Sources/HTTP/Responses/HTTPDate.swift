/// A moment as `IMF-fixdate` (RFC 9110 section 5.6.7), `Sun, 06 Nov 1994 08:49:37 GMT`: made once a second, then copied.
public struct HTTPDate: Sendable, Equatable {
    /// The 29 ASCII bytes.
    public let bytes: [UInt8]

    /// The date of a moment in whole seconds since 1970-01-01T00:00:00Z; it must lie in the years 1 to 9999.
    public init(secondsSince1970 seconds: Int64) {
        precondition(seconds >= -62_135_596_800 && seconds <= 253_402_300_799, "a moment outside the years 1 to 9999")
        let days = Int((seconds >= 0 ? seconds : seconds - 86_399) / 86_400)
        let second = Int(seconds) - days * 86_400
        let (year, month, day) = HTTPDate.civil(daysSince1970: days)
        // 1970-01-01 was a Thursday; the names start with Sunday. The offset keeps the remainder positive.
        let weekday = (days + 4 + 7 * 110_000) % 7
        var text: [UInt8] = []
        text.reserveCapacity(29)
        text.append(contentsOf: HTTPDate.weekdays[weekday].utf8)
        text.append(contentsOf: ", ".utf8)
        HTTPDate.append(day, digits: 2, to: &text)
        text.append(ByteName.space)
        text.append(contentsOf: HTTPDate.months[month - 1].utf8)
        text.append(ByteName.space)
        HTTPDate.append(year, digits: 4, to: &text)
        text.append(ByteName.space)
        HTTPDate.append(second / 3_600, digits: 2, to: &text)
        text.append(ByteName.colon)
        HTTPDate.append(second / 60 % 60, digits: 2, to: &text)
        text.append(ByteName.colon)
        HTTPDate.append(second % 60, digits: 2, to: &text)
        text.append(contentsOf: " GMT".utf8)
        bytes = text
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The Gregorian date of a day counted from 1970-01-01, by eras of 400 years that start on a first of March.
    private static func civil(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = daysSince1970 + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    private static func append(_ value: Int, digits: Int, to text: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            text.append(ByteName.zero + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }
}
