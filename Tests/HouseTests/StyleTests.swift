import Testing

/// What the compiler and the formatter do not catch.
@Suite struct `What no source says` {
    /// A thing to be written only with a reason.
    struct Exception: Sendable, CustomTestStringConvertible {
        let name: String
        let pattern: String
        /// Whether it counts in comments, too.
        var inComments = false
        /// From a file's path to why it is needed there.
        var reasons: [String: String] = [:]

        var testDescription: String { name }
    }

    static let exceptions = [
        Exception(name: "@unchecked Sendable", pattern: #"@unchecked Sendable"#),
        Exception(name: "nonisolated(unsafe)", pattern: #"nonisolated\(unsafe\)"#),
        Exception(name: "@preconcurrency", pattern: #"@preconcurrency"#),
        Exception(name: "try!", pattern: #"\btry!"#),
        Exception(name: "as!", pattern: #"\bas!\s"#),
        Exception(name: "a note to self", pattern: #"\b(?:TODO|FIXME|XXX)\b"#, inComments: true),
        Exception(name: "a platform ladder", pattern: #"#(?:else)?if (?:os|canImport)\("#),
        Exception(name: "print to standard output", pattern: #"^\s*(?:Swift\.)?print\("#),
    ]

    @Test(arguments: exceptions) func `what needs a reason has one`(_ exception: Exception) {
        let pattern = Pattern(exception.pattern)
        var used: Set<String> = []
        for file in Repository.swift(in: "Sources") {
            for match in pattern.matches(in: file.text) where exception.inComments || !match.isComment {
                used.insert(file.path)
                if exception.reasons[file.path] == nil {
                    Issue.record("\(file):\(match.line) has \(exception.name) without a listed reason")
                }
            }
        }
        #expect(Set(exception.reasons.keys).subtracting(used).sorted() == [], "reasons that nothing needs any more")
    }

    @Test func `tests neither sleep nor draw unseeded numbers`() {
        let sleeping = Pattern(#"\b(?:Task\.sleep|Thread\.sleep|usleep|nanosleep|sleep)\("#)
        let drawing = Pattern(#"\.random(?:Element)?\((?!.*using:)|\.shuffled\(\)|SystemRandomNumberGenerator"#)
        // This file quotes the patterns.
        for file in Repository.swift(in: "Tests") where file.stem != "StyleTests" {
            for match in sleeping.matches(in: file.text) where !match.isComment { Issue.record("\(file):\(match.line) sleeps") }
            for match in drawing.matches(in: file.text) where !match.isComment {
                Issue.record("\(file):\(match.line) draws an unseeded number")
            }
        }
    }
}
