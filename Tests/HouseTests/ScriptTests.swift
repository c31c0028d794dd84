import Foundation
import Testing

@Suite struct `Scripts and data` {
    /// The scripts of the house, by the interpreter their first line names.
    static func scripts(of interpreter: String) -> [Repository.File] {
        Repository.files.filter { $0.firstLine.hasPrefix("#!") && $0.firstLine.hasSuffix(interpreter) }
    }

    /// Runs a program over `input`, and gives its exit status and all that it said.
    static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }

    @Test func `shell scripts parse`() throws {
        let scripts = Self.scripts(of: "bash")
        #expect(scripts.map(\.path).contains("Tests/run"))
        for script in scripts {
            let result = try Self.run(["bash", "-n", script.url.path])
            #expect(result.status == 0, "\(script): \(result.output)")
        }
    }

    @Test func `shell scripts stop at the first failure`() throws {
        for script in Self.scripts(of: "bash") {
            #expect(script.text.contains("\nset -euo pipefail\n"), "\(script) goes on past failures")
        }
    }

    @Test func `Python files parse`() throws {
        let files = Repository.files.filter { $0.path.hasSuffix(".py") }
        let parse = "import ast, sys\nfor path in sys.argv[1:]: ast.parse(open(path, encoding='utf-8').read(), path)"
        let result = try Self.run(["python3", "-c", parse] + files.map { $0.url.path })
        #expect(result.status == 0, "\(result.output)")
    }

    @Test func `what starts with an interpreter line may be executed`() throws {
        for script in Self.scripts(of: "bash") + Self.scripts(of: "python3") {
            let path = script.url.path
            #expect(FileManager.default.isExecutableFile(atPath: path), "\(script) is not executable")
        }
    }

    @Test func `the configuration's JSON files parse`() throws {
        for file in Repository.files where file.path.hasPrefix("config/") && file.path.hasSuffix(".json") {
            #expect(throws: Never.self, "\(file)") { try JSONSerialization.jsonObject(with: Data(file.text.utf8)) }
        }
    }

    @Test func `the README's two commands are there`() throws {
        let readme = try #require(Repository.file("README.md"))
        for command in ["config/run", "Tests/run"] {
            #expect(readme.text.contains(command))
            #expect(FileManager.default.isExecutableFile(atPath: Repository.root.appending(path: command).path))
        }
    }

    @Test func `links in the README lead somewhere`() throws {
        let readme = try #require(Repository.file("README.md"))
        for match in Pattern(#"\]\((?!https?:|#)([^)#\s]+)"#).matches(in: readme.text) {
            let path = Repository.root.appending(path: match.group).path
            #expect(FileManager.default.fileExists(atPath: path), "line \(match.line) links to \(match.group)")
        }
    }
}
