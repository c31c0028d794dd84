import Foundation
import Glibc
import Synchronization

/// A payment service in the test's process that honours idempotency keys: a charge is made once for each key, whoever asks again.
///
/// Each request waits until the test says what is to become of it, so that the service under test can be killed between any two steps.
final class PaymentServer: Sendable {
    private struct State {
        var charged: [String: String] = [:]
        var requests = 0
        /// What every request is answered with that the test says nothing of; nil waits for its word.
        var usual: Reply?
    }

    /// What a request is answered with.
    enum Reply: Sendable {
        /// Charged, once a key, and said so.
        case charge
        /// Charged, and the connection cut before a word.
        case chargeSilently
        case refuse
        case fail
    }

    let port: Int
    private let descriptor: Int32
    private let state = Mutex(State())
    private let arrivals = DispatchSemaphore(value: 0)
    private let replies = Mutex<[Reply]>([])
    private let permits = DispatchSemaphore(value: 0)
    private let charged = DispatchSemaphore(value: 0)
    private let isEnded = Atomic(false)
    /// Told by the thread that accepts, when it does so no more.
    private let noMore = DispatchSemaphore(value: 0)

    init() throws {
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
        guard result == 0 else { throw Wire.Fault.cannotConnect(errno: errno) }
        port = Int(UInt16(bigEndian: address.sin_port))
        let server = self
        Thread.detachNewThread { server.accept() }
    }

    /// The charges made, by key: what was paid for.
    var charges: [String: String] { state.withLock(\.charged) }
    /// Requests that came, repeated ones too.
    var requests: Int { state.withLock(\.requests) }

    /// Waits for the next request; false where none comes.
    func waitForRequest() -> Bool { arrivals.wait(timeout: .now() + .seconds(Wire.stepSecondsMax)) == .success }

    /// Lets one request be answered.
    func reply(_ reply: Reply) {
        replies.withLock { $0.append(reply) }
        permits.signal()
    }

    /// Has every request answered so from now on: those that wait, and those to come.
    func replyFromNowOn(_ reply: Reply) {
        replies.withLock { $0 = [] }
        state.withLock { $0.usual = reply }
        for _ in 0..<Self.waitingMax { permits.signal() }
    }

    /// Requests that can be waiting for the test's word at once.
    private static let waitingMax = 64

    /// Waits for a charge; false where none is made.
    @discardableResult
    func waitForCharge() -> Bool { charged.wait(timeout: .now() + .seconds(Wire.stepSecondsMax)) == .success }

    /// Takes no more requests, and lets go of those that wait.
    func end() {
        replyFromNowOn(.fail)
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
            Thread.detachNewThread { self.serve(connection) }
        }
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        guard let (head, body) = Self.read(connection) else { return }
        let key =
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("idempotency-key:") }
            .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) } ?? ""
        state.withLock { $0.requests += 1 }
        arrivals.signal()
        if state.withLock({ $0.usual }) == nil { permits.wait() }
        let reply = replies.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? state.withLock { $0.usual ?? .fail }
        switch reply {
        case .charge, .chargeSilently:
            state.withLock { if $0.charged[key] == nil { $0.charged[key] = body } }
            charged.signal()
            if case .charge = reply { Self.write(connection, "200 OK", "{\"paid\":true}") }
        case .refuse: Self.write(connection, "402 Payment Required", "{\"reason\":\"The card is expired.\"}")
        case .fail: Self.write(connection, "503 Service Unavailable", "{}")
        }
    }

    private static func read(_ connection: Int32) -> (head: String, body: String)? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(connection, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return nil }
            bytes += chunk.prefix(count)
            let text = String(decoding: bytes, as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let head = String(text[..<end.lowerBound])
            let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.split(separator: ":")[1].trimmingCharacters(in: .whitespaces)) }
            let body = String(text[end.upperBound...])
            if body.utf8.count >= length ?? 0 { return (head, body) }
        }
    }

    private static func write(_ connection: Int32, _ status: String, _ body: String) {
        let text = Array(
            "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
                .utf8)
        // MSG_NOSIGNAL: the service under test may have been killed.
        _ = unsafe text.withUnsafeBytes { unsafe send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
}
