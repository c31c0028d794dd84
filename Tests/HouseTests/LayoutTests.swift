import Foundation
import Testing

@Suite struct `Where things are` {
    static func entries(of folder: String) throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: folder).path)
        return Set(names.filter { !$0.hasPrefix(".") })
    }

    @Test func `the top level holds what the layout names, and dotfiles`() throws {
        let allowed: Set = ["Package.swift", "Package.resolved", "Sources", "Tests", "Dockerfile", "config", "README.md"]
        // A database served from the checkout and what lies beside it are the user's, and ignored by git.
        let found = try Self.entries(of: "").filter { !$0.contains(".sqlite") }
        #expect(found.subtracting(allowed).sorted() == [])
    }

    @Test func `each folder of Sources is a target, and each target has its folder`() throws {
        #expect(try Self.entries(of: "Sources") == Set(Manifest.targets.map(\.name)))
    }

    @Test func `each folder of Tests is a test target or a known tool's`() throws {
        let others = try Self.entries(of: "Tests").subtracting(Manifest.testTargets)
        #expect(others.subtracting(["run", "Browser", "Contract", "Fuzz", "Golden", "Load", "Races", "Wire"]).sorted() == [])
    }

    @Test func `a file is short enough to be read`() {
        for file in Repository.swift(in: "Sources") + Repository.swift(in: "Tests") {
            #expect(file.lineCount <= 400, "\(file) has \(file.lineCount) lines: one idea each")
        }
    }

    @Test func `no type bears its module's name`() {
        for target in Manifest.targets {
            let declaration = Pattern(#"\b(?:struct|class|enum|actor|protocol|typealias)\s+\#(target.name)\b"#)
            for file in target.sources {
                for match in declaration.matches(in: file.text) where !match.isComment {
                    Issue.record("\(file):\(match.line) shadows the module \(target.name)")
                }
            }
        }
    }

    @Test func `no placeholder is left`() {
        #expect(Repository.files.filter { $0.stem == "Placeholder" }.map(\.path) == [])
    }
}
