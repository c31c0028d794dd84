internal import Accounts
internal import JSON
internal import Runtime

/// Reads the settings: flags over environment over file over defaults. Collects every fault before it gives up.
struct ConfigurationReader {
    /// What is wrong, a sentence each.
    private(set) var faults: [String] = []
    private(set) var values: [String: SettingValue] = [:]
    /// Where a value comes from, for `check-config`.
    private(set) var sources: [String: String] = [:]

    init() {
        for setting in Setting.table {
            values[setting.key] = setting.initial
            sources[setting.key] = "default"
        }
    }

    private mutating func set(_ setting: Setting, _ value: SettingValue?, given: String, source: String) {
        guard let value else {
            faults.append("\(source): \"\(given)\" is not \(setting.form.words)")
            return
        }
        values[setting.key] = value
        sources[setting.key] = source
    }

    // MARK: Sources, weakest first

    mutating func read(file path: String) {
        let bytes: [UInt8]
        do {
            bytes = try File.read(path, bytesMax: 1 << 20)
        } catch {
            faults.append("\(path): \(error)")
            return
        }
        do throws(JSONFault) {
            guard case .object(let members) = try JSONReader.read(bytes) else {
                faults.append("\(path): the configuration is an object of settings")
                return
            }
            read(members, prefix: "", path: path)
        } catch {
            faults.append("\(path): \(error)")
        }
    }

    private mutating func read(_ members: JSONObject, prefix: String, path: String) {
        for member in members.members {
            let key = prefix + member.name
            if let setting = Setting.named(key) {
                set(setting, Self.value(member.value, for: setting), given: member.value.canonicalText, source: "\(path): \(key)")
            } else if case .object(let group) = member.value, Setting.table.contains(where: { $0.key.hasPrefix(key + ".") }) {
                read(group, prefix: key + ".", path: path)
            } else {
                faults.append("\(path): there is no setting \"\(key)\"" + hint(key, Setting.table.map(\.key)))
            }
        }
    }

    private static func value(_ json: JSONValue, for setting: Setting) -> SettingValue? {
        switch (setting.form, json) {
        case (.flag, .bool(let flag)): .flag(flag)
        case (.integer(let range), .integer(let number)): range.contains(number) ? .integer(number) : nil
        case (.number(let range), _): json.double.flatMap { range.contains($0) ? .number($0) : nil }
        case (.text, .string(let text)), (.path, .string(let text)), (.choice, .string(let text)): setting.value(from: text)
        default: nil
        }
    }

    /// Variables that begin with `STOREHOUSE_`; any that names no setting is a fault. With `_FILE` behind a setting's name the value is what
    /// that file holds, without the line's end: how containers hand over secrets.
    mutating func read(environment: [String: String]) {
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("STOREHOUSE_") {
            if name == "STOREHOUSE_CONFIG" || name == "STOREHOUSE_BINARY" { continue }
            if let setting = Setting.table.first(where: { $0.variable == name }) {
                set(setting, setting.value(from: text), given: text, source: name)
            } else if let setting = Setting.table.first(where: { $0.variable + "_FILE" == name }) {
                read(setting, in: text, named: name, isGivenTwice: environment[setting.variable] != nil)
            } else {
                faults.append("\(name): there is no such setting" + hint(name, Setting.table.map(\.variable)))
            }
        }
    }

    private mutating func read(_ setting: Setting, in path: String, named name: String, isGivenTwice: Bool) {
        guard !isGivenTwice else {
            faults.append("\(name): \(setting.variable) is given, too; one of them is enough")
            return
        }
        do throws(SystemError) {
            var text = String(decoding: try File.read(path, bytesMax: Self.valueBytesMax), as: UTF8.self)
            while text.last?.isNewline == true { text.removeLast() }
            // What a file holds may be a secret: a fault names the file, not the value.
            set(setting, setting.value(from: text), given: "what \(path) holds", source: name)
        } catch {
            faults.append("\(name): \(error)")
        }
    }

    /// The longest value of a setting that is read from a file of its own.
    static let valueBytesMax = 64 << 10

    mutating func read(options: [(name: String, value: String)]) {
        for (name, text) in options {
            guard let setting = Setting.table.first(where: { $0.option == name }) else { continue }
            set(setting, setting.value(from: text), given: text, source: name)
        }
    }

    private func hint(_ name: String, _ known: [String]) -> String {
        nearestNames(to: name, among: known).first.map { "; did you mean \($0)?" } ?? ""
    }
}
