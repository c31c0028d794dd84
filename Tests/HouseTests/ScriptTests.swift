import Foundation
import Testing

@Suite struct `Scripts and data` {
    /// The scripts of the house, by the interpreter their first line names.
    static func scripts(of interpreter: String) throws -> [Repository.File] {
        try [".ci", "config", "Tests"].flatMap { try Repository.files(in: $0) { _ in true } }
            .filter { $0.lines.first.map { $0.hasPrefix("#!") && $0.hasSuffix(interpreter) } ?? false }
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
        let scripts = try Self.scripts(of: "bash")
        #expect(scripts.map(\.path).contains("Tests/run"))
        for script in scripts {
            let result = try Self.run(["bash", "-n", Repository.root.appending(path: script.path).path])
            #expect(result.status == 0, "\(script): \(result.output)")
        }
    }

    @Test func `shell scripts stop at the first failure`() throws {
        for script in try Self.scripts(of: "bash") {
            #expect(script.lines.contains("set -euo pipefail"), "\(script) goes on past failures")
        }
    }

    @Test func `Python files parse`() throws {
        let files = try Repository.files(in: "Tests") { $0.hasSuffix(".py") }
        let parse = "import ast, sys\nfor path in sys.argv[1:]: ast.parse(open(path, encoding='utf-8').read(), path)"
        let result = try Self.run(["python3", "-c", parse] + files.map { Repository.root.appending(path: $0.path).path })
        #expect(result.status == 0, "\(result.output)")
    }

    @Test func `what starts with an interpreter line may be executed`() throws {
        for script in try Self.scripts(of: "bash") + Self.scripts(of: "python3") {
            let path = Repository.root.appending(path: script.path).path
            #expect(FileManager.default.isExecutableFile(atPath: path), "\(script) is not executable")
        }
    }

    @Test func `the configuration's JSON files parse`() throws {
        for file in try Repository.files(in: "config", where: { $0.hasSuffix(".json") }) {
            let bytes = Data(file.lines.joined(separator: "\n").utf8)
            #expect(throws: Never.self, "\(file)") { try JSONSerialization.jsonObject(with: bytes) }
        }
    }

    @Test func `the README's two commands are there`() throws {
        let readme = try #require(try Repository.file("README.md"))
        for command in ["config/run", "Tests/run"] {
            #expect(readme.lines.contains { $0.contains(command) })
            #expect(FileManager.default.isExecutableFile(atPath: Repository.root.appending(path: command).path))
        }
    }

    @Test func `links in the README lead somewhere`() throws {
        let readme = try #require(try Repository.file("README.md"))
        for line in readme.lines {
            for match in line.matches(of: /\]\((?!https?:|#)([^)#\s]+)/) {
                let path = String(match.output.1)
                #expect(
                    FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path), "README links to \(path)")
            }
        }
    }
}
