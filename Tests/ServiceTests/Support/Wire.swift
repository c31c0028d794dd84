import Foundation
import Glibc

/// One connection to the service: exact bytes out, answers in. Blocking, each step with a deadline.
@ServiceQueue final class Wire {
    enum Fault: Error {
        case cannotConnect(errno: Int32)
        case cannotSend(errno: Int32)
        /// Nothing came for as long as a test waits; with what had come until then.
        case silent(String)
        /// The service closed (or reset) before the answer was whole.
        case closed(String)
        /// The service left the connection open, or sent more, where it had to close.
        case stillOpen(String)
    }

    /// How long a step may take before the test fails. Generous: it only bounds a failure.
    nonisolated static let stepSecondsMax = 20

    private let descriptor: Int32
    private var reader = AnswerReader()
    private var ended = false

    /// Connects to 127.0.0.1.
    init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: Self.stepSecondsMax, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        // The kernel reads a timeval of this size from each pointer, and keeps neither.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        // A sockaddr_in is passed as the sockaddr it begins with, as connect(2) wants.
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
                unsafe connect(descriptor, rebound, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let reason = errno
            throw Fault.cannotConnect(errno: reason)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends exactly these bytes.
    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes { buffer in
                // MSG_NOSIGNAL: a service that has closed is an error here, not a signal.
                unsafe Glibc.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else {
                let reason = errno
                if reason == EINTR { continue }
                throw Fault.cannotSend(errno: reason)
            }
            rest = rest.dropFirst(sent)
        }
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Says that nothing more will be sent.
    func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The next answer.
    func receive(isHead: Bool = false) throws -> Answer {
        while true {
            if let answer = try reader.next(isHead: isHead, ended: ended) { return answer }
            guard !ended else { throw Fault.closed(reader.rest) }
            try fill()
        }
    }

    /// Waits for the service to close. Nothing may come before it does.
    func expectClose() throws {
        while !ended {
            guard reader.isEmpty else { throw Fault.stillOpen(reader.rest) }
            do { try fill() } catch Fault.silent { throw Fault.stillOpen("nothing for \(Self.stepSecondsMax) s") }
        }
        guard reader.isEmpty else { throw Fault.stillOpen(reader.rest) }
    }

    /// The next bytes as they come, for an answer without an end; none where the service has closed.
    func receiveBytes() throws -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { buffer in
                unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
            }
            let reason = errno
            if count >= 0 { return Array(chunk.prefix(count)) }
            if reason == EAGAIN { throw Fault.silent("") }
            if reason == ECONNRESET || reason == EPIPE { return [] }
            if reason != EINTR { throw Fault.closed("recv: errno \(reason)") }
        }
    }

    private func fill() throws {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe chunk.withUnsafeMutableBytes { buffer in
            unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
        }
        if count > 0 { return reader.receive(chunk.prefix(count)) }
        let reason = errno
        if count == 0 || reason == ECONNRESET || reason == EPIPE {
            ended = true
        } else if reason == EAGAIN {
            throw Fault.silent(reader.rest)
        } else if reason != EINTR {
            throw Fault.closed("recv: errno \(reason)")
        }
    }
}
