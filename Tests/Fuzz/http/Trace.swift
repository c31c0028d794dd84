/// What the parser makes of an input given in pieces: its events as comparable values, and the requests among them.
struct Trace {
    /// An event, reduced to what can be compared.
    enum Event: Equatable {
        case head([UInt8], BodyLength)
        case request([UInt8], entries: [FieldEntry], keepAlive: Bool, expectsContinue: Bool, body: [UInt8])
        case fault(ParseFault)
    }

    var events: [Event] = []
    var requests: [Request] = []
    /// What the parser says of itself at the end.
    var state: [Bool] = []

    /// Feeds pieces of the given sizes in turn, over and over, until the input is used up.
    init(_ input: [UInt8], pieces: [Int], limits: RequestLimits) {
        var parser = RequestParser(limits: limits)
        var start = 0
        var turn = 0
        repeat {
            let end = min(input.count, start + max(1, pieces[turn % pieces.count]))
            parser.receive(Array(input[start..<end]))
            start = end
            turn += 1
            drain(&parser, limits)
        } while start < input.count
        state = [parser.isStopped, parser.isIdle, parser.isInHead, parser.isInBody, parser.faultAtEnd != nil]
        precondition(state[0...3].filter { $0 }.count == 1, "the parser is in exactly one state")
    }

    private mutating func drain(_ parser: inout RequestParser, _ limits: RequestLimits) {
        while true {
            let event = parser.next()
            if case .fault? = events.last {
                guard case .needMore = event else { preconditionFailure("an event behind a fault") }
            }
            switch event {
            case .needMore:
                // What waits is at most an unfinished head or line, however much has been received.
                let linesMax = limits.requestLineBytesMax + limits.headerSectionBytesMax + limits.chunkExtensionBytesMax
                precondition(parser.bufferedBytes <= linesMax + RequestLimits.chunkSizeDigitsMax + 4, "the parser hoards bytes")
                return
            case .head(let head, let length):
                events.append(.head(head.bytes, length))
            case .request(let request):
                let head = request.head
                events.append(
                    .request(
                        head.bytes, entries: head.entries, keepAlive: head.keepAlive, expectsContinue: head.expectsContinue,
                        body: request.body))
                requests.append(request)
            case .fault(let fault):
                precondition([400, 413, 414, 417, 431, 501, 505].contains(fault.status.code), "an unknown fault")
                events.append(.fault(fault))
            }
        }
    }
}
