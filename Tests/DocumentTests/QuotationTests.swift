import Foundation
import Testing

/// Code in a document is a quotation of code that is compiled.
@Suite struct `Quoted code` {
    /// A text's lines without what stands at their beginnings and ends, so that a quotation may be moved to the left.
    static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && !$0.hasPrefix("///") }
    }

    static let sources: [(path: String, lines: [String])] = Checkout.swift.map { ($0.path, lines($0.text)) }

    /// Whether these lines stand in `whole`, one after the other; a line `…` leaves some out.
    static func isQuoted(_ quotation: [String], from whole: [String]) -> Bool {
        var start = 0
        for part in quotation.split(separator: "…") {
            let found = (start...).prefix { $0 + part.count <= whole.count }
                .first { whole[$0..<($0 + part.count)].elementsEqual(part) }
            guard let found else { return false }
            start = found + part.count
        }
        return true
    }

    @Test(arguments: Document.all) func `is in a file that is compiled`(_ document: Document) {
        for block in document.blocks("swift") {
            let quotation = Self.lines(block.text)
            #expect(
                !quotation.isEmpty && Self.sources.contains { Self.isQuoted(quotation, from: $0.lines) },
                "\(document.path):\(block.line) is not compiled as it stands")
        }
    }

    @Test(arguments: Document.all) func `is Swift, commands that are run, or a drawing`(_ document: Document) {
        for block in document.blocks {
            #expect(
                ["swift", "sh", ""].contains(block.language),
                "\(document.path):\(block.line): nothing tests \(block.language)")
            let isRun = [Document.readme.path, Document.firstModel.path].contains(document.path)
            #expect(block.language != "sh" || isRun, "\(document.path):\(block.line): no test runs this")
        }
    }

    @Test func `of the first model is the whole of it, in the README as in the guide`() throws {
        let model = Self.lines(try Checkout.text("Tests/DocumentTests/Model/ToDoModel.swift"))
        #expect(Document.readme.blocks("swift").contains { Self.lines($0.text) == model })
        let pieces = Document.firstModel.blocks("swift").map { Self.lines($0.text) }
        for line in model where line.count > 1 {
            #expect(pieces.contains { $0.contains(line) }, "the guide leaves out: \(line)")
        }
    }

    @Test func `leaves out what it says it leaves out, and no more`() {
        let whole = ["a {", "b", "c", "}"]
        #expect(Self.isQuoted(["b", "c"], from: whole))
        #expect(Self.isQuoted(["a {", "…", "}"], from: whole))
        #expect(!Self.isQuoted(["a {", "c"], from: whole))
        #expect(!Self.isQuoted(["c", "…", "b"], from: whole))
        #expect(!Self.isQuoted(["d"], from: whole))
    }

    @Test(arguments: [
        ("{\"a\":1}\n", "{\"a\":1}", true), ("{\"a\":1}", "{\"a\":…}", true), ("{\"a\":1}", "{\"a\":2}", false),
        ("{\"a\":1}", "{\"a\":1", false), ("x 1 y 2 z", "x … y … z", true), ("x 1 y 2", "x … y … z", false),
        ("ab", "ab…b", false),
    ])
    func `answers are compared to the letter, but for what is left out`(_ answer: String, _ expected: String, _ isSame: Bool) {
        #expect(Transcript.matches(answer, expected) == isSame)
    }

    @Test func `commands are told from remarks and answers`() {
        let transcript = Transcript(
            """
            BASE=x
            # what stands here is an answer

            # A remark
            # on two lines.
            curl -d '[
              1]' $BASE
            # {"a":1}
            # b
            echo
            """)
        let steps = transcript.steps
        #expect(steps.map(\.commands) == ["BASE=x", "curl -d '[\n  1]' $BASE", "echo"])
        #expect(steps.map(\.answer) == ["what stands here is an answer", "{\"a\":1}\nb", nil])
    }
}
