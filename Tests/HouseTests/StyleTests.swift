import Foundation
import Testing

/// What the compiler and the formatter do not catch.
@Suite struct `What no source says` {
    /// A thing to be written only with a reason, and the files that have one.
    struct Exception {
        let name: String
        let pattern: Regex<Substring>
        /// From the file's path to why it is needed there.
        let reasons: [String: String]
    }

    static var exceptions: [Exception] {
        [
            Exception(name: "@unchecked Sendable", pattern: /@unchecked Sendable/, reasons: [:]),
            Exception(name: "nonisolated(unsafe)", pattern: /nonisolated\(unsafe\)/, reasons: [:]),
            Exception(name: "@preconcurrency", pattern: /@preconcurrency/, reasons: [:]),
            Exception(name: "try!", pattern: /\btry!/, reasons: [:]),
            Exception(name: "as!", pattern: /\bas!\s/, reasons: [:]),
            Exception(name: "a note to self", pattern: /\b(?:TODO|FIXME|XXX)\b/, reasons: [:]),
            Exception(name: "a platform ladder", pattern: /#(?:else)?if (?:os|canImport)\(/, reasons: [:]),
            Exception(name: "print to standard output", pattern: /^\s*(?:Swift\.)?print\(/, reasons: [:]),
        ]
    }

    /// The line without what follows a `//` outside a string, near enough for these patterns; notes to self are looked for in all of it.
    static func code(_ line: Substring) -> Substring {
        line.drop(while: { $0 == " " }).hasPrefix("//") ? "" : line
    }

    @Test(arguments: exceptions.indices) func `what needs a reason has one`(_ index: Int) throws {
        let exception = Self.exceptions[index]
        var used: Set<String> = []
        for file in try Repository.files(in: "Sources", where: { $0.hasSuffix(".swift") }) {
            for (number, line) in file.lines.enumerated() {
                let text = exception.name == "a note to self" ? line : Self.code(line)
                guard text.firstMatch(of: exception.pattern) != nil else { continue }
                used.insert(file.path)
                #expect(
                    exception.reasons[file.path] != nil, "\(file):\(number + 1) has \(exception.name) without a listed reason")
            }
        }
        #expect(
            Set(exception.reasons.keys).subtracting(used).sorted() == [],
            "reasons for \(exception.name) that nothing needs any more")
    }

    @Test func `tests neither sleep nor draw unseeded numbers`() throws {
        let sleeping = /\b(?:Task\.sleep|Thread\.sleep|usleep|nanosleep|sleep)\(/
        let drawing = /\.random(?:Element)?\((?![^)]*using:)|\.shuffled\(\)|SystemRandomNumberGenerator/
        // Temporary names may be random: no outcome depends on them. This file quotes the patterns.
        for file in try Repository.files(in: "Tests", where: { $0.hasSuffix(".swift") })
        where !file.path.hasSuffix("StyleTests.swift") {
            for (number, line) in file.lines.enumerated() {
                let code = Self.code(line)
                #expect(code.firstMatch(of: sleeping) == nil, "\(file):\(number + 1) sleeps")
                #expect(code.firstMatch(of: drawing) == nil, "\(file):\(number + 1) draws an unseeded number")
            }
        }
    }
}
