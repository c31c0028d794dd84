/// The field lines of an answer, already encoded: complete `Name: value` lines with their line ends, in order.
///
/// A value made once can be kept and shared over many answers. The framing fields (Date, Content-Length,
/// Transfer-Encoding, Connection) are the serializer's and must not be among them.
public struct ResponseFields: Sendable, Equatable {
    /// The lines' bytes.
    public private(set) var bytes: [UInt8]

    /// No fields.
    public init() {
        bytes = []
    }

    /// The fields of a literal list, in order.
    public init(_ fields: [(FieldName, String)]) {
        bytes = []
        for (name, value) in fields { add(name, value) }
    }

    /// Lines that were encoded before, as `bytes` of another value, and kept somewhere.
    public init(encoded bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether there are no fields.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Adds a line. Controls in the value (other than tabs inside it) are percent-encoded and white space at its ends is cut
    /// off: whatever a value was made of, it can neither split the answer nor end the process.
    ///
    /// - Precondition: the name is none of the framing fields.
    public mutating func add(_ name: FieldName, _ value: String) {
        add(name, utf8: value.utf8)
    }

    /// Adds a line with a value of bytes, under the same rules.
    public mutating func add(_ name: FieldName, _ value: [UInt8]) {
        add(name, utf8: value)
    }

    /// Adds a line with a decimal number.
    public mutating func add(_ name: FieldName, _ value: Int) {
        add(name, utf8: String(value).utf8)
    }

    /// Adds a line with a literal, which holds no controls, and a number behind it that is not negative.
    public mutating func add(_ name: FieldName, _ literal: StaticString, _ value: Int) {
        precondition(!name.isFraming, "a framing field is the serializer's")
        bytes.append(name.text)
        bytes.append(": ")
        bytes.append(literal)
        bytes.appendDecimal(value)
        bytes.append("\r\n")
    }

    /// Makes room for so many bytes, where it is known beforehand that lines will be added.
    public mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

    /// Adds all lines of others, behind those here.
    public mutating func add(_ others: ResponseFields) {
        bytes.append(contentsOf: others.bytes)
    }

    private mutating func add(_ name: FieldName, utf8 value: some Collection<UInt8>) {
        precondition(!name.isFraming, "a framing field is the serializer's")
        bytes.append(name.text)
        bytes.append(": ")
        let start = bytes.count
        bytes.append(contentsOf: value)
        tidy(from: start)
        bytes.append("\r\n")
    }

    /// Encodes the controls of the value that begins at `start` and ends with the bytes, and cuts off the white space around it.
    private mutating func tidy(from start: Int) {
        let whole = start..<bytes.count
        let trimmed = bytes.span.trimmed(whole)
        // Nearly every value is as it has to be.
        guard trimmed != whole || bytes.span.holdsControl(in: whole) else { return }
        let value = Array(bytes[trimmed])
        bytes.removeSubrange(whole)
        for byte in value {
            if byte.isControl {
                bytes.append(ByteName.percent)
                bytes.appendHexadecimal(byte)
            } else {
                bytes.append(byte)
            }
        }
    }
}

extension UInt8 {
    /// Whether the byte is a control that no field value may hold: all but the tab.
    fileprivate var isControl: Bool { self < 0x20 && self != ByteName.tab || self == ByteName.delete }
}

extension Span<UInt8> {
    fileprivate func holdsControl(in range: Range<Int>) -> Bool {
        for index in range where self[index].isControl { return true }
        return false
    }
}
