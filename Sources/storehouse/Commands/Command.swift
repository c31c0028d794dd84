internal import Runtime

/// What the program can be asked to do.
struct Command: Sendable {
    let name: String
    let summary: String
    /// Options it takes beside the settings: name and help.
    let options: [(name: String, value: String?, help: String)]
    let takesSettings: Bool
    /// What stands on the command line without a name, in order; one in brackets may be left out.
    var operands: [String] = []
    let run: @Sendable (_ options: Options) -> Void

    /// The options given, in order.
    struct Options: Sendable {
        let given: [(name: String, value: String)]

        func last(_ name: String) -> String? { given.last { $0.name == name }?.value }
        func has(_ name: String) -> Bool { given.contains { $0.name == name } }
        /// Whether a flag was given, and last with `true`.
        func isOn(_ name: String) -> Bool { last(name) == "true" }
    }

    static let all: [Command] = [
        .serve, .checkConfig, .verify, .migrate, .backup, .restore, .exportAccounts, .importAccounts, .replay, .effectsList,
        .effectsRetry, .effectsDrop, .problems, .settings,
        .version, .help,
    ]

    static let help = Command(
        name: "help", summary: "Describe the commands and settings.", options: [], takesSettings: false
    ) { _ in
        ThisProcess.print(HelpText.whole)
    }

    static let version = Command(
        name: "version", summary: "Print the version.", options: [("--json", nil, "Print one JSON object.")], takesSettings: false
    ) { options in
        ThisProcess.print(options.isOn("--json") ? "{\"version\":\"\(Version.text)\"}\n" : "storehouse \(Version.text)\n")
    }

    static let checkConfig = Command(
        name: "check-config", summary: "Print the effective settings and where each comes from; exit 78 where one is wrong.",
        options: [("--json", nil, "Print one JSON object.")], takesSettings: true
    ) { options in
        let configuration = Configuration.orExit(options)
        ThisProcess.print((options.isOn("--json") ? configuration.json : configuration.listing) + "\n")
    }
}

/// The version, raised with each release.
enum Version {
    static let text = "0.1.0"
}

extension Configuration {
    /// The effective configuration; says what is wrong with it and ends the process where something is.
    static func orExit(_ options: Command.Options) -> Configuration {
        do throws(Faults) {
            return try Configuration(options: options.given, environment: ThisProcess.environment)
        } catch {
            ThisProcess.complain(error.sentences)
            ThisProcess.exit(.configuration)
        }
    }
}
