internal import CLinux
internal import Glibc

/// An IPv4 or IPv6 address with a port.
public struct SocketAddress: Sendable, CustomStringConvertible {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// Storage for a call to fill.
    init() {}

    /// Looks `host` up (a numeric address, or a name the system knows; the first answer is taken). Blocking: at start only.
    public init(host: String, port: UInt16) throws(SystemError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_family = AF_UNSPEC
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let first = unsafe found else {
            let number = code == EAI_SYSTEM ? errno : code == EAI_MEMORY ? ENOMEM : EADDRNOTAVAIL
            throw SystemError(call: "getaddrinfo", code: number, subject: host)
        }
        defer { unsafe freeaddrinfo(found) }
        length = unsafe first.pointee.ai_addrlen
        // The kernel's own length, at most the size of the storage, which is made for every family.
        unsafe withUnsafeMutableBytes(of: &storage) { storage in
            unsafe storage.copyMemory(
                from: UnsafeRawBufferPointer(start: first.pointee.ai_addr, count: Int(first.pointee.ai_addrlen)))
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// Calls `body` with the address in the form the socket calls want.
    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        // Every socket address begins with the same header; this cast is how the socket interface is made (POSIX, sys/socket.h).
        unsafe withUnsafePointer(to: storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }

    /// As `withPointer`, for a call that fills the address in.
    mutating func withMutablePointer<Result>(_ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result)
        -> Result
    {
        unsafe withUnsafeMutablePointer(to: &length) { length in
            unsafe withUnsafeMutablePointer(to: &storage) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
            }
        }
    }

    /// The port in the host's order.
    public var port: UInt16 {
        // Both families keep the port, in network order, in the two bytes after the family.
        unsafe withUnsafeBytes(of: storage) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
    }

    /// The numeric host, such as `127.0.0.1` or `::1`.
    public var host: String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let code = unsafe withPointer { pointer, length in
            unsafe getnameinfo(pointer, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        }
        guard code == 0 else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// What counts as one client for limits: an IPv4 address, also where it comes mapped into an IPv6 one (RFC 4291, section 2.5.5.2), or the
    /// first 64 bits of an IPv6 one (one site may use all the rest).
    public var clientKey: UInt64 {
        unsafe withUnsafeBytes(of: storage) { bytes in
            var key: UInt64 = 0
            var range = family == AF_INET6 ? 8..<16 : 4..<8
            if family == AF_INET6, unsafe bytes[8..<18].allSatisfy({ $0 == 0 }) && bytes[18] == 0xff && bytes[19] == 0xff {
                range = 20..<24
            }
            for offset in range { key = unsafe key << 8 | UInt64(bytes[offset]) }
            return key
        }
    }

    /// `127.0.0.1:8080`, `[::1]:8080`.
    public var description: String { family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
