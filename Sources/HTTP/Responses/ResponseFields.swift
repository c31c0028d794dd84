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

    /// Adds all lines of others, behind those here.
    public mutating func add(_ others: ResponseFields) {
        bytes.append(contentsOf: others.bytes)
    }

    private mutating func add(_ name: FieldName, utf8 value: some BidirectionalCollection<UInt8>) {
        precondition(!ResponseFields.isFraming(name), "a framing field is the serializer's")
        bytes.append(name.text)
        bytes.append(ByteName.colon)
        bytes.append(ByteName.space)
        let isSpace: (UInt8) -> Bool = { $0 == ByteName.space || $0 == ByteName.tab }
        let trimmed = value.drop(while: isSpace)
        let end = trimmed.lastIndex { !isSpace($0) }
        if let end {
            for byte in trimmed[...end] {
                if byte < 0x20 && byte != ByteName.tab || byte == ByteName.delete {
                    bytes.append(ByteName.percent)
                    bytes.appendHexadecimal(byte)
                } else {
                    bytes.append(byte)
                }
            }
        }
        bytes.append(ByteName.carriageReturn)
        bytes.append(ByteName.lineFeed)
    }

    private static func isFraming(_ name: FieldName) -> Bool {
        let framing: [FieldName] = [.date, .contentLength, .transferEncoding, .connection]
        let text = name.text.description.utf8.map { $0 | 0x20 }
        return framing.contains { $0.text.description.utf8.map { $0 | 0x20 } == text }
    }
}
