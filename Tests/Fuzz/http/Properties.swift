/// The events do not depend on how the bytes arrive.
func checkSplits(_ input: [UInt8], _ whole: Trace, _ limits: RequestLimits) {
    // Sizes that follow from the input, so that the fuzzer steers them and a finding can be repeated.
    let hash = input.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let sizes = (0..<4).map { Int(hash >> (UInt32($0) * 8)) & 0x3F }
    for pieces in [[1], [2], [3], sizes, [Int(hash % UInt32(input.count + 1)), input.count]] {
        let trace = Trace(input, pieces: pieces, limits: limits)
        precondition(trace.events == whole.events, "other events for pieces of \(pieces)")
        precondition(trace.state == whole.state, "another state for pieces of \(pieces)")
    }
}

/// Nothing that comes out is larger than the limits allow.
func checkBounds(_ request: Request, _ limits: RequestLimits) {
    let head = request.head
    precondition(request.body.count <= limits.bodyBytesMax, "a body beyond the limit")
    precondition(head.fields.count <= limits.headerFieldsMax, "too many fields")
    precondition(head.bytes.count <= limits.requestLineBytesMax + limits.headerSectionBytesMax + 4, "a head beyond the limit")
}

/// What comes out keeps the grammar, by another reading than the parser's own.
func checkGrammar(_ request: Request) {
    let head = request.head
    let fields = head.fields
    precondition(!head.methodToken.isEmpty && head.methodToken.utf8.allSatisfy(ByteSet.token.contains), "a method")
    precondition(head.target.raw.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a target")
    for index in 0..<fields.count {
        precondition(!fields.name(at: index).isEmpty, "a field without a name")
        precondition(fields.name(at: index).utf8.allSatisfy(ByteSet.token.contains), "a field's name")
        let value = fields.value(at: index).copy
        precondition(value.allSatisfy { $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F }, "a control in a value")
        precondition(value.first != 0x20 && value.first != 0x09 && value.last != 0x20 && value.last != 0x09, "untrimmed")
    }
    precondition(head.minorVersion == 0 || fields.count(of: .host) == 1, "Host")
    precondition(fields.count(of: .contentLength) + min(1, fields.count(of: .transferEncoding)) <= 1, "two framings")
    if let length = fields.string(.contentLength) {
        precondition(Int(length) == request.body.count, "a body of another length")
    } else if fields.count(of: .transferEncoding) == 0 {
        precondition(request.body.isEmpty, "a body from nowhere")
    }
    precondition(!fields.lists("close", in: .connection) || !head.keepAlive, "close is not obeyed")
    precondition(head.minorVersion == 1 || !head.expectsContinue, "an expectation of 1.0")
    // Escapes never make or remove a separator, NUL or a replacement character.
    let path = head.target.path
    if head.target.form != .asterisk {
        precondition(head.target.segments.count == path.utf8.count { $0 == 0x2F }, "segments")
    }
    let decoded = head.target.segments + head.target.queryItems.flatMap { [$0.name, $0.value] }
    precondition(decoded.allSatisfy { !$0.utf8.contains(0) }, "NUL in a target")
    if !head.target.raw.contains("%EF%BF%BD"), !head.target.raw.contains("%ef%bf%bd") {
        let hasMixedCase = head.target.raw.lowercased().contains("%ef%bf%bd")
        precondition(hasMixedCase || decoded.allSatisfy { !$0.unicodeScalars.contains("\u{FFFD}") }, "a repaired target")
    }
}

/// A request written out plainly from what was read is read as the same request.
func checkWrittenAgain(_ request: Request) {
    let head = request.head
    var text = Array("\(head.methodToken) \(head.target.raw) HTTP/1.\(head.minorVersion)\r\n".utf8)
    var kept: [[UInt8]] = []
    for index in 0..<head.fields.count {
        let name = head.fields.name(at: index)
        if ["content-length", "transfer-encoding"].contains(name.lowercased()) { continue }
        kept.append(Array("\(name): ".utf8) + head.fields.value(at: index).copy)
    }
    kept.append(Array("Content-Length: \(request.body.count)".utf8))
    for line in kept { text += line + [0x0D, 0x0A] }
    text += [0x0D, 0x0A] + request.body
    // Its own probe: nothing of it may leak into the body, nothing of the body into it.
    if head.keepAlive { text += Array("GET /probe HTTP/1.1\r\nHost: probe\r\n\r\n".utf8) }

    // The written form may be somewhat longer than the one that was read.
    var limits = RequestLimits()
    limits.headerSectionBytesMax = 65_536
    let again = Trace(text, pieces: [text.count], limits: limits)
    precondition(again.requests.count == (head.keepAlive ? 2 : 1), "written again, it is other requests")
    let first = again.requests[0]
    precondition(first.head.method == head.method && first.head.target.raw == head.target.raw, "another request line")
    precondition(first.head.target.segments == head.target.segments && first.head.authority == head.authority, "another target")
    precondition(first.head.keepAlive == head.keepAlive && first.body == request.body, "another life or body")
    let lines = (0..<first.head.fields.count).map { index in
        Array("\(first.head.fields.name(at: index)): ".utf8) + first.head.fields.value(at: index).copy
    }
    precondition(lines == kept, "other fields")
    precondition(!head.keepAlive || again.requests[1].head.target.raw == "/probe", "the probe was not served")
}

/// An answer made from any bytes has the lines it should have and no others, and a stream decodes to what it was made of.
func checkAnswer(_ input: [UInt8]) {
    var fields = ResponseFields()
    fields.add(.location, input)
    fields.add(.entityTag, "\"x\"")
    var output: [UInt8] = []
    let context = ResponseContext(isHead: false, minorVersion: 1, keepAlive: true)
    ResponseSerializer.append(
        Response(status: .ok, fields: fields), in: context, date: HTTPDate(secondsSince1970: 0), to: &output)
    precondition(output.count { $0 == 0x0A } == 6 && output.count { $0 == 0x0D } == 6, "an answer was split")
    precondition(!output.contains(0) && output.suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A], "an answer's end")

    var coded = Array("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    let half = input.count / 2
    StreamCoding.chunked.append(Array(input[..<half]), to: &coded)
    StreamCoding.chunked.append(Array(input[half...]), to: &coded)
    StreamCoding.chunked.appendEnd(to: &coded)
    let read = Trace(coded, pieces: [coded.count], limits: RequestLimits())
    precondition(read.requests.count == 1 && read.requests[0].body == input, "a stream is read as something else")
}
