import Foundation

/// One answer of the service, as its bytes were.
struct Answer: CustomStringConvertible {
    let status: Int
    /// Names and values in order, as sent, without the white space around a value.
    let fields: [(name: String, value: String)]
    let body: [UInt8]
    /// The statuses of interim answers that came before it.
    let interim: [Int]

    /// The value of the only field of this name; nil where there is none. Several are joined by commas, as RFC 9110 5.3 allows.
    func field(_ name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The body, which must be JSON.
    var json: Value {
        get throws { try Value(json: body) }
    }

    /// The last path segment of a problem's `type` (RFC 9457); nil where the answer is no problem.
    var problem: String? {
        guard field("Content-Type") == "application/problem+json", let json = try? json else { return nil }
        return json["type"]?.string?.split(separator: "/").last.map(String.init)
    }

    /// The sender will close the connection after this answer.
    var announcesClose: Bool {
        field("Connection")?.lowercased().split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == "close" }
            ?? false
    }

    var description: String { "\(status) \(fields.map { "\($0.name): \($0.value)" }) \(String(decoding: body, as: UTF8.self))" }
}

/// Reads answers from a stream of bytes.
struct AnswerReader {
    enum Malformed: Error {
        case statusLine(String)
        case field(String)
        case chunk(String)
    }

    private var bytes: [UInt8] = []
    private var interim: [Int] = []

    /// Nothing of an answer is left over.
    var isEmpty: Bool { bytes.isEmpty }
    /// What has come and is no whole answer yet, for messages.
    var rest: String { String(decoding: bytes, as: UTF8.self) }

    mutating func receive(_ more: some Collection<UInt8>) {
        bytes.append(contentsOf: more)
    }

    /// The next answer, once all of it has come.
    ///
    /// - Parameters:
    ///   - isHead: the request was a HEAD, so that no body follows.
    ///   - ended: the peer has closed: a body without a length is complete.
    mutating func next(isHead: Bool, ended: Bool) throws -> Answer? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let parts = lines[0].split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "HTTP/1.1", let status = Int(parts[1]), (100...599).contains(status) else {
            throw Malformed.statusLine(lines[0])
        }
        let fields = try lines.dropFirst().map { line in
            guard let colon = line.firstIndex(of: ":"), colon != line.startIndex, !line.hasPrefix(" ") else {
                throw Malformed.field(line)
            }
            return (
                name: String(line[..<colon]), value: line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            )
        }
        if status < 200 {
            interim.append(status)
            bytes.removeSubrange(..<end.upperBound)
            return try next(isHead: isHead, ended: ended)
        }
        func value(_ name: String) -> String? { fields.first { $0.name.lowercased() == name }?.value }

        let body: [UInt8]
        let taken: Int
        if isHead || status == 204 || status == 304 {
            (body, taken) = ([], end.upperBound)
        } else if value("transfer-encoding")?.lowercased() == "chunked" {
            guard let chunks = try Self.chunks(in: bytes[end.upperBound...]) else { return nil }
            (body, taken) = chunks
        } else if let length = value("content-length") {
            guard let length = Int(length) else { throw Malformed.field("Content-Length: \(length)") }
            guard bytes.count - end.upperBound >= length else { return nil }
            (body, taken) = (Array(bytes[end.upperBound..<end.upperBound + length]), end.upperBound + length)
        } else {
            guard ended else { return nil }
            (body, taken) = (Array(bytes[end.upperBound...]), bytes.count)
        }
        bytes.removeSubrange(..<taken)
        defer { interim = [] }
        return Answer(status: status, fields: fields, body: body, interim: interim)
    }

    /// A chunked body (RFC 9112, 7.1) and where it ends; nil where it has not all come.
    private static func chunks(in bytes: ArraySlice<UInt8>) throws -> (body: [UInt8], end: Int)? {
        let lineEnd = Array("\r\n".utf8)
        var body: [UInt8] = []
        var rest = bytes
        while let line = rest.firstRange(of: lineEnd) {
            let digits = String(decoding: rest[..<line.lowerBound], as: UTF8.self)
            guard let size = Int(digits, radix: 16) else { throw Malformed.chunk(digits) }
            guard rest.endIndex - line.upperBound >= size + 2 else { return nil }
            body += rest[line.upperBound..<line.upperBound + size]
            rest = rest[(line.upperBound + size)...]
            guard rest.starts(with: lineEnd) else { throw Malformed.chunk("no line end after \(size) bytes") }
            rest = rest.dropFirst(2)
            if size == 0 { return (body, rest.startIndex) }
        }
        return nil
    }
}
