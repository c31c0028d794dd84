import Foundation
import Testing

@testable import HTTP

@Suite struct `The date of an answer` {
    private func text(_ seconds: Int64) -> String { String(decoding: HTTPDate(secondsSince1970: seconds).bytes, as: UTF8.self) }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
        (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (4_102_444_800, "Fri, 01 Jan 2100 00:00:00 GMT"),
        (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ]) func `a moment as IMF-fixdate`(_ seconds: Int64, _ expected: String) {
        #expect(text(seconds) == expected)
    }

    @Test func `it agrees with the calendar over four centuries`() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        // A step of some weeks that meets every time of day.
        for seconds in stride(from: Int64(0), to: 12_622_780_800, by: 3_141_593 * 7) {
            #expect(text(seconds) == formatter.string(from: Date(timeIntervalSince1970: Double(seconds))))
        }
    }

    @Test func `a moment that the format cannot write is a programmer's error`() async {
        await #expect(processExitsWith: .failure) { _ = HTTPDate(secondsSince1970: 253_402_300_800) }
    }
}
