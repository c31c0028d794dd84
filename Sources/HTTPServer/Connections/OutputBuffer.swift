/// Bytes on their way to one client, in one array that is used again and again.
struct OutputBuffer: ~Copyable {
    /// What is to be sent, from `start` on; what is before it has been sent.
    private(set) var bytes: [UInt8] = []
    private(set) var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { start == bytes.count }

    /// Gives the array to append to.
    @inline(__always)
    mutating func append(_ body: (inout [UInt8]) -> Void) {
        // Moving what is left to the front pays off once the sent part is the larger one: each byte is moved at most once on average.
        if start > bytes.count / 2 && start > 4096 {
            bytes.removeFirst(start)
            start = 0
        }
        body(&bytes)
    }

    /// The first `sent` bytes have left.
    @inline(__always)
    mutating func consume(_ sent: Int) {
        precondition(sent <= count, "more was sent than there was")
        start += sent
        if isEmpty { reset() }
    }

    /// Drops what was not sent.
    mutating func reset() {
        // An idle connection keeps little: ten thousand of them must not hold ten thousand large answers' room.
        if bytes.capacity > ServerLimits.idleOutputBytesMax { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
        start = 0
    }
}
