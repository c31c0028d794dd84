internal import Runtime

/// The texts of `--help`, made from the tables of commands and settings.
enum HelpText {
    static var whole: String {
        var text =
            "storehouse: Redux on the server. One durable store per account, over HTTP.\n\nUsage: storehouse [COMMAND] [OPTIONS]\n\n\(Paint.heading("Commands:"))\n"
        for command in Command.all { text += "  \(pad(command.name, 14))\(command.summary)\n" }
        text += "\nWithout a command, serve.\n\n" + settings
        text += "\nEach command describes itself: storehouse COMMAND --help\n"
        text += "Exit codes: \(ThisProcess.ExitCode.allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ")).\n"
        return text
    }

    static func of(_ command: Command) -> String {
        var text =
            "storehouse \(command.name): \(command.summary)\n\nUsage: storehouse \(([command.name] + command.operands).joined(separator: " ")) [OPTIONS]\n"
        if !command.options.isEmpty {
            text += "\n\(Paint.heading("Options:"))\n"
            for option in command.options {
                text += "  \(pad(option.name + (option.value.map { " " + $0 } ?? ""), 26))\(option.help)\n"
            }
        }
        return command.takesSettings ? text + "\n" + settings : text
    }

    private static var settings: String {
        var text =
            Paint.heading("Settings")
            + " (flags over environment over the file named by --config or STOREHOUSE_CONFIG over defaults):\n"
        for setting in Setting.table {
            text += "  \(pad(setting.option, 26))\(setting.help) \(setting.form.words); default \(setting.initial).\n"
            text += "  \(pad("", 26))\(setting.variable)\n"
        }
        return text
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text.count >= width ? text + " " : text + String(repeating: " ", count: width - text.count)
    }
}
