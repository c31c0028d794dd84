internal import JSON
internal import Runtime

/// The effective settings, typed.
struct Configuration: Sendable {
    private let values: [String: SettingValue]
    private let sources: [String: String]

    /// What is wrong with the settings, all of it at once.
    struct Faults: Error {
        let sentences: [String]
    }

    /// Reads file, environment and options. `file` is the one named by `--config` or `STOREHOUSE_CONFIG`.
    init(options: [(name: String, value: String)], environment: [String: String]) throws(Faults) {
        var reader = ConfigurationReader()
        if let file = options.last(where: { $0.name == "--config" })?.value ?? environment["STOREHOUSE_CONFIG"] {
            reader.read(file: file)
        }
        reader.read(environment: environment)
        reader.read(options: options)
        guard reader.faults.isEmpty else { throw Faults(sentences: reader.faults) }
        values = reader.values
        sources = reader.sources
        let contradictions = contradictions
        guard contradictions.isEmpty else { throw Faults(sentences: contradictions) }
    }

    func text(_ key: String) -> String { values[key]?.description ?? "" }

    func integer(_ key: String) -> Int {
        if case .integer(let number)? = values[key] { Int(number) } else { 0 }
    }

    func number(_ key: String) -> Double {
        switch values[key] {
        case .number(let number)?: number
        case .integer(let number)?: Double(number)
        default: 0
        }
    }

    func flag(_ key: String) -> Bool { values[key] == .flag(true) }

    var host: String { text("host") }
    var port: UInt16 { UInt16(integer("port")) }
    var database: String { text("database") }
    var model: String { text("model") }
    var isDemo: Bool { flag("demo") }
    var showsDevTools: Bool { flag("devtools.enabled") || isDemo }
    var loops: Int { integer("loops") }
    var logLevel: LogLevel { LogLevel(name: text("log.level")) ?? .info }
    var logForm: LogForm { text("log.form") == "json" ? .json : .text }
    var logTopics: LogTopics {
        var topics: LogTopics = []
        if flag("log.access") { topics.insert(.access) }
        if flag("log.transitions") { topics.insert(.transitions) }
        return topics
    }
    var catalogPath: String { text("shop.catalog") }
    var guestsMayHaveCart: Bool { text("shop.guests") == "cart" }

    /// Whether a setting was left at its default.
    func isDefault(_ key: String) -> Bool { sources[key] == "default" }

    /// `{"KEY": {"source", "value"}}`, in canonical order.
    var json: String {
        var object = JSONObject()
        for setting in Setting.table {
            let value: JSONValue =
                switch values[setting.key] ?? setting.initial {
                case .text(let text): .string(text)
                case .integer(let number): .integer(number)
                case .number(let number): JSONValue(number) ?? .null
                case .flag(let flag): .bool(flag)
                }
            object[setting.key] = ["source": .string(sources[setting.key] ?? "default"), "value": value]
        }
        return JSONValue.object(object).canonicalText
    }

    /// One line a setting: the value and where it comes from.
    var listing: String {
        Setting.table.map { "\($0.key) = \(text($0.key))  (\(sources[$0.key] ?? "default"))" }.joined(separator: "\n")
    }
}
