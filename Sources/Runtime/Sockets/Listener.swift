internal import CLinux
internal import Glibc

/// A listening TCP socket with one owner.
public struct Listener: ~Copyable, Sendable {
    /// Connections the kernel keeps for us before they are accepted; it takes no more than net.core.somaxconn.
    public static let backlogMax: Int32 = 1024

    /// Closed with the listener; non-blocking, unless it was adopted otherwise.
    public let descriptor: Descriptor
    /// Where it listens, with the port the system chose where 0 was asked for.
    public let address: SocketAddress

    /// Binds and listens. Errors name the address: in use, not permitted, not of this machine.
    public init(host: String, port: UInt16) throws(SystemError) {
        var address = try SocketAddress(host: host, port: port)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let family = address.family
        let descriptor = Descriptor(adopting: Int32(try System.checked("socket") { Int(socket(family, kind, 0)) }))
        let raw = descriptor.raw
        // A restart may bind while old connections linger in TIME_WAIT; a live listener still excludes another.
        try Listener.setOption(raw, SOL_SOCKET, SO_REUSEADDR)
        // Set once here: on Linux an accepted socket inherits it. Answers leave whole, so Nagle's wait could only delay them.
        try Listener.setOption(raw, Int32(IPPROTO_TCP), TCP_NODELAY)
        do throws(SystemError) {
            try System.checked("bind") { unsafe address.withPointer { unsafe Int(bind(raw, $0, $1)) } }
            try System.checked("listen") { Int(listen(raw, Listener.backlogMax)) }
        } catch {
            throw error.about("\(address)")
        }
        try System.checked("getsockname") { unsafe address.withMutablePointer { unsafe Int(getsockname(raw, $0, $1)) } }
        self.address = address
        self.descriptor = descriptor
    }

    /// Takes ownership of a socket that listens at `address` already.
    public init(adopting descriptor: consuming Descriptor, address: SocketAddress) {
        self.descriptor = descriptor
        self.address = address
    }

    /// Gives up ownership without closing, for a hand-over into an escaping closure.
    public consuming func release() -> Int32 { descriptor.release() }

    /// Adds the listener to a loop's epoll set (`EventLoop.register`).
    public borrowing func register(for interest: Interest, _ handler: any EventHandler, on loop: isolated EventLoop)
        throws(SystemError) -> Registration
    {
        try loop.register(descriptor, for: interest, handler)
    }

    /// Accepts one connection; nil where none waits. `SystemError.isExhaustion` tells to pause.
    ///
    /// Errors of a connection that failed before it was accepted are passed over (accept(2), "Error handling").
    public borrowing func accept() throws(SystemError) -> Accepted? {
        while true {
            var peer = SocketAddress()
            let raw = descriptor.raw
            do throws(SystemError) {
                let accepted = try System.retrying("accept4") {
                    unsafe peer.withMutablePointer {
                        unsafe Int(accept4(raw, $0, $1, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)))
                    }
                }
                guard let accepted else { return nil }
                return Accepted(socket: Socket(adopting: Descriptor(adopting: Int32(accepted))), peer: peer)
            } catch {
                switch error.code {
                case ECONNABORTED, EPROTO, ENOPROTOOPT, EHOSTDOWN, ENONET, EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH, ENETDOWN, EPERM:
                    continue
                default: throw error
                }
            }
        }
    }

    private static func setOption(_ raw: Int32, _ level: Int32, _ name: Int32) throws(SystemError) {
        var value: Int32 = 1
        try System.checked("setsockopt") { unsafe Int(setsockopt(raw, level, name, &value, socklen_t(MemoryLayout<Int32>.size))) }
    }
}

/// A connection just accepted, and who is at its other end.
public struct Accepted: ~Copyable, Sendable {
    /// Connected, non-blocking and closed on exec.
    public let socket: Socket
    /// The other end's address, which is the proxy's where one stands in front.
    public let peer: SocketAddress

    /// The socket, taken out.
    public consuming func take() -> Socket { socket }
}
