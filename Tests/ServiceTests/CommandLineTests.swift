import Foundation
import Testing

/// The commands as people and scripts meet them.
@ServiceQueue @Suite struct `The command line` {
    static func readable(_ path: String) throws -> String {
        try String(contentsOf: Service.checkout.appending(path: path), encoding: .utf8)
    }

    @Test func `the defaults file is the table's, and is taken as a configuration`() throws {
        let printed = try Service.run(["settings", "--json"])
        #expect(printed.end == .exit(0))
        #expect(
            try Self.readable("config/defaults.json") == printed.said, "replace it by what `storehouse settings --json` prints")
        let checked = try Service.run(["check-config", "--config", "config/defaults.json", "--json"])
        #expect(checked.end == .exit(0), "\(checked.said)")
        let plain = try Value(json: Array(try Service.run(["check-config", "--json"]).said.utf8)).members ?? [:]
        let effective = try Value(json: Array(checked.said.utf8)).members ?? [:]
        #expect(effective.mapValues { $0["value"] } == plain.mapValues { $0["value"] })
        #expect(effective["port"]?["source"]?.string?.contains("config/defaults.json") == true)
    }

    @Test func `the README has the settings as the table has them`() throws {
        let parts = try Self.readable("README.md").components(separatedBy: "<!-- storehouse settings -->\n")
        try #require(parts.count == 3, "the table stands between two marks")
        let printed = try Service.run(["settings"]).said
        #expect(parts[1] == printed, "replace what is between the marks by what `storehouse settings` prints")
    }

    @Test func `a setting may stand in a file of its own`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "level").path
            try Data("warning\n".utf8).write(to: URL(filePath: file))
            func level(_ environment: [String: String]) throws -> (end: Service.End, said: String) {
                try Service.run(["check-config"], environment: environment)
            }
            let read = try level(["STOREHOUSE_LOG_LEVEL_FILE": file])
            #expect(read.end == .exit(0) && read.said.contains("log.level = warning  (STOREHOUSE_LOG_LEVEL_FILE)"))
            let twice = try level(["STOREHOUSE_LOG_LEVEL_FILE": file, "STOREHOUSE_LOG_LEVEL": "error"])
            #expect(twice.end == .exit(78) && twice.said.contains("STOREHOUSE_LOG_LEVEL_FILE"))
            let missing = try level(["STOREHOUSE_LOG_LEVEL_FILE": file + "x", "STOREHOUSE_PORT": "x"])
            #expect(missing.end == .exit(78) && missing.said.contains("level") && missing.said.contains("STOREHOUSE_PORT"))
            try Data("loud secret\n".utf8).write(to: URL(filePath: file))
            let wrong = try level(["STOREHOUSE_LOG_LEVEL_FILE": file])
            #expect(wrong.end == .exit(78) && !wrong.said.contains("secret"), "a fault does not tell what the file holds")
        }
    }

    @Test func `colours are for terminals, unless somebody asks for none`() throws {
        let escape = "\u{1b}["
        #expect(try !Service.run(["help"]).said.contains(escape))
        func onTerminal(_ environment: [String: String]) throws -> String {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/script")
            process.arguments = ["-qec", "\(Service.binary.path) help", "/dev/null"]
            process.environment = ["PATH": "/usr/bin:/bin", "TERM": "xterm"].merging(environment) { $1 }
            let output = Pipe()
            process.standardOutput = output
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let said = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: said, as: UTF8.self)
        }
        #expect(try onTerminal([:]).contains(escape + "1mCommands:"))
        let plain = try onTerminal(["NO_COLOR": "1"])
        #expect(plain.contains("Commands:") && !plain.contains(escape))
    }

    @Test(arguments: ["version", "problems", "settings", "check-config"]) func `what a command prints is there for machines, too`(
        _ command: String
    ) throws {
        let printed = try Service.run([command, "--json"])
        #expect(printed.end == .exit(0))
        #expect(throws: Never.self, "\(printed.said)") { try Value(json: Array(printed.said.utf8)) }
    }

    @Test(
        arguments: [
            (["version"], 0), (["help"], 0), (["verify", "--help"], 0), (["verify", "--database", "/nowhere/at.sqlite"], 1),
            (["frob"], 64), (["backup"], 64), (["serve", "--port", "x"], 78), (["check-config", "--cors-origins", "here"], 78),
        ] as [([String], Int32)]) func `the exit code says how it went`(_ arguments: [String], _ code: Int32) throws
    {
        #expect(try Service.run(arguments).end == .exit(code))
    }
}
