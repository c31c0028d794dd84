import Foundation

/// The checkout that these tests were compiled from, read as files.
enum Repository {
    /// The top level.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// One text file, with its path from the top level.
    struct File: CustomStringConvertible {
        let path: String
        let text: String
        /// The modules it imports, where it is Swift.
        let imports: [String]

        init(path: String, text: String) {
            self.path = path
            self.text = text
            imports = path.hasSuffix(".swift") ? Repository.imports(of: text) : []
        }

        var lineCount: Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }
        var firstLine: Substring { text.prefix { $0 != "\n" } }
        /// The file's name without folders and extension.
        var stem: String { String(path.split(separator: "/").last?.split(separator: ".").first ?? "") }
        var url: URL { root.appending(path: path) }
        var description: String { path }
    }

    private static let importLine = Pattern(
        #"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"#
            + #"(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(\w+)"#)

    /// The modules that a Swift file's import lines name.
    static func imports(of text: String) -> [String] {
        importLine.matches(in: text).map(\.group)
    }

    /// Every text file of the folders that people write, sorted by path; build products and hidden folders are passed over.
    static let files: [File] = [".ci", "config", "Sources", "Tests"].flatMap { folder in
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
        return
            paths
            .filter { path in !path.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__pycache__" } }
            .sorted().compactMap { file("\(folder)/\($0)") }
    }

    /// The file at `path` from the top level; nil where there is none, or no text.
    static func file(_ path: String) -> File? {
        let url = root.appending(path: path)
        guard (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true,
            let data = try? Data(contentsOf: url), let text = String(data: data, encoding: .utf8)
        else { return nil }
        return File(path: path, text: text)
    }

    /// The Swift files below a folder.
    static func swift(in folder: String) -> [File] {
        files.filter { $0.path.hasPrefix("\(folder)/") && $0.path.hasSuffix(".swift") }
    }
}
