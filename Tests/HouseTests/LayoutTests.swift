import Foundation
import Testing

@Suite struct `Where things are` {
    @Test func `the top level holds what the layout names, and dotfiles`() throws {
        let allowed: Set = ["Package.swift", "Package.resolved", "Sources", "Tests", "Dockerfile", "config", "README.md"]
        let found = try FileManager.default.contentsOfDirectory(atPath: Repository.root.path)
            // A database served from the checkout and what lies beside it are the user's, and ignored by git.
            .filter { !$0.hasPrefix(".") && !$0.contains(".sqlite") }
        #expect(Set(found).subtracting(allowed).sorted() == [])
    }

    @Test func `each folder of Sources is a target, and each target has its folder`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: "Sources").path)
            .filter { !$0.hasPrefix(".") }
        #expect(Set(folders) == Set(try Manifest().targets.map(\.name)))
    }

    @Test func `each folder of Tests is a test target or a known tool's`() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Repository.root.appending(path: "Tests").path)
            .filter { !$0.hasPrefix(".") }
        #expect(Set(folders).subtracting(try Manifest().testTargets).subtracting(["run", "Fuzz", "Load", "Wire"]).sorted() == [])
    }

    @Test func `a file is short enough to be read`() throws {
        for file in try Repository.swiftFiles() {
            #expect(file.lines.count <= 400, "\(file) has \(file.lines.count) lines: one idea each")
        }
    }

    @Test func `no type bears its module's name`() throws {
        for target in try Manifest().targets {
            let declaration = try Regex(#"\b(?:struct|class|enum|actor|protocol|typealias)\s+\#(target.name)\b"#)
            for file in try Repository.sources(of: target.name) {
                for (index, line) in file.lines.enumerated() where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                    #expect(line.firstMatch(of: declaration) == nil, "\(file):\(index + 1) shadows the module \(target.name)")
                }
            }
        }
    }

    @Test func `a module that has begun has no placeholder`() throws {
        for target in try Manifest().targets {
            let files = try Repository.sources(of: target.name)
            #expect(files.count <= 1 || !files.contains { $0.stem == "Placeholder" }, "\(target.name) still has a placeholder")
        }
    }
}
