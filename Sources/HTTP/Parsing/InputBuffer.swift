/// The bytes of a connection that have arrived and are not done with, taken line by line or in pieces.
///
/// `keepStart <= position <= scanned <= bytes.count` holds always. Moving and growing cost time linear in the input.
struct InputBuffer: Sendable {
    /// An idle connection keeps no more memory than this for its next request.
    static var idleCapacityMax: Int { 4_096 }

    /// The bytes; those before `keepStart` are done with.
    private(set) var bytes: [UInt8] = []
    /// The first byte that must be kept, though it may have been taken: where the head being read starts.
    private(set) var keepStart = 0
    /// The first byte not taken.
    private(set) var position = 0
    /// No line end lies between `position` and here.
    private var scanned = 0

    /// The number of bytes not taken.
    var count: Int { bytes.count - position }

    /// Takes over bytes.
    mutating func receive(_ received: UnsafeRawBufferPointer) {
        makeRoom()
        // Copied before the call returns, so that the pointer's life stays the caller's affair.
        unsafe bytes.append(contentsOf: received)
    }

    /// Takes over bytes.
    mutating func receive(_ received: [UInt8]) {
        makeRoom()
        bytes.append(contentsOf: received)
    }

    /// Takes the next line with its line end, of at most `bytesMax` bytes without it, and gives the content's range.
    ///
    /// Nil where its end has not arrived. The bytes stay until `discardTaken`.
    /// - Throws: `tooLong`, or 400 for a control that a line cannot have.
    @inline(__always)
    mutating func takeLine(bytesMax: Int, tooLong: @autoclosure () -> ParseFault) throws(ParseFault) -> Range<Int>? {
        switch LineScan.find(bytes.span, start: position, scanned: scanned, bytesMax: bytesMax) {
        case .end(let end):
            let line = position..<end
            position = end + 2
            scanned = position
            return line
        case .more(let offset):
            scanned = offset
            return nil
        case .tooLong: throw tooLong()
        case .bareCarriageReturn: throw .bareCarriageReturn
        case .bareLineFeed: throw .bareLineFeed
        case .controlByte: throw .controlByte
        }
    }

    /// Takes `count` bytes, which must have arrived, and gives them up.
    mutating func discard(_ count: Int) {
        position += count
        scanned = position
        keepStart = position
    }

    /// Gives up all bytes taken so far.
    mutating func discardTaken() {
        keepStart = position
    }

    /// Gives the bytes taken since `keepStart` as an array of their own, and gives them up.
    ///
    /// Where there are no others, as with a request that came alone, the memory itself changes hands.
    mutating func giveTaken() -> [UInt8] {
        if keepStart == 0, position == bytes.count {
            let taken = bytes
            self = InputBuffer()
            return taken
        }
        let taken = Array(bytes[keepStart..<position])
        keepStart = position
        return taken
    }

    /// Moves up to `count` bytes to the end of `body`; gives their number.
    mutating func move(upTo count: Int, to body: inout [UInt8]) -> Int {
        let moved = min(count, self.count)
        if moved > 0 {
            // Memory follows what was sent, not what was announced.
            body.append(contentsOf: bytes[position..<position + moved])
            discard(moved)
        }
        return moved
    }

    /// Releases the memory that a large request has taken, where nothing is left in it.
    mutating func releaseMemory() {
        if keepStart == bytes.count, bytes.capacity > InputBuffer.idleCapacityMax { self = InputBuffer() }
    }

    /// Gives up what is done with; moves bytes only where at least as many are given up.
    private mutating func makeRoom() {
        if keepStart == bytes.count {
            bytes.removeAll(keepingCapacity: true)
        } else if keepStart >= bytes.count - keepStart {
            bytes.removeSubrange(0..<keepStart)
        } else {
            return
        }
        scanned -= keepStart
        position -= keepStart
        keepStart = 0
    }
}
