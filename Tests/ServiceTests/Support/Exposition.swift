/// Prometheus' text format (0.0.4), read strictly: whatever a scraper might stumble over is a fault.
struct Exposition {
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    struct Sample {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    struct Family {
        let name: String
        let type: String
        let help: String
        var samples: [Sample] = []
    }

    private(set) var families: [String: Family] = [:]

    init(_ text: String) throws {
        guard text.hasSuffix("\n"), !text.contains("\r") else {
            throw Fault(description: "lines end with a line feed, the last one too")
        }
        var helps: [String: String] = [:]
        var current: Family?
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)/) {
                guard helps.updateValue(String(match.2), forKey: String(match.1)) == nil else {
                    throw Fault(description: "HELP twice: \(line)")
                }
            } else if let match = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/) {
                try close(current)
                let name = String(match.1)
                guard let help = helps[name], families[name] == nil else {
                    throw Fault(description: "TYPE without HELP, or twice: \(line)")
                }
                current = Family(name: name, type: String(match.2), help: help)
            } else {
                let sample = try Self.sample(line)
                guard let family = current, Self.names(family).contains(sample.name) else {
                    throw Fault(description: "a sample outside its family: \(line)")
                }
                current?.samples.append(sample)
            }
        }
        try close(current)
    }

    private static func names(_ family: Family) -> [String] {
        family.type == "histogram" ? ["_bucket", "_sum", "_count"].map { family.name + $0 } : [family.name]
    }

    private static func sample(_ line: Substring) throws -> Sample {
        guard let match = line.wholeMatch(of: /([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([-+0-9.eE]+|\+Inf)/),
            let value = match.3 == "+Inf" ? .infinity : Double(match.3)
        else { throw Fault(description: "not a sample: \(line)") }
        var labels: [String: String] = [:]
        var rest = match.2 ?? ""
        while !rest.isEmpty {
            guard let label = rest.prefixMatch(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/),
                labels.updateValue(String(label.2), forKey: String(label.1)) == nil
            else { throw Fault(description: "labels: \(line)") }
            rest = rest[label.range.upperBound...]
        }
        return Sample(name: String(match.1), labels: labels, value: value)
    }

    /// Looks at a family as a whole: conventions of names, no series twice, histograms that add up.
    private mutating func close(_ family: Family?) throws {
        guard let family else { return }
        func check(_ holds: Bool, _ what: String) throws { if !holds { throw Fault(description: "\(family.name): \(what)") } }
        try check((family.type == "counter") == family.name.hasSuffix("_total"), "counters, and they alone, end with _total")
        try check(!family.help.isEmpty, "has a help")
        var seen: Set<String> = []
        for sample in family.samples {
            let series = sample.name + sample.labels.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value);" }.joined()
            try check(seen.insert(series).inserted, "a series twice: \(series)")
            try check(family.type == "gauge" || sample.value >= 0, "counts are not negative")
        }
        if family.type == "histogram" { try Self.checkHistogram(family, check) }
        families[family.name] = family
    }

    private static func checkHistogram(_ family: Family, _ check: (Bool, String) throws -> Void) throws {
        let groups = Dictionary(grouping: family.samples) { sample in
            sample.labels.filter { $0.key != "le" }.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value);" }.joined()
        }
        for (_, samples) in groups {
            let buckets = samples.filter { $0.name.hasSuffix("_bucket") }
            let bounds = buckets.map { $0.labels["le"] == "+Inf" ? .infinity : Double($0.labels["le"] ?? "") ?? .nan }
            try check(bounds.count > 1 && zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "bounds ascend")
            try check(bounds.last == .infinity, "the last bound is +Inf")
            try check(zip(buckets, buckets.dropFirst()).allSatisfy { $0.value <= $1.value }, "buckets are cumulative")
            let counts = samples.filter { $0.name.hasSuffix("_count") }
            try check(counts.count == 1 && counts[0].value == buckets.last?.value, "_count is the last bucket")
            try check(samples.filter { $0.name.hasSuffix("_sum") }.count == 1, "has one _sum")
        }
    }

    /// The value of a series; nil where there is none.
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        let family = families[name] ?? families.first { name.hasPrefix($0.key + "_") }?.value
        return family?.samples.first { $0.name == name && $0.labels == labels }?.value
    }
}
