import Foundation
import Glibc
import Synchronization

/// A server in the test's process that answers each connection with the next bytes of a script, well-formed or not.
final class ScriptedServer: Sendable {
    enum Step: Sendable {
        /// Reads the request, sends this, closes.
        case send(String)
        /// Reads the request and says nothing until the client has gone.
        case stall
        /// Reads the request, and resets the connection.
        case reset
        /// Sends a head, and then this many bytes of body in pieces.
        case flood(head: String, bytes: Int)
    }

    let port: Int
    private let descriptor: Int32
    private let script: Mutex<[Step]>
    private let heard = Mutex<[String]>([])
    private let isEnded = Atomic(false)
    /// Told by the thread that accepts, when it does so no more.
    private let noMore = DispatchSemaphore(value: 0)

    /// The requests so far, whole.
    var requests: [String] { heard.withLock { $0 } }

    init(_ script: Step...) throws {
        self.script = Mutex(script)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, length) = (descriptor, size)
        // A sockaddr_in is passed as the sockaddr it begins with.
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                guard unsafe bind(listener, rebound, length) == 0, listen(listener, 16) == 0 else { return Int32(-1) }
                return unsafe getsockname(listener, rebound, &size)
            }
        }
        guard result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in accept() }
    }

    /// Listens no more.
    func end() {
        // Once, and not before its thread has looked at it for the last time: the number may be another test's from then on.
        guard !isEnded.exchange(true, ordering: .relaxed) else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
        noMore.wait()
        close(descriptor)
    }

    private func accept() {
        while true {
            let connection = Glibc.accept(descriptor, nil, nil)
            if connection < 0 {
                if !isEnded.load(ordering: .relaxed) { continue }
                noMore.signal()
                return
            }
            Thread.detachNewThread { [self] in
                serve(connection)
                close(connection)
            }
        }
    }

    private func serve(_ connection: Int32) {
        guard let request = Self.read(connection) else { return }
        heard.withLock { $0.append(request) }
        guard let step = script.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
        switch step {
        case .send(let text): _ = Self.write(connection, Array(text.utf8))
        case .stall:
            var byte: UInt8 = 0
            while unsafe recv(connection, &byte, 1, 0) > 0 {}
        case .reset:
            var linger = linger(l_onoff: 1, l_linger: 0)
            // The kernel reads a linger of this size.
            unsafe setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        case .flood(let head, let bytes):
            guard Self.write(connection, Array(head.utf8)) else { return }
            var left = bytes
            while left > 0, Self.write(connection, [UInt8](repeating: 0x20, count: min(left, 65_536))) { left -= 65_536 }
        }
    }

    private static func read(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(connection, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return nil }
            bytes += chunk.prefix(count)
            let text = String(decoding: bytes, as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let length = text[..<end.lowerBound].split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.split(separator: ":")[1].trimmingCharacters(in: .whitespaces)) }
            if text[end.upperBound...].utf8.count >= length ?? 0 { return text }
        }
    }

    private static func write(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
        // MSG_NOSIGNAL: the client may have gone.
        unsafe bytes.withUnsafeBytes { unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
    }
}
