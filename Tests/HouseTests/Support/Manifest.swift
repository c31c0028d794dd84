/// The targets as `Package.swift` declares them: the manifest is the architecture page, so the tests read it rather than a copy.
enum Manifest {
    /// One target of `Sources`.
    struct Target {
        let name: String
        let dependencies: [String]

        /// The target's Swift files.
        var sources: [Repository.File] { Repository.swift(in: "Sources/\(name)") }
    }

    /// The targets of `Sources`, in the order of the manifest.
    static let targets: [Target] = {
        let systemLibraries = Pattern(#"\.systemLibrary\(\s*name:\s*("\w+")"#).matches(in: text)
        let rooms = Pattern(#"\broom\(\s*((?:"\w+"[,\s]*)+)(?:embedding:[^)]*\)\]\s*)?\)"#).matches(in: text)
        let executables = Pattern(#"\.executableTarget\(\s*name:\s*("\w+",\s*dependencies:\s*\[[^\]]*)\]"#).matches(in: text)
        return (systemLibraries + rooms + executables).sorted { $0.line < $1.line }.map { match in
            let names = Pattern(#""(\w+)""#).matches(in: match.group).map(\.group)
            return Target(name: names[0], dependencies: Array(names.dropFirst()))
        }
    }()

    /// The names of the test targets.
    static let testTargets = Pattern(#"\btests\(\s*"(\w+)""#).matches(in: text).map(\.group)

    private static let text = Repository.file("Package.swift")?.text ?? ""
}
