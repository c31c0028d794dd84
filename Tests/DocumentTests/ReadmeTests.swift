import Foundation
import Testing

/// What the README says can be typed: run, and compared with what it says comes of it.
@Suite(.serialized, .timeLimit(.minutes(3))) struct `The README` {
    /// Starting the house and testing it: both are scripts, which `Tests/run` itself runs.
    static let buildingSection = "Storehouse"

    @Test func `has a block of commands in each place that says how something is done`() throws {
        let sections = Document.readme.blocks("sh").map(\.section)
        let point = "Five lines that show the point"
        #expect(sections == [Self.buildingSection, point, point, "Running it"])
        let first = try #require(Document.readme.blocks("sh", in: point).first)
        #expect(Transcript(first.text).steps.compactMap(\.answer).count == 5)
    }

    @Test func `shows commands that answer what it says`() async throws {
        // Each block goes on from those above it, in the same shell.
        let blocks = Document.readme.blocks("sh").filter { $0.section != Self.buildingSection }
        let transcript = Transcript(blocks.map(\.text).joined(separator: "\n\n"))
        let (status, said) = try await Shell.run(Shell.serving + Shell.onPort(transcript.script))
        #expect(status == 0)
        transcript.check(said, in: .readme, at: try #require(blocks.first).line)
    }

    @Test func `names the commands, flags and settings that there are`() async throws {
        let overview = try await Shell.run("storehouse help 2>&1").said
        let commands = Set(overview.matches(of: /(?m)^[ ]{2}([a-z]+(?:[ -][a-z]+)*)[ ]/).map { String($0.output.1) })
        let each = commands.sorted().map { "storehouse \($0) --help 2>&1" }.joined(separator: "\n")
        let flags = Set((overview + (try await Shell.run(each).said)).matches(of: /--[a-z][a-z-]*/).map { String($0.output) })
        let table = try await Shell.run("storehouse settings 2>&1").said
        let settings = Set(table.matches(of: /(?m)^\| `([a-zA-Z.]+)`/).map { String($0.output.1) })
        try #require(commands.contains("verify") && flags.contains("--port") && settings.contains("shop.guests"))
        for quoted in Document.readme.quoted {
            if let command = quoted.firstMatch(of: /^storehouse ([a-z-]+)/)?.output.1 {
                #expect(commands.contains { $0 == command || $0.hasPrefix(command + " ") }, "`\(quoted)`")
            }
            // Others' flags: `sqlite3 -readonly` has one dash, and scripts say theirs themselves.
            for flag in quoted.matches(of: /(?:^|\s)(--[a-z][a-z-]*)/) where !quoted.hasPrefix("Tests/") {
                #expect(flags.contains(String(flag.output.1)), "`\(quoted)`")
            }
            let groups = Set(settings.filter { $0.contains(".") }.map { $0.prefix { $0 != "." } })
            if let key = quoted.wholeMatch(of: /([a-z]+)(\.[a-zA-Z]+)+/), groups.contains(key.output.1) {
                #expect(settings.contains(quoted) || settings.contains { $0.hasPrefix(quoted + ".") }, "`\(quoted)`")
            }
        }
    }

    @Test func `names the routes that there are, and all of them`() async throws {
        let (_, said) = try await Shell.run(Shell.serving + "curl -s http://127.0.0.1:$PORT/openapi.json")
        let document = try #require(try JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        func plain(_ path: some StringProtocol) -> String {
            path.split(separator: "/").map { $0.hasPrefix("{") || $0.allSatisfy(\.isUppercase) ? "*" : String($0) }.joined(
                separator: "/")
        }
        let served = Set(
            paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(plain(path))" } }
                .filter { !$0.hasPrefix("PARAMETERS") })
        let named = Set(
            Document.readme.quoted.compactMap { quoted -> String? in
                guard let route = quoted.wholeMatch(of: /(GET|POST|DELETE) (\/[^ ?]*)(\?.*)?/) else { return nil }
                return "\(route.output.1) \(plain(route.output.2))"
            })
        #expect(named.subtracting(served).sorted() == [], "named, but not served")
        #expect(served.subtracting(named).sorted() == [], "served, but not named")
    }
}
