internal import Runtime

/// Writes metrics in Prometheus' text format, version 0.0.4: HELP and TYPE once, then the samples of the family.
struct MetricsText {
    private(set) var bytes: [UInt8] = []

    /// A label's name and value.
    typealias Label = (name: String, value: String)

    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private mutating func begin(_ name: String, _ type: String, _ help: String) {
        put("# HELP \(name) \(help)\n# TYPE \(name) \(type)\n")
    }

    /// Something that only grows; `name` ends with `_total`.
    mutating func counter(_ name: String, _ help: String, _ value: Int) { counter(name, help, [([], Double(value))]) }

    mutating func counter(_ name: String, _ help: String, _ samples: [([Label], Double)]) {
        begin(name, "counter", help)
        for (labels, value) in samples { sample(name, labels, value) }
    }

    /// Something that goes up and down.
    mutating func gauge(_ name: String, _ help: String, _ value: Double?) {
        guard let value else { return }
        gauge(name, help, [([], value)])
    }

    mutating func gauge(_ name: String, _ help: String, _ samples: [([Label], Double)]) {
        begin(name, "gauge", help)
        for (labels, value) in samples { sample(name, labels, value) }
    }

    /// A distribution; its values are divided by `unit`, so that nanoseconds become seconds.
    mutating func histogram(_ name: String, _ help: String, unit: Double, _ samples: [([Label], Histogram)]) {
        begin(name, "histogram", help)
        for (labels, histogram) in samples {
            var count = 0
            for (bound, more) in zip(histogram.bounds, histogram.counts) {
                count += more
                sample(name + "_bucket", labels + [("le", Self.number(Double(bound) / unit))], Double(count))
            }
            count += histogram.counts.last ?? 0
            sample(name + "_bucket", labels + [("le", "+Inf")], Double(count))
            sample(name + "_sum", labels, Double(histogram.sum) / unit)
            sample(name + "_count", labels, Double(count))
        }
    }

    private mutating func sample(_ name: String, _ labels: [Label], _ value: Double) {
        put(name)
        if !labels.isEmpty {
            put("{")
            for (index, label) in labels.enumerated() {
                put(index == 0 ? "" : ",")
                put("\(label.name)=\"")
                for byte in label.value.utf8 {
                    switch byte {
                    case UInt8(ascii: "\\"), UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), byte]
                    case UInt8(ascii: "\n"): put("\\n")
                    default: bytes.append(byte)
                    }
                }
                put("\"")
            }
            put("}")
        }
        put(" \(Self.number(value))\n")
    }

    /// Whole numbers without a fraction.
    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }

    private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
