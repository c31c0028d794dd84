// Strings: escapes, UTF-8 (RFC 3629), and what may not stand in them.

extension JSONScanner {
    /// The string whose opening quotation mark is at the offset, unescaped.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONFault) -> String {
        let start = offset + 1
        offset = start
        try plainRun(bytes)
        if bytes[offset] == UInt8(ascii: "\"") {
            // The usual string: no escape, so its bytes are its text.
            guard offset - start <= limits.stringBytesMax else { throw stringTooLong(at: start) }
            let text = Self.text(bytes.extracting(start..<offset))
            offset += 1
            return text
        }
        var unescaped: [UInt8] = []
        Self.append(bytes.extracting(start..<offset), to: &unescaped)
        while bytes[offset] != UInt8(ascii: "\"") {
            try escape(bytes, into: &unescaped)
            let run = offset
            try plainRun(bytes)
            Self.append(bytes.extracting(run..<offset), to: &unescaped)
            guard unescaped.count <= limits.stringBytesMax else { throw stringTooLong(at: start) }
        }
        offset += 1
        return Self.text(unescaped.span)
    }

    /// Steps over the string whose opening quotation mark is at the offset.
    mutating func skipString(_ bytes: Span<UInt8>) throws(JSONFault) {
        offset += 1
        var ignored: [UInt8] = []
        try plainRun(bytes)
        while bytes[offset] != UInt8(ascii: "\"") {
            ignored.removeAll(keepingCapacity: true)
            try escape(bytes, into: &ignored)
            try plainRun(bytes)
        }
        offset += 1
    }

    /// Steps over well-formed characters up to a quotation mark or a backslash, one of which is then at the offset.
    private mutating func plainRun(_ bytes: Span<UInt8>) throws(JSONFault) {
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte >= 0x80 {
                let length = Self.sequenceLength(bytes, at: offset)
                guard length > 0 else { throw JSONFault(.invalidUTF8, at: offset, "The text is not UTF-8 here.") }
                offset += length
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                return
            } else if byte < 0x20 {
                throw JSONFault(.controlCharacter, at: offset, "A string holds \(Self.name(of: byte)); write it as an escape.")
            } else {
                offset += 1
            }
        }
        throw end("the closing quotation mark of a string")
    }

    /// The escape at the offset (a backslash), appended as UTF-8.
    private mutating func escape(_ bytes: Span<UInt8>, into text: inout [UInt8]) throws(JSONFault) {
        let start = offset
        guard start + 1 < bytes.count else {
            offset = bytes.count
            throw end("the rest of an escape")
        }
        offset += 2
        switch bytes[start + 1] {
        case UInt8(ascii: "\""): text.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): text.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): text.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var scalar = try codeUnit(bytes, escapeAt: start)
            if scalar & 0xFC00 == 0xD800 {
                let second = offset
                guard second + 1 < bytes.count, bytes[second] == UInt8(ascii: "\\"), bytes[second + 1] == UInt8(ascii: "u") else {
                    throw loneSurrogate(at: start)
                }
                offset += 2
                let low = try codeUnit(bytes, escapeAt: second)
                guard low & 0xFC00 == 0xDC00 else { throw loneSurrogate(at: start) }
                scalar = 0x10000 + (scalar & 0x3FF) << 10 + (low & 0x3FF)
            }
            guard let scalar = Unicode.Scalar(scalar) else { throw loneSurrogate(at: start) }
            text.append(contentsOf: UTF8.encode(scalar)!)  // every scalar has a UTF-8 form
        default:
            throw JSONFault(
                .invalidEscape, at: start, "JSON has no escape \"\\\" followed by \(Self.name(of: bytes[start + 1])).")
        }
    }

    /// Four hexadecimal digits at the offset.
    private mutating func codeUnit(_ bytes: Span<UInt8>, escapeAt start: Int) throws(JSONFault) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard offset < bytes.count else { throw end("four hexadecimal digits") }
            guard let digit = hexDigit(bytes[offset]) else {
                throw JSONFault(.invalidEscape, at: start, "\"\\u\" is followed by four hexadecimal digits.")
            }
            unit = unit << 4 | UInt32(digit)
            offset += 1
        }
        return unit
    }

    private func loneSurrogate(at offset: Int) -> JSONFault {
        JSONFault(.loneSurrogate, at: offset, "Half a surrogate pair is no character.")
    }

    private func stringTooLong(at offset: Int) -> JSONFault {
        JSONFault(.stringTooLong, at: offset, "A string is longer than \(limits.stringBytesMax) bytes.")
    }

    /// The length of the multi-byte character at an index; 0 where it is malformed: overlong, a surrogate, too large, cut off
    /// (Unicode 16, table 3-7).
    private static func sequenceLength(_ bytes: Span<UInt8>, at index: Int) -> Int {
        func continues(_ distance: Int, _ allowed: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
            index + distance < bytes.count && allowed.contains(bytes[index + distance])
        }
        switch bytes[index] {
        case 0xC2...0xDF: return continues(1) ? 2 : 0
        case 0xE0: return continues(1, 0xA0...0xBF) && continues(2) ? 3 : 0
        case 0xED: return continues(1, 0x80...0x9F) && continues(2) ? 3 : 0
        case 0xE1...0xEF: return continues(1) && continues(2) ? 3 : 0
        case 0xF0: return continues(1, 0x90...0xBF) && continues(2) && continues(3) ? 4 : 0
        case 0xF1...0xF3: return continues(1) && continues(2) && continues(3) ? 4 : 0
        case 0xF4: return continues(1, 0x80...0x8F) && continues(2) && continues(3) ? 4 : 0
        default: return 0
        }
    }

    /// The text of bytes that are known to be UTF-8.
    private static func text(_ bytes: Span<UInt8>) -> String {
        unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }  // copied within the closure
    }

    private static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe text.append(contentsOf: $0) }  // copied within the closure
    }
}
