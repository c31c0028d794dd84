import Foundation

/// The checkout that these tests were compiled from, read as files.
enum Repository {
    /// The top level.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// One text file, with its path from the top level.
    struct File: CustomStringConvertible {
        let path: String
        let lines: [Substring]

        var description: String { path }

        /// The file's name without folders and extension.
        var stem: String { String(path.split(separator: "/").last?.split(separator: ".").first ?? "") }
    }

    /// Every file below `folder` for which `isWanted` holds of the path, sorted; build products and hidden folders are passed over.
    static func files(in folder: String, where isWanted: (String) -> Bool) throws -> [File] {
        let base = root.appending(path: folder)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: base.path)
            .filter { path in !path.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__pycache__" } }
            .map { "\(folder)/\($0)" }
            .filter(isWanted)
            .sorted()
        return try paths.compactMap(file)
    }

    /// The file at `path` from the top level; nil where it is a folder or no text.
    static func file(_ path: String) throws -> File? {
        let url = root.appending(path: path)
        guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true,
            let text = String(data: try Data(contentsOf: url), encoding: .utf8)
        else { return nil }
        return File(path: path, lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }

    /// The Swift files of one module.
    static func sources(of module: String) throws -> [File] {
        try files(in: "Sources/\(module)") { $0.hasSuffix(".swift") }
    }

    /// Every Swift file of the package, tests included.
    static func swiftFiles() throws -> [File] {
        try files(in: "Sources") { $0.hasSuffix(".swift") } + files(in: "Tests") { $0.hasSuffix(".swift") }
    }
}
