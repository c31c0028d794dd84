import Foundation

/// The targets as `Package.swift` declares them: the manifest is the architecture page, so the tests read it rather than a copy.
struct Manifest {
    /// One target of `Sources`.
    struct Target {
        let name: String
        let dependencies: [String]
    }

    /// The targets of `Sources`, in the order of the manifest.
    let targets: [Target]
    /// The names of the test targets.
    let testTargets: [String]

    /// Reads the manifest's calls of `room`, `tests`, `.systemLibrary` and `.executableTarget`.
    init() throws {
        guard let file = try Repository.file("Package.swift") else { throw CocoaError(.fileNoSuchFile) }
        let text = file.lines.map { line in line.split(separator: "//", maxSplits: 1).first.map(String.init) ?? "" }
            .joined(separator: "\n")

        var found: [(offset: String.Index, target: Target)] = []
        for match in text.matches(of: /\broom\(\s*((?:"\w+"[,\s]*)+)\)/) {
            let names = Self.names(in: match.output.1)
            found.append((match.range.lowerBound, Target(name: names[0], dependencies: Array(names.dropFirst()))))
        }
        for match in text.matches(of: /\.systemLibrary\(\s*name:\s*"(\w+)"/) {
            found.append((match.range.lowerBound, Target(name: String(match.output.1), dependencies: [])))
        }
        for match in text.matches(of: /\.executableTarget\(\s*name:\s*"(\w+)",\s*dependencies:\s*\[([^\]]*)\]/) {
            let target = Target(name: String(match.output.1), dependencies: Self.names(in: match.output.2))
            found.append((match.range.lowerBound, target))
        }
        targets = found.sorted { $0.offset < $1.offset }.map(\.target)
        testTargets = text.matches(of: /\btests\(\s*"(\w+)"/).map { String($0.output.1) }
    }

    private static func names(in list: Substring) -> [String] {
        list.matches(of: /"(\w+)"/).map { String($0.output.1) }
    }
}
