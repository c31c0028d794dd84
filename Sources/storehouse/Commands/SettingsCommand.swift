internal import JSON
internal import Runtime

extension Command {
    static let settings = Command(
        name: "settings", summary: "Print every setting with its default, in Markdown; with --json as a configuration file.",
        options: [("--json", nil, "Print the defaults as a configuration file.")], takesSettings: false
    ) { options in
        ThisProcess.print(options.isOn("--json") ? SettingReference.file : SettingReference.markdown)
    }
}

/// The settings' table as documents show it.
enum SettingReference {
    /// One row a setting.
    static var markdown: String {
        Setting.table.reduce("| setting | default | what it does |\n| --- | --- | --- |\n") { text, setting in
            text + "| `\(setting.key)` | \(defaultText(setting)) | \(setting.help) \(capitalized(setting.form.words)). |\n"
        }
    }

    private static func defaultText(_ setting: Setting) -> String {
        let text = setting.initial.description
        return text.isEmpty ? "none" : "`\(text)`"
    }

    private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

    /// A configuration file that changes nothing: groups nested, in the table's order.
    static var file: String {
        var text = "{"
        var group: [Substring] = []
        var isFirst = true
        for setting in ordered {
            let parts = setting.key.split(separator: ".")
            let wanted = Array(parts.dropLast())
            let shared = zip(group, wanted).prefix { $0 == $1 }.count
            while group.count > shared {
                group.removeLast()
                text += "\n\(indentation(group.count))}"
            }
            for name in wanted[shared...] {
                text += "\(isFirst ? "" : ",")\n\(indentation(group.count))\"\(name)\": {"
                group.append(name)
                isFirst = true
            }
            text += "\(isFirst ? "" : ",")\n\(indentation(group.count))\"\(parts.last ?? "")\": \(json(setting.initial))"
            isFirst = false
        }
        while !group.isEmpty {
            group.removeLast()
            text += "\n\(indentation(group.count))}"
        }
        return text + "\n}\n"
    }

    /// By group, each where its first setting stands, so that no group is opened twice.
    private static var ordered: [Setting] { grouped(Setting.table, depth: 0) }

    private static func grouped(_ settings: [Setting], depth: Int) -> [Setting] {
        var names: [String] = []
        var groups: [String: [Setting]] = [:]
        for setting in settings {
            let parts = setting.key.split(separator: ".")
            let name = parts.prefix(depth + 1).joined(separator: ".")
            if groups[name] == nil { names.append(name) }
            groups[name, default: []].append(setting)
        }
        return names.flatMap { name -> [Setting] in
            let group = groups[name] ?? []
            return group.count == 1 ? group : grouped(group, depth: depth + 1)
        }
    }

    private static func indentation(_ depth: Int) -> String { String(repeating: "  ", count: depth + 1) }

    static func json(_ value: SettingValue) -> String {
        switch value {
        case .text(let text): JSONValue.string(text).canonicalText
        case .integer(let number): String(number)
        case .number(let number): number == number.rounded() ? String(Int64(number)) : String(number)
        case .flag(let flag): String(flag)
        }
    }
}
