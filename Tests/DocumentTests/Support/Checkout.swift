import Foundation

/// The checkout that these tests were compiled from.
enum Checkout {
    /// The top level.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of the file at `path` from the top level.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Every Swift file that a build of the package compiles, the manifest among them.
    static let swift: [(path: String, text: String)] = {
        let paths = ["Sources", "Tests"].flatMap { folder in
            let below = (try? FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
            return below.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
        }
        return (["Package.swift"] + paths.sorted()).compactMap { path in (try? text(path)).map { (path, $0) } }
    }()
}
