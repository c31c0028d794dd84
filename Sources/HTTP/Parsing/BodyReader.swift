/// Collects the body of one request, with the chunked coding taken off (RFC 9112 sections 6 and 7.1).
struct BodyReader: Sendable {
    /// What comes next.
    private enum Phase: Sendable {
        /// So many bytes of a body whose length was told.
        case fixed(Int)
        case chunkLine
        /// So many bytes of a chunk.
        case chunkData(Int)
        case chunkEnd
        case trailerLines
    }

    private var phase: Phase
    private var chunks = 0
    private var extensionBytes = 0
    private var trailers = 0
    private var trailerBytes = 0

    /// The body so far.
    private(set) var bytes: [UInt8] = []

    /// A reader of a body that has not begun.
    init(_ length: BodyLength) {
        switch length {
        case .fixed(let count): phase = .fixed(count)
        case .chunked: phase = .chunkLine
        }
    }

    /// Takes what has arrived of the body; true when it is whole, and nothing behind it has been taken.
    ///
    /// - Throws: 400 for a fault in the coding, 413 for a body, or 431 for trailers beyond the limits.
    mutating func read(_ input: inout InputBuffer, limits: RequestLimits) throws(ParseFault) -> Bool {
        while true {
            switch phase {
            case .fixed(let outstanding):
                let moved = input.move(upTo: outstanding, to: &bytes)
                phase = .fixed(outstanding - moved)
                return moved == outstanding
            case .chunkLine:
                guard try readChunkLine(&input, limits) else { return false }
            case .chunkData(let outstanding):
                let moved = input.move(upTo: outstanding, to: &bytes)
                phase = moved == outstanding ? .chunkEnd : .chunkData(outstanding - moved)
                if moved < outstanding { return false }
            case .chunkEnd:
                guard try readChunkEnd(&input) else { return false }
            case .trailerLines:
                return try readTrailerLines(&input, limits)
            }
        }
    }

    private mutating func readChunkLine(_ input: inout InputBuffer, _ limits: RequestLimits) throws(ParseFault) -> Bool {
        let bytesMax = RequestLimits.chunkSizeDigitsMax + limits.chunkExtensionBytesMax - extensionBytes
        guard let line = try input.takeLine(bytesMax: bytesMax, tooLong: .chunkExtensionsTooLarge) else { return false }
        let chunk = try ChunkLine(input.bytes.span, line)
        input.discardTaken()
        extensionBytes += chunk.extensionBytes
        if extensionBytes > limits.chunkExtensionBytesMax { throw .chunkExtensionsTooLarge }
        if chunk.size == 0 {
            phase = .trailerLines
            return true
        }
        if chunk.size > limits.bodyBytesMax - bytes.count { throw .bodyTooLarge }
        chunks += 1
        if chunks > limits.chunksMax { throw .tooManyChunks }
        phase = .chunkData(chunk.size)
        return true
    }

    /// The line end behind a chunk's data; a wrong byte is a fault as soon as it is there.
    private mutating func readChunkEnd(_ input: inout InputBuffer) throws(ParseFault) -> Bool {
        guard input.count > 0 else { return false }
        guard input.bytes[input.position] == ByteName.carriageReturn else { throw .chunkEnd }
        guard input.count > 1 else { return false }
        guard input.bytes[input.position + 1] == ByteName.lineFeed else { throw .chunkEnd }
        input.discard(2)
        phase = .chunkLine
        return true
    }

    /// Checks trailer lines up to and with the empty line and drops them: merged into the header section they would let a
    /// sender set fields behind the back of whoever judged the head (RFC 9110 section 6.5.1).
    private mutating func readTrailerLines(_ input: inout InputBuffer, _ limits: RequestLimits) throws(ParseFault) -> Bool {
        while true {
            let bytesMax = max(0, limits.trailerBytesMax - trailerBytes - 2)
            guard let line = try input.takeLine(bytesMax: bytesMax, tooLong: .trailersTooLarge) else { return false }
            if !line.isEmpty {
                trailers += 1
                if trailers > limits.headerFieldsMax { throw .trailersTooLarge }
                _ = try FieldLine.read(input.bytes.span, line)
                trailerBytes += line.count + 2
            }
            input.discardTaken()
            if line.isEmpty { return true }
        }
    }
}
