import Foundation
import Testing

@Suite struct `The documents` {
    @Test func `have the table of problem types as the code has it`() throws {
        let printed = try Service.run(["problems"])
        #expect(printed.end == .exit(0))
        #expect(printed.said.contains("| `/problems/email-taken` | 409 |"))
        let readme = try String(contentsOf: Service.checkout.appending(path: "README.md"), encoding: .utf8)
        let parts = readme.components(separatedBy: "<!-- storehouse problems -->\n")
        try #require(parts.count == 3, "the table stands between two marks")
        #expect(parts[1] == printed.said, "replace what is between the marks by what `storehouse problems` prints")
    }
}
