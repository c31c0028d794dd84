internal import Runtime

/// Colours for people: only where a terminal shows them and nobody has asked for none (no-color.org).
enum Paint {
    /// Bold, on standard output.
    static func heading(_ text: String) -> String {
        isOn(ThisProcess.standardOutputIsTerminal) ? "\u{1b}[1m\(text)\u{1b}[0m" : text
    }

    /// Red, on standard error.
    static func fault(_ text: String) -> String {
        isOn(ThisProcess.standardErrorIsTerminal) ? "\u{1b}[31m\(text)\u{1b}[0m" : text
    }

    /// Set to anything but nothing, NO_COLOR switches colours off.
    private static func isOn(_ isTerminal: Bool) -> Bool {
        isTerminal && (ThisProcess.environment["NO_COLOR"] ?? "").isEmpty && ThisProcess.environment["TERM"] != "dumb"
    }
}

extension ThisProcess {
    /// Says what is wrong, a sentence each, under the program's name.
    static func complain(_ sentences: [String]) {
        let name = Paint.fault("storehouse:")
        for sentence in sentences { say("\(name) \(sentence)") }
    }
}
