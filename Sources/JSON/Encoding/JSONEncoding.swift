/// Swift values to canonical JSON text, through `Codable`.
///
/// The text is written straight into one buffer; an object whose members come in another order than the canonical one is put in
/// order when it is complete. `Set`s, and `Dictionary`s whose keys are neither strings nor integers, are written in the order of their
/// elements' texts, because their own order differs between runs; only a `Set` that is asked to encode itself into the outermost
/// encoder (the closure form) cannot be recognised. A member given twice keeps its last value; a value that writes nothing is `{}`.
/// `nil` members are left out by synthesised conformances and `null` where `encodeNil` is called, as usual.
///
/// Faults: `notEncodable` for infinities, not-a-number and broken rules of `Encoder`, `tooDeep` past `JSONLimits.depthCeiling`, and
/// `invalidValue` for whatever else an `encode(to:)` throws; each with the pointer of the place.
public enum JSONEncoding {
    /// The canonical text of a value.
    public static func encode(_ value: any Encodable) throws(JSONFault) -> [UInt8] {
        var bytes: [UInt8] = []
        try append(value, to: &bytes)
        return bytes
    }

    /// The canonical text of what a closure writes.
    public static func encode(_ body: (any Encoder) throws -> Void) throws(JSONFault) -> [UInt8] {
        let sheet = EncodingSheet()
        return try sheet.fill { sheet throws in try body(SheetEncoder(sheet: sheet, frame: EncodingSheet.rootID)) }
    }

    /// Appends the canonical text of a value; on a fault `bytes` is as it was.
    public static func append(_ value: any Encodable, to bytes: inout [UInt8]) throws(JSONFault) {
        let sheet = EncodingSheet()
        let text = try sheet.fill { sheet throws in try sheet.single(value, in: EncodingSheet.rootID) }
        if bytes.isEmpty {
            bytes = text
        } else {
            bytes.append(contentsOf: text)
        }
    }

    /// A value as a JSON value.
    public static func encodeValue(_ value: any Encodable) throws(JSONFault) -> JSONValue {
        try JSONReader.read(try encode(value), limits: .stored)
    }

    /// What a closure writes as a JSON value.
    public static func encodeValue(_ body: (any Encoder) throws -> Void) throws(JSONFault) -> JSONValue {
        try JSONReader.read(try encode(body), limits: .stored)
    }
}

extension JSONFault {
    /// Any error thrown in the course of encoding or decoding, as a fault.
    init(caught error: any Error, at place: @autoclosure () -> JSONPointer) {
        switch error {
        case let fault as JSONFault:
            self = fault
        case EncodingError.invalidValue(_, let context):
            self = Self.fault(.invalidValue, context.underlyingError, context.codingPath, context.debugDescription)
        case DecodingError.dataCorrupted(let context):
            self = Self.fault(.invalidValue, context.underlyingError, context.codingPath, context.debugDescription)
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            self = Self.fault(.wrongType, context.underlyingError, context.codingPath, context.debugDescription)
        case DecodingError.keyNotFound(let key, let context):
            self = Self.fault(.missingMember, context.underlyingError, context.codingPath + [key], context.debugDescription)
        default:
            self.init(.invalidValue, pointer: place(), "\(error)")
        }
    }

    private static func fault(_ kind: Kind, _ cause: (any Error)?, _ path: [any CodingKey], _ detail: String) -> JSONFault {
        // What this module throws travels inside the error types that `Codable` prescribes.
        (cause as? JSONFault) ?? JSONFault(kind, pointer: JSONPointer(path.map(\.stringValue)), detail)
    }
}

/// A name or an index on the way into a value.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}
