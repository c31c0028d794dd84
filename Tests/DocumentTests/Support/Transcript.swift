import Foundation
import Testing

/// A block of shell commands with what the document says they answer.
///
/// Comment lines right below commands are their answer, `…` in it anything; those at the start of a paragraph are remarks.
struct Transcript {
    /// Some commands, run as one, and their answer; nil where the document shows none.
    struct Step: Equatable {
        var commands: String
        var answer: String?
    }

    let steps: [Step]

    init(_ text: String) {
        var steps: [Step] = []
        var isRemark = true
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.allSatisfy(\.isWhitespace) {
                isRemark = true
            } else if line.hasPrefix("#") {
                guard !isRemark, !steps.isEmpty else { continue }
                let said = line.dropFirst(line.hasPrefix("# ") ? 2 : 1)
                steps[steps.count - 1].answer = steps[steps.count - 1].answer.map { "\($0)\n\(said)" } ?? String(said)
            } else {
                if !isRemark, let last = steps.last, last.answer == nil {
                    steps[steps.count - 1].commands += "\n" + line
                } else {
                    steps.append(Step(commands: String(line), answer: nil))
                }
                isRemark = false
            }
        }
        self.steps = steps
    }

    /// Stands between the answers of two steps.
    static let mark = "\u{1e}"

    /// The commands as a script that says everything on standard output. A stream (`curl -sN`) is cut off after some seconds.
    var script: String {
        """
        curl() {
            case " $* " in
            *" -N "* | *" -sN "*) command curl --max-time 8 "$@" || true ;;
            *) command curl --max-time 30 "$@" ;;
            esac
        }

        """ + steps.map { "{\n\($0.commands)\n} 2>&1\nprintf '\\x1e'\n" }.joined()
    }

    /// Compares what the script said with what the document says it answers.
    func check(_ said: String, in document: Document, at line: Int, _ location: SourceLocation = #_sourceLocation) {
        let answers = said.components(separatedBy: Self.mark)
        #expect(
            answers.count == steps.count + 1, "\(document.path):\(line): the commands end early: \(said)",
            sourceLocation: location)
        for (step, answer) in zip(steps, answers) {
            guard let expected = step.answer else { continue }
            #expect(
                Self.matches(answer, expected),
                "\(document.path):\(line): \(step.commands)\nanswers\n\(answer)\nrather than\n\(expected)",
                sourceLocation: location)
        }
    }

    /// Whether an answer is what the document says, `…` standing for anything; white space at the ends does not count.
    static func matches(_ answer: String, _ expected: String) -> Bool {
        let parts = expected.trimmingCharacters(in: .whitespacesAndNewlines).components(separatedBy: "…")
        var rest = Substring(answer.trimmingCharacters(in: .whitespacesAndNewlines))
        guard rest.hasPrefix(parts[0]) else { return false }
        rest = rest.dropFirst(parts[0].count)
        guard let last = parts.dropFirst().last else { return rest.isEmpty }
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.range(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
