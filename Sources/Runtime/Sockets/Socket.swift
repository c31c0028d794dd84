internal import CLinux
internal import Glibc

/// A connected, non-blocking TCP socket with one owner.
public struct Socket: ~Copyable, Sendable {
    /// Closed with the socket.
    public let descriptor: Descriptor

    /// Takes ownership of a connected, non-blocking socket.
    public init(adopting descriptor: consuming Descriptor) {
        self.descriptor = descriptor
    }

    /// Gives up ownership without closing, for a hand-over into an escaping closure.
    public consuming func release() -> Int32 { descriptor.release() }

    /// Adds the socket to a loop's epoll set (`EventLoop.register`).
    public borrowing func register(for interest: Interest, _ handler: any EventHandler, on loop: isolated EventLoop)
        throws(SystemError) -> Registration
    {
        try loop.register(descriptor, for: interest, handler)
    }

    /// Receives into the front of `buffer`, at most its count.
    @inline(__always)
    public borrowing func receive(into buffer: inout [UInt8]) throws(SystemError) -> Transfer {
        let raw = descriptor.raw
        let count = try System.retrying("recv") {
            // The length passed is the buffer's own.
            unsafe buffer.withUnsafeMutableBytes { unsafe recv(raw, $0.baseAddress, $0.count, 0) }
        }
        guard let count else { return .wouldBlock }
        return count == 0 ? .end : .count(count)
    }

    /// Sends from `bytes[offset...]`, as much as there is room for. A peer that is gone is an error, never a signal.
    @inline(__always)
    public borrowing func send(_ bytes: [UInt8], from offset: Int = 0) throws(SystemError) -> Transfer {
        precondition(offset < bytes.count, "nothing to send")
        let raw = descriptor.raw
        let count = try System.retrying("send") {
            // `offset` is within the buffer, by the precondition.
            unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.send(raw, buffer.baseAddress! + offset, buffer.count - offset, Int32(MSG_NOSIGNAL))
            }
        }
        guard let count else { return .wouldBlock }
        return .count(count)
    }

    /// Ends our sending; the peer reads an end of file after what was sent. A peer that is gone already is no error here.
    public borrowing func shutdownWrite() {
        _ = shutdown(descriptor.raw, Int32(SHUT_WR))
    }

    /// Makes closing discard what is unsent and reset the peer (SO_LINGER of zero), for a connection that is being given up.
    public borrowing func resetOnClose() {
        var value = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(descriptor.raw, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
    }
}
