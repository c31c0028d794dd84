import Foundation
import Testing

/// A Markdown file of the house, with the code in it.
struct Document: Sendable, CustomTestStringConvertible {
    /// Code between two fences.
    struct Block: Sendable {
        /// What stands behind the opening fence: `swift`, `sh`; empty for a drawing.
        let language: String
        let text: String
        /// Of the opening fence, from 1.
        let line: Int
        /// The last heading above it.
        let section: String
    }

    let path: String
    let text: String
    let blocks: [Block]
    /// What stands between backticks in the prose.
    let quoted: [String]

    var testDescription: String { path }

    static let readme = document("README.md")
    static let catalog = "Sources/Redux/Redux.docc"
    static let firstModel = document("\(catalog)/YourFirstModel.md")
    static let all = [readme] + articles

    /// The catalog's articles.
    static let articles: [Document] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Checkout.root.appending(path: catalog).path)) ?? []
        return names.filter { $0.hasSuffix(".md") }.sorted().map { document("\(catalog)/\($0)") }
    }()

    private static func document(_ path: String) -> Document {
        Document(path: path, text: (try? Checkout.text(path)) ?? "")
    }

    init(path: String, text: String) {
        self.path = path
        self.text = text
        var blocks: [Block] = []
        var prose = ""
        var section = ""
        var open: (language: String, line: Int, lines: [Substring])?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("```") {
                if let block = open {
                    blocks.append(
                        Block(
                            language: block.language, text: block.lines.joined(separator: "\n"), line: block.line,
                            section: section))
                    open = nil
                } else {
                    open = (String(line.dropFirst(3)), index + 1, [])
                }
            } else if open != nil {
                open?.lines.append(line)
            } else {
                if line.hasPrefix("#") { section = String(line.drop { $0 == "#" }).trimmingCharacters(in: .whitespaces) }
                prose += line + "\n"
            }
        }
        self.blocks = blocks
        // Between single backticks only: DocC's links stand between two.
        quoted = prose.replacing("``", with: "").split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// The blocks in a language, optionally those of one section.
    func blocks(_ language: String, in section: String? = nil) -> [Block] {
        blocks.filter { $0.language == language && (section == nil || $0.section == section) }
    }
}
