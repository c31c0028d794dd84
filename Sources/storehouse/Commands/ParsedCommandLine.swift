internal import Accounts
internal import Runtime

/// The command line was not understood (exit 64).
struct CommandLineFault: Error {
    let sentence: String
}

/// A command and its options: `--name value`, `--name=value`, and flags that stand alone.
struct ParsedCommandLine {
    let command: Command
    let options: Command.Options

    init(_ arguments: [String]) throws(CommandLineFault) {
        var arguments = arguments[...]
        var command = Command.serve
        let words = arguments.prefix { !$0.hasPrefix("-") }
        if !words.isEmpty {
            // A name of two words before one of one.
            guard
                let (named, count) = [2, 1].lazy.compactMap({ count in
                    Command.all.first { $0.name == words.prefix(count).joined(separator: " ") }.map { ($0, count) }
                }).first
            else {
                let given = words.prefix(2).joined(separator: " ")
                let names = Command.all.map(\.name)
                let nearest =
                    (nearestNames(to: given, among: names) + nearestNames(to: words[0], among: names)).first
                    ?? names.first { $0.hasPrefix(words[0] + " ") }
                throw CommandLineFault(
                    sentence: "there is no command \"\(words[0])\"" + (nearest.map { "; did you mean \($0)?" } ?? ""))
            }
            command = named
            arguments = arguments.dropFirst(min(count, words.count))
        }
        if arguments.contains("--help") || arguments.contains("-h") {
            let isWhole = arguments.startIndex == 0
            let described = command
            self.command = Command(name: "help", summary: "", options: [], takesSettings: false) { _ in
                ThisProcess.print(isWhole ? HelpText.whole : HelpText.of(described))
            }
            options = Command.Options(given: [])
            return
        }
        if arguments.first == "--version" {
            self.command = .version
            options = Command.Options(given: [])
            return
        }
        self.command = command
        options = Command.Options(given: try Self.options(Array(arguments), of: command))
    }

    private static func options(_ arguments: [String], of command: Command) throws(CommandLineFault) -> [(
        name: String, value: String
    )] {
        var given: [(name: String, value: String)] = []
        var operands = command.operands[...]
        var index = 0
        while index < arguments.count {
            let argument = arguments[index]
            index += 1
            guard argument.hasPrefix("--") else {
                guard let operand = operands.popFirst() else {
                    throw CommandLineFault(sentence: "\"\(argument)\" is not an option; options are of the form --name value")
                }
                given.append((operand, argument))
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0])
            let isFlag = try isFlag(name, of: command)
            if parts.count == 2 {
                given.append((name, String(parts[1])))
            } else if isFlag {
                // A flag may be followed by its value.
                if index < arguments.count, arguments[index] == "true" || arguments[index] == "false" {
                    given.append((name, arguments[index]))
                    index += 1
                } else {
                    given.append((name, "true"))
                }
            } else if index < arguments.count {
                given.append((name, arguments[index]))
                index += 1
            } else {
                throw CommandLineFault(sentence: "\(name) wants a value")
            }
        }
        if let missing = operands.first(where: { !$0.hasPrefix("[") }) {
            throw CommandLineFault(sentence: "\(command.name) wants \(missing)")
        }
        return given
    }

    /// Whether an option stands alone; throws where the command does not take it.
    private static func isFlag(_ name: String, of command: Command) throws(CommandLineFault) -> Bool {
        if let own = command.options.first(where: { $0.name == name }) { return own.value == nil }
        if command.takesSettings {
            if name == "--config" { return false }
            if let setting = Setting.table.first(where: { $0.option == name }) {
                if case .flag = setting.form { return true }
                return false
            }
        }
        let known = command.options.map(\.name) + (command.takesSettings ? ["--config"] + Setting.table.map(\.option) : [])
        let nearest = nearestNames(to: name, among: known).first
        throw CommandLineFault(
            sentence: "\(command.name) has no option \(name)" + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }
}
