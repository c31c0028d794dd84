/// Retry-After (RFC 9110, 10.2.3): when a service wants to be called again, as seconds or as a date.
public enum RetryAfter {
    /// The longest wait that is understood, in seconds; a longer one counts as this.
    public static let secondsMax: Int64 = 86_400

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Milliseconds to wait; nil where the field is missing or is not understood. A date that has passed is no wait.
    ///
    /// - Parameter now: seconds since 1970.
    public static func milliseconds(_ text: String?, now: Int64) -> Int64? {
        guard let text else { return nil }
        if let seconds = Int64(text) { return seconds >= 0 ? min(seconds, secondsMax) * 1000 : nil }
        return instant(text).map { min(max(0, $0 - now), secondsMax) * 1000 }
    }

    /// The seconds since 1970 of an IMF-fixdate (`Sun, 06 Nov 1994 08:49:37 GMT`), the only form that is still sent.
    private static func instant(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[0].count == 4, parts[0].hasSuffix(","), parts[5] == "GMT",
            let day = Int64(parts[1]), 1...31 ~= day, let month = months.firstIndex(of: String(parts[2])),
            let year = Int64(parts[3]), 1970...9999 ~= year
        else { return nil }
        let time = parts[4].split(separator: ":", omittingEmptySubsequences: false).map { Int64($0) ?? -1 }
        guard time.count == 3, 0...23 ~= time[0], 0...59 ~= time[1], 0...60 ~= time[2] else { return nil }
        return days(year, Int64(month + 1), day) * 86_400 + time[0] * 3600 + time[1] * 60 + time[2]
    }

    /// Days since 1970 in the Gregorian calendar, counted in years that begin in March, so that a leap day is a year's last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
