import Accounts
import HTTPServer
import Runtime
import Testing

@testable import storehouse

@Suite struct `Every setting` {
    /// Another value than the default, within the bounds.
    static func other(than setting: Setting) -> String {
        switch (setting.form, setting.initial) {
        case (.integer(let range), .integer(let initial)):
            String(initial < range.upperBound ? min(initial + 1, range.upperBound) : initial - 1)
        case (.number(let range), .number(let initial)): String(initial == range.lowerBound ? range.upperBound : range.lowerBound)
        case (.flag, .flag(let initial)): String(!initial)
        case (.choice(let choices), _): choices.first { $0 != setting.initial.description } ?? choices[0]
        default: "/other"
        }
    }

    /// Limits as text, member by member, so that a difference shows wherever it is.
    static func text(of limits: Any) -> [String] {
        Mirror(reflecting: limits).children.flatMap { child -> [String] in
            let inner = Mirror(reflecting: child.value)
            let isGroup = inner.displayStyle == .struct && !inner.children.isEmpty
            return isGroup
                ? text(of: child.value).map { "\(child.label ?? "").\($0)" } : ["\(child.label ?? "") = \(child.value)"]
        }
    }

    static func limits(_ options: [(name: String, value: String)]) throws -> Set<String> {
        let configuration = try Configuration(options: options, environment: [:])
        return Set(text(of: configuration.serverLimits) + text(of: configuration.accountLimits))
    }

    static let limiting = Setting.table.filter { setting in
        ["limits.", "accounts.", "effects.", "retention."].contains { setting.key.hasPrefix($0) }
    }

    @Test func `there are limits to be tested`() {
        #expect(Self.limiting.count > 20)
    }

    @Test(arguments: limiting.map(\.key)) func `of a limit reaches it, and it alone`(_ key: String) throws {
        let setting = try #require(Setting.named(key))
        var options = [(name: setting.option, value: Self.other(than: setting))]
        // The one relation between two of them.
        if key == "limits.bodyProgressMilliseconds" { options.append(("--limits-body-milliseconds", "86400000")) }
        let changed = try Self.limits(options).subtracting(Self.limits(Array(options.dropFirst())))
        #expect(changed.count == 1, "\(key) changes \(changed.sorted())")
    }

    @Test(arguments: Setting.table.map(\.key)) func `is read alike from a flag, a variable, a file of its own and the file`(
        _ key: String
    ) throws {
        let setting = try #require(Setting.named(key))
        let value = Self.other(than: setting)
        var companions: [(name: String, value: String)] = []
        if key == "limits.bodyProgressMilliseconds" { companions = [("--limits-body-milliseconds", "86400000")] }
        if key == "identity.requireVerification" { companions = [("--identity-verification-file", "/codes")] }
        if key == "cors.origins" { return }  // what an origin is, is tested with the service
        if Setting.webhookServices.contains(where: { key == "webhooks.\($0)" }) { return }  // what a URL is, with the calls
        let byFlag = try Configuration(options: companions + [(setting.option, value)], environment: [:])
        let byVariable = try Configuration(options: companions, environment: [setting.variable: value])
        #expect(byFlag.text(key) == byVariable.text(key) && byFlag.text(key) != setting.initial.description)
        #expect(!byFlag.isDefault(key))
    }

    @Test func `has names of its own, and a default that it takes`() {
        #expect(Set(Setting.table.map(\.key)).count == Setting.table.count)
        #expect(Set(Setting.table.map(\.variable)).count == Setting.table.count)
        #expect(Set(Setting.table.map(\.option)).count == Setting.table.count)
        let options = Set(Command.all.filter(\.takesSettings).flatMap { $0.options.map(\.name) })
        for setting in Setting.table {
            #expect(setting.value(from: setting.initial.description) == setting.initial, "\(setting.key)")
            #expect(!setting.help.isEmpty && !options.contains(setting.option))
        }
    }

    @Test func `stands in the help of serve`() {
        let help = HelpText.of(.serve)
        for setting in Setting.table { #expect(help.contains(setting.option + " ") && help.contains(setting.variable)) }
    }
}

@Suite struct `Commands` {
    @Test func `each has help of its own, and the whole names each`() throws {
        for command in Command.all {
            #expect(HelpText.whole.contains("  \(command.name) "))
            #expect(HelpText.of(command).contains(command.summary))
            #expect(try ParsedCommandLine([command.name, "--help"]).command.name == "help")
        }
        for code in ThisProcess.ExitCode.allCases { #expect(HelpText.whole.contains("\(code.rawValue) \(code.meaning)")) }
    }

    @Test(arguments: [
        (["srve"], "serve"), (["verfy"], "verify"), (["serve", "--databse", "x"], "--database"), (["verify", "--jsn"], "--json"),
        (["serve", "--limits-body-byte", "1"], "--limits-body-bytes"), (["check-confg"], "check-config"),
        (["effects", "lst"], "effects list"), (["effcts", "drop"], "effects drop"), (["effects"], "effects list"),
    ]) func `what is mistyped gets the nearest name`(_ arguments: [String], _ nearest: String) {
        #expect { try ParsedCommandLine(arguments) } throws: {
            ($0 as? CommandLineFault)?.sentence.contains("did you mean \(nearest)?") == true
        }
    }

    @Test func `all faults are told at once`() {
        let faults = #expect(throws: Configuration.Faults.self) {
            try Configuration(
                options: [("--port", "eighty"), ("--model", "library")],
                environment: ["STOREHOUSE_LOPS": "2", "STOREHOUSE_LOG_LEVEL": "loud"])
        }
        #expect(faults?.sentences.count == 4)
        #expect(faults?.sentences.contains { $0.contains("STOREHOUSE_LOOPS") } == true)
    }
}
