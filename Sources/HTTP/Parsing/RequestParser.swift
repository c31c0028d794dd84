/// Turns the bytes of one connection into requests (RFC 9112): a value without I/O that owns its input and is bounded.
///
/// Feed it with `receive`, then take events with `next` until it says `needMore`. The events depend on the bytes alone,
/// never on how they were split. It refuses what it would have to repair, and after the first fault, or a request after
/// which the connection ends, it parses nothing more and drops what arrives.
///
/// It keeps at most the bytes given to it and not yet taken. A caller that stops asking for events (because enough
/// requests are in flight) must stop receiving too; the parser itself holds back one body of at most `bodyBytesMax`.
package struct RequestParser: Sendable {
    /// Where in a message the next byte belongs.
    private enum Phase: Sendable, Equatable {
        /// Between requests; empty lines are skipped here, so many so far.
        case betweenRequests(emptyLines: Int)
        case requestLine
        case fieldLines
        /// In a body of known length, with so many bytes outstanding.
        case fixedBody(Int)
        case chunkLine
        /// In a chunk, with so many bytes outstanding.
        case chunkData(Int)
        case chunkEnd
        case trailerLines
        /// Nothing is parsed any more.
        case stopped
    }

    /// The bounds in force.
    package let limits: RequestLimits

    private var phase = Phase.betweenRequests(emptyLines: 0)

    /// Input not yet given up. Bytes before `messageStart` are done with.
    private var buffer: [UInt8] = []
    /// Where the request whose head is being read starts in `buffer`; elsewhere the same as `position`.
    private var messageStart = 0
    /// The first byte of `buffer` not taken; in a line, the line's start.
    private var position = 0
    /// No line end lies between `position` and here.
    private var scanned = 0

    // The head being read.
    private var line: RequestLine?
    private var entries: [FieldEntry] = []
    private var framing = Framing()
    /// Bytes of the header section so far; later, of the trailer section.
    private var sectionBytes = 0

    // The body being read.
    private var head: RequestHead?
    private var body: [UInt8] = []
    private var chunks = 0
    private var extensionBytes = 0
    private var trailers = 0

    /// A parser at the start of a connection.
    ///
    /// - Precondition: no relation of the limits is violated.
    package init(limits: RequestLimits = RequestLimits()) {
        precondition(limits.violatedRelation == nil, "limits that contradict each other")
        self.limits = limits
    }

    /// The number of bytes received and not yet taken by an event. Within a body, those of the body collected so far are taken.
    package var bufferedBytes: Int { buffer.count - position }

    /// Whether the connection is between requests with nothing begun; the idle deadline applies.
    package var isIdle: Bool {
        if case .betweenRequests = phase { return position == buffer.count }
        return false
    }

    /// Whether a head has begun and is not complete; the header deadline applies.
    package var isInHead: Bool {
        switch phase {
        case .betweenRequests: position < buffer.count
        case .requestLine, .fieldLines: true
        case .fixedBody, .chunkLine, .chunkData, .chunkEnd, .trailerLines, .stopped: false
        }
    }

    /// Whether a body has begun and is not complete; the body deadline applies.
    package var isInBody: Bool {
        switch phase {
        case .fixedBody, .chunkLine, .chunkData, .chunkEnd, .trailerLines: true
        case .betweenRequests, .requestLine, .fieldLines, .stopped: false
        }
    }

    /// Whether nothing is parsed any more: after a fault, after the connection's last request, or after `stop`.
    package var isStopped: Bool { phase == .stopped }

    /// The fault to answer where the input ends here, or nil where it ends between requests or after the last one.
    package var faultAtEnd: ParseFault? { isInHead || isInBody ? .incomplete : nil }

    /// Takes over bytes as they came from the connection; once stopped, drops them.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        guard phase != .stopped, unsafe !bytes.isEmpty else { return }
        makeRoom()
        // Copied before the call returns, so the pointer's life is the caller's affair only.
        unsafe buffer.append(contentsOf: bytes)
    }

    /// Takes over bytes from an array.
    package mutating func receive(_ bytes: [UInt8]) {
        guard phase != .stopped, !bytes.isEmpty else { return }
        makeRoom()
        buffer.append(contentsOf: bytes)
    }

    /// Ends parsing: for a connection that closes after an answer given before the request was whole.
    package mutating func stop() {
        phase = .stopped
        buffer = []
        body = []
        entries = []
        head = nil
        line = nil
        (messageStart, position, scanned) = (0, 0, 0)
    }

    /// The next event.
    package mutating func next() -> ParserEvent {
        do throws(ParseFault) {
            return try advance()
        } catch {
            stop()
            return .fault(error)
        }
    }
}

// MARK: - The buffer

extension RequestParser {
    /// An idle connection keeps no more memory than this for its next request.
    private static var idleCapacityMax: Int { 4_096 }

    /// Gives up what is done with. Moves bytes only where at least as many are given up, so that all moves are linear in the input.
    private mutating func makeRoom() {
        if messageStart == buffer.count {
            buffer.removeAll(keepingCapacity: true)
        } else if messageStart >= buffer.count - messageStart {
            buffer.removeSubrange(0..<messageStart)
        } else {
            return
        }
        scanned -= messageStart
        position -= messageStart
        messageStart = 0
    }

    /// Releases the memory of an emptied buffer that a large request has made large.
    private mutating func releaseMemory() {
        if buffer.capacity > RequestParser.idleCapacityMax {
            buffer = []
            take(upTo: 0)
        }
    }

    /// Marks all bytes before `offset` as done with.
    private mutating func take(upTo offset: Int) {
        messageStart = offset
        position = offset
        scanned = offset
    }
}

// MARK: - The states

extension RequestParser {
    private mutating func advance() throws(ParseFault) -> ParserEvent {
        while true {
            switch phase {
            case .betweenRequests(let emptyLines):
                guard try skipEmptyLines(emptyLines) else { return .needMore }
            case .requestLine:
                guard try readRequestLine() else { return .needMore }
            case .fieldLines:
                guard try readFieldLines() else { return .needMore }
                return try finishHead()
            case .fixedBody(let outstanding):
                guard readFixedBody(outstanding) else { return .needMore }
                return finishRequest()
            case .chunkLine:
                guard try readChunkLine() else { return .needMore }
            case .chunkData(let outstanding):
                guard readChunkData(outstanding) else { return .needMore }
            case .chunkEnd:
                guard try readChunkEnd() else { return .needMore }
            case .trailerLines:
                guard try readTrailerLines() else { return .needMore }
                return finishRequest()
            case .stopped:
                return .needMore
            }
        }
    }

    /// RFC 9112 section 2.2: empty lines before a request line are ignored; some old clients send one behind a body.
    private mutating func skipEmptyLines(_ already: Int) throws(ParseFault) -> Bool {
        var emptyLines = already
        while position < buffer.count {
            let byte = buffer[position]
            if byte == ByteName.carriageReturn {
                guard position + 1 < buffer.count else { break }
                guard buffer[position + 1] == ByteName.lineFeed else { throw .bareCarriageReturn }
                emptyLines += 1
                if emptyLines > limits.emptyLinesMax { throw .emptyLines }
                take(upTo: position + 2)
                phase = .betweenRequests(emptyLines: emptyLines)
            } else if byte == ByteName.lineFeed {
                throw .bareLineFeed
            } else if ByteSet.token.contains(byte) {
                phase = .requestLine
                return true
            } else {
                // Junk, or another protocol: there is no use in waiting for its line to end.
                throw byte < 0x20 || byte == ByteName.delete ? .controlByte : .methodByte
            }
        }
        if position == buffer.count { releaseMemory() }
        return false
    }

    private mutating func readRequestLine() throws(ParseFault) -> Bool {
        let bytesMax = limits.requestLineBytesMax
        let scan = LineScan.find(buffer.span, start: position, scanned: scanned, bytesMax: bytesMax)
        guard let end = try lineEnd(scan, tooLong: requestLineTooLong) else { return false }
        line = try RequestLine(buffer.span, position..<end)
        position = end + 2
        scanned = position
        phase = .fieldLines
        return true
    }

    /// RFC 9112 section 3: a method longer than any known is 501, a target longer than is read here 414.
    ///
    /// Decided by the bytes a line may have and no others, so that it does not depend on how many more have arrived.
    private var requestLineTooLong: ParseFault {
        let end = min(buffer.count, position + limits.requestLineBytesMax)
        let isAllMethod = buffer.span.firstOffset(of: ByteName.space, in: position..<end) == nil
        return isAllMethod ? .methodTooLong : .requestLineTooLong
    }

    /// Reads field lines up to and with the empty line; true when the section is complete.
    private mutating func readFieldLines() throws(ParseFault) -> Bool {
        // A local copy, as the buffer's span may not overlap with a change of the parser.
        var framing = framing
        defer { self.framing = framing }
        while true {
            let bytesMax = max(0, limits.headerSectionBytesMax - sectionBytes - 2)
            let scan = LineScan.find(buffer.span, start: position, scanned: scanned, bytesMax: bytesMax)
            guard let end = try lineEnd(scan, tooLong: .fieldsTooLarge) else { return false }
            let start = position
            position = end + 2
            scanned = position
            if end == start { return true }
            sectionBytes += position - start
            if entries.count == limits.headerFieldsMax { throw .tooManyFields }
            let entry = try FieldLine.read(buffer.span, start..<end, base: messageStart)
            try framing.note(buffer.span, entry, base: messageStart)
            entries.append(entry)
        }
    }

    private mutating func finishHead() throws(ParseFault) -> ParserEvent {
        guard let line else { preconditionFailure("a header section without a request line") }
        let outcome = try framing.outcome(minorVersion: line.minorVersion, bodyBytesMax: limits.bodyBytesMax)
        // Exact copies: the buffer and the list keep their capacity for the next request.
        let head = RequestHead(
            bytes: Array(buffer[messageStart..<position]), entries: entries.exactCopy, line: line,
            keepAlive: outcome.keepAlive, expectsContinue: outcome.expectsContinue)
        self.line = nil
        entries.removeAll(keepingCapacity: true)
        framing = Framing()
        sectionBytes = 0
        take(upTo: position)
        guard let length = outcome.bodyLength else {
            endRequest(keepAlive: head.keepAlive)
            return .request(Request(head: head, body: []))
        }
        self.head = head
        switch length {
        case .fixed(let count): phase = .fixedBody(count)
        case .chunked: phase = .chunkLine
        }
        return .head(head, length)
    }

    private mutating func finishRequest() -> ParserEvent {
        guard let head else { preconditionFailure("a body without a head") }
        let request = Request(head: head, body: body)
        self.head = nil
        body = []
        chunks = 0
        extensionBytes = 0
        trailers = 0
        sectionBytes = 0
        endRequest(keepAlive: head.keepAlive)
        return .request(request)
    }

    private mutating func endRequest(keepAlive: Bool) {
        if keepAlive {
            phase = .betweenRequests(emptyLines: 0)
        } else {
            stop()
        }
    }

    /// The offset of the line's end, or nil (and `scanned` moved on) where it has not arrived.
    private mutating func lineEnd(_ scan: LineScan, tooLong: ParseFault) throws(ParseFault) -> Int? {
        switch scan {
        case .end(let offset): return offset
        case .more(let offset):
            scanned = offset
            return nil
        case .tooLong: throw tooLong
        case .bareCarriageReturn: throw .bareCarriageReturn
        case .bareLineFeed: throw .bareLineFeed
        case .controlByte: throw .controlByte
        }
    }
}

// MARK: - Bodies

extension RequestParser {
    /// Moves what has arrived of `outstanding` body bytes; true when all are there.
    private mutating func readFixedBody(_ outstanding: Int) -> Bool {
        let count = collect(outstanding)
        phase = .fixedBody(outstanding - count)
        return count == outstanding
    }

    /// Moves up to `outstanding` bytes from the buffer to the body; gives their number.
    private mutating func collect(_ outstanding: Int) -> Int {
        let count = min(outstanding, buffer.count - position)
        if count > 0 {
            // Memory follows what was sent, not what was announced.
            body.append(contentsOf: buffer[position..<position + count])
            take(upTo: position + count)
        }
        return count
    }

    private mutating func readChunkLine() throws(ParseFault) -> Bool {
        let bytesMax = RequestLimits.chunkSizeDigitsMax + limits.chunkExtensionBytesMax - extensionBytes
        let scan = LineScan.find(buffer.span, start: position, scanned: scanned, bytesMax: bytesMax)
        guard let end = try lineEnd(scan, tooLong: .chunkExtensionsTooLarge) else { return false }
        let chunk = try ChunkLine(buffer.span, position..<end)
        extensionBytes += chunk.extensionBytes
        if extensionBytes > limits.chunkExtensionBytesMax { throw .chunkExtensionsTooLarge }
        take(upTo: end + 2)
        if chunk.size == 0 {
            phase = .trailerLines
            return true
        }
        if chunk.size > limits.bodyBytesMax - body.count { throw .bodyTooLarge }
        chunks += 1
        if chunks > limits.chunksMax { throw .tooManyChunks }
        phase = .chunkData(chunk.size)
        return true
    }

    private mutating func readChunkData(_ outstanding: Int) -> Bool {
        let count = collect(outstanding)
        phase = count == outstanding ? .chunkEnd : .chunkData(outstanding - count)
        return count == outstanding
    }

    /// The line end behind a chunk's data; a wrong byte is a fault as soon as it is there.
    private mutating func readChunkEnd() throws(ParseFault) -> Bool {
        guard position < buffer.count else { return false }
        guard buffer[position] == ByteName.carriageReturn else { throw .chunkEnd }
        guard position + 1 < buffer.count else { return false }
        guard buffer[position + 1] == ByteName.lineFeed else { throw .chunkEnd }
        take(upTo: position + 2)
        phase = .chunkLine
        return true
    }

    /// Checks trailer lines up to and with the empty line and drops them: merging them into the header section would let a
    /// sender set fields behind the back of whoever judged the head (RFC 9110 section 6.5.1).
    private mutating func readTrailerLines() throws(ParseFault) -> Bool {
        while true {
            let bytesMax = max(0, limits.trailerBytesMax - sectionBytes - 2)
            let scan = LineScan.find(buffer.span, start: position, scanned: scanned, bytesMax: bytesMax)
            guard let end = try lineEnd(scan, tooLong: .trailersTooLarge) else { return false }
            let start = position
            if end == start {
                take(upTo: end + 2)
                return true
            }
            trailers += 1
            if trailers > limits.headerFieldsMax { throw .trailersTooLarge }
            _ = try FieldLine.read(buffer.span, start..<end, base: start)
            sectionBytes += end + 2 - start
            take(upTo: end + 2)
        }
    }
}
