/// What is wrong with a JSON text, value, pointer or patch, where, and how to mend it.
public struct JSONFault: Error, Hashable, Sendable {
    /// The kinds of fault, stable names for tests and problem documents.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        // The text (RFC 8259).
        case unexpectedEnd, unexpectedByte, trailingBytes, byteOrderMark, invalidUTF8, controlCharacter, invalidEscape,
            loneSurrogate
        case invalidNumber, duplicateName
        /// A magnitude outside what a `Double` can hold.
        case numberDoesNotFit
        // Limits (`JSONLimits`).
        case tooDeep, tooLong, tooManyMembers, stringTooLong, numberTooLong
        // The value, against the type that was asked for.
        case missingMember, unknownMember, wrongType, outOfRange, invalidValue
        /// A Swift value has no JSON form (an infinity), or its `encode(to:)` breaks the protocol's rules.
        case notEncodable
        // Pointers (RFC 6901) and patches (RFC 6902).
        case invalidPointer, noSuchPlace, invalidPatch, testFailed

        /// The text itself is bad JSON or too much of it, whatever was to be read from it (answered 400, the rest 422).
        public var isMalformedText: Bool {
            switch self {
            case .unexpectedEnd, .unexpectedByte, .trailingBytes, .byteOrderMark, .invalidUTF8, .controlCharacter, .invalidEscape,
                .loneSurrogate, .invalidNumber, .duplicateName, .numberDoesNotFit, .tooDeep, .tooLong, .tooManyMembers,
                .stringTooLong,
                .numberTooLong:
                true
            case .missingMember, .unknownMember, .wrongType, .outOfRange, .invalidValue, .notEncodable, .invalidPointer,
                .noSuchPlace,
                .invalidPatch, .testFailed:
                false
            }
        }
    }

    /// What programs decide by; people read `detail`.
    public let kind: Kind
    /// The offset in bytes from the text's start; nil where there is no text.
    public let offset: Int?
    /// A sentence for a person. Says what a value is, never what a string holds: it might be a password.
    public let detail: String
    /// The place in the value, as far as it was known.
    public private(set) var pointer: JSONPointer

    /// Makes a fault of the whole value unless `pointer` names a place in it; `offset` is in bytes, nil without a text.
    public init(_ kind: Kind, at offset: Int? = nil, pointer: JSONPointer = .root, _ detail: String) {
        self.kind = kind
        self.offset = offset
        self.pointer = pointer
        self.detail = detail
    }

    /// The same fault seen from one level further out, where the value it is about is under `token`.
    public func inside(_ token: String) -> JSONFault {
        var fault = self
        fault.pointer.tokens.insert(token, at: 0)
        return fault
    }

    /// The same fault in a value that stands at `place` of a larger one.
    public func inside(_ place: JSONPointer) -> JSONFault {
        var fault = self
        fault.pointer.tokens.insert(contentsOf: place.tokens, at: 0)
        return fault
    }
}

extension JSONFault: CustomStringConvertible {
    /// The detail, and behind it the place and the offset, where there are any.
    public var description: String {
        let place = pointer.tokens.isEmpty ? "" : " at \(pointer.text)"
        return "\(detail)\(place)\(offset.map { " (byte \($0))" } ?? "")"
    }
}
