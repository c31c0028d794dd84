/// Turns the bytes of one connection into requests (RFC 9112): a value without I/O that owns its input and is bounded.
///
/// Feed it with `receive`, then take events with `next` until it says `needMore`. The events depend on the bytes alone,
/// never on how they were split. It refuses what it would have to repair, and after the first fault, or a request after
/// which the connection ends, it parses nothing more and drops what arrives.
///
/// It keeps at most the bytes given to it and not yet taken. A caller that stops asking for events (because enough
/// requests are in flight) must stop receiving too; the parser itself holds back one body of at most `bodyBytesMax`.
public struct RequestParser: Sendable {
    /// Where in a message the next byte belongs.
    private enum Phase: Sendable, Equatable {
        /// Between requests; empty lines are skipped here, so many so far.
        case betweenRequests(emptyLines: Int)
        case requestLine
        case fieldLines
        case body
        /// Nothing is parsed any more.
        case stopped
    }

    /// Room for the fields of most requests, made at once.
    private static var usualFields: Int { 12 }

    /// The bounds in force.
    public let limits: RequestLimits

    private var phase = Phase.betweenRequests(emptyLines: 0)
    private var input = InputBuffer()

    // The head being read; after it, `line` and `entries` are empty.
    private var line: RequestLine?
    private var entries: [FieldEntry] = []
    private var framing = Framing()
    /// Bytes of the header section so far.
    private var sectionBytes = 0

    // The request whose body is being read, in that phase only.
    private var head: RequestHead?
    private var body: BodyReader?

    /// A parser at the start of a connection.
    ///
    /// - Precondition: no relation of the limits is violated.
    public init(limits: RequestLimits = RequestLimits()) {
        precondition(limits.violatedRelation == nil, "limits that contradict each other")
        self.limits = limits
    }

    /// The number of bytes received and not yet taken; those of a body collected so far are taken.
    public var bufferedBytes: Int { input.count }

    /// The number of bytes that the input's memory has room for.
    var bufferedCapacity: Int { input.bytes.capacity }

    /// Whether the connection is between requests with nothing begun; the idle deadline applies.
    public var isIdle: Bool {
        if case .betweenRequests = phase { return input.count == 0 }
        return false
    }

    /// Whether a head has begun and is not complete; the header deadline applies.
    public var isInHead: Bool {
        switch phase {
        case .betweenRequests: input.count > 0
        case .requestLine, .fieldLines: true
        case .body, .stopped: false
        }
    }

    /// Whether a body has begun and is not complete; the body deadline applies.
    public var isInBody: Bool { phase == .body }

    /// Whether the request that is being read, or was at fault, is a HEAD: its answer has no content (RFC 9110 section 9.3.2).
    public private(set) var isHeadRequest = false

    /// Whether nothing is parsed any more: after a fault, after the connection's last request, or after `stop`.
    public var isStopped: Bool { phase == .stopped }

    /// The fault to answer where the input ends here, or nil where it ends between requests or after the last one.
    public var faultAtEnd: ParseFault? { isInHead || isInBody ? .incomplete : nil }

    /// Takes over bytes as they came from the connection; once stopped, drops them.
    public mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        if phase != .stopped { unsafe input.receive(bytes) }
    }

    /// Takes over bytes from an array; once stopped, drops them.
    public mutating func receive(_ bytes: [UInt8]) {
        if phase != .stopped { input.receive(bytes) }
    }

    /// Ends parsing: for a connection that closes behind an answer given before the request was whole.
    public mutating func stop() {
        phase = .stopped
        input = InputBuffer()
        line = nil
        entries = []
        head = nil
        body = nil
    }

    /// The next event.
    public mutating func next() -> ParserEvent {
        do throws(ParseFault) {
            return try advance()
        } catch {
            stop()
            return .fault(error)
        }
    }

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
            case .body:
                guard try body?.read(&input, limits: limits) == true else { return .needMore }
                return finishBody()
            case .stopped:
                return .needMore
            }
        }
    }

    /// RFC 9112 section 2.2: empty lines before a request line are ignored; some old clients send one behind a body.
    private mutating func skipEmptyLines(_ already: Int) throws(ParseFault) -> Bool {
        var emptyLines = already
        while input.count > 0 {
            let byte = input.bytes[input.position]
            if byte == ByteName.carriageReturn {
                guard input.count > 1 else { return false }
                guard input.bytes[input.position + 1] == ByteName.lineFeed else { throw .bareCarriageReturn }
                emptyLines += 1
                if emptyLines > limits.emptyLinesMax { throw .emptyLines }
                input.discard(2)
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
        input.releaseMemory()
        return false
    }

    private mutating func readRequestLine() throws(ParseFault) -> Bool {
        do throws(ParseFault) {
            let bytesMax = limits.requestLineBytesMax
            isHeadRequest = input.count >= 5 && input.bytes.span.holds("HEAD ", at: input.position)
            guard let range = try input.takeLine(bytesMax: bytesMax, tooLong: .requestLineTooLong) else { return false }
            line = try RequestLine(input.bytes.span, range)
        } catch .requestLineTooLong where isAllMethod {
            throw .methodTooLong
        }
        phase = .fieldLines
        return true
    }

    /// Whether the request line, as far as it may go, has no end of a method (RFC 9112 section 3: then it is 501, not 414).
    ///
    /// Decided by the bytes that a line may have and no others, so that it does not depend on how many more have arrived.
    private var isAllMethod: Bool {
        let line = input.position..<min(input.bytes.count, input.position + limits.requestLineBytesMax)
        return input.bytes.span.firstOffset(of: ByteName.space, in: line) == nil
    }

    /// Reads field lines up to and with the empty line; true when the section is complete.
    private mutating func readFieldLines() throws(ParseFault) -> Bool {
        if entries.isEmpty { entries.reserveCapacity(RequestParser.usualFields) }
        // A local copy, as the input's span may not overlap with a change of the parser.
        var framing = framing
        defer { self.framing = framing }
        while true {
            let bytesMax = max(0, limits.headerSectionBytesMax - sectionBytes - 2)
            guard let line = try input.takeLine(bytesMax: bytesMax, tooLong: .fieldsTooLarge) else { return false }
            if line.isEmpty { return true }
            sectionBytes += line.count + 2
            if entries.count == limits.headerFieldsMax { throw .tooManyFields }
            let field = try FieldLine.read(input.bytes.span, line)
            try framing.note(input.bytes.span, name: field.name, value: field.value)
            let start = input.keepStart
            entries.append(FieldEntry(name: Extent(field.name, from: start), value: Extent(field.value, from: start)))
        }
    }

    private mutating func finishHead() throws(ParseFault) -> ParserEvent {
        guard let line else { preconditionFailure("a header section without a request line") }
        let outcome = try framing.outcome(minorVersion: line.minorVersion, bodyBytesMax: limits.bodyBytesMax)
        // The head takes the list over, and the input's memory where nothing else is in it.
        let head = RequestHead(
            bytes: input.giveTaken(), entries: entries, line: line, keepAlive: outcome.keepAlive,
            expectsContinue: outcome.expectsContinue)
        self.line = nil
        entries = []
        framing = Framing()
        sectionBytes = 0
        guard let length = outcome.bodyLength else {
            endRequest(keepAlive: head.keepAlive)
            return .request(Request(head: head, body: []))
        }
        self.head = head
        body = BodyReader(length)
        phase = .body
        return .head(head, length)
    }

    private mutating func finishBody() -> ParserEvent {
        guard let head, let body else { preconditionFailure("a body without a head") }
        self.head = nil
        self.body = nil
        endRequest(keepAlive: head.keepAlive)
        return .request(Request(head: head, body: body.bytes))
    }

    private mutating func endRequest(keepAlive: Bool) {
        isHeadRequest = false
        if keepAlive {
            phase = .betweenRequests(emptyLines: 0)
        } else {
            stop()
        }
    }
}
