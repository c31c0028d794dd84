public import Runtime

/// An answer that goes on: written piece by piece on its loop, bounded, ended once.
public struct ResponseStream: Sendable {
    /// The exchange it answers; for `onClose`, `onDrain` and the loop.
    public let exchange: Exchange

    /// Appends `bytes` to the answer. False where nothing was taken: the stream is over, or the client reads too slowly and
    /// `ServerLimits.streamBytesMax` would be passed; then either end it or wait with `whenWritable` and catch up.
    @discardableResult
    public func write(_ bytes: [UInt8], on loop: isolated EventLoop) -> Bool {
        exchange.connection(on: loop)?.write(bytes, to: exchange.sequence, on: loop) ?? false
    }

    /// Bytes taken but not yet passed to the system; 0 once it is over.
    public func bufferedBytes(on loop: isolated EventLoop) -> Int {
        exchange.connection(on: loop)?.bufferedBytes(of: exchange.sequence) ?? 0
    }

    /// Whether it goes on: neither ended nor gone.
    public func isOpen(on loop: isolated EventLoop) -> Bool { exchange.isOpen(on: loop) }

    /// Runs `job` once when less than half of `ServerLimits.streamBytesMax` is buffered: soon if that is so now; never once the stream is over.
    public func whenWritable(on loop: isolated EventLoop, _ job: @escaping EventLoop.LocalJob) {
        exchange.connection(on: loop)?.whenWritable(exchange.sequence, on: loop, job)
    }

    /// Ends the answer; what was written before still leaves. A second time is harmless.
    public func end(on loop: isolated EventLoop) {
        exchange.connection(on: loop)?.endStream(exchange.sequence, on: loop)
    }
}
