import Glibc

/// A blocking socket that speaks exact bytes; every wait has an end.
final class Client {
    private(set) var raw: Int32

    /// Connects to a port of this machine. `receiveBuffer`: a small window, for a client that takes little.
    init(port: UInt16, receiveBuffer: Int32? = nil) {
        raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if var size = receiveBuffer { set(SO_RCVBUF, &size) }
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        set(SO_RCVTIMEO, &patience)
        set(SO_SNDTIMEO, &patience)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = unsafe withUnsafePointer(to: address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        precondition(code == 0, "cannot connect: errno \(errno)")
    }

    deinit { close() }

    private func set<Value: BitwiseCopyable>(_ name: Int32, _ value: inout Value) {
        _ = unsafe setsockopt(raw, SOL_SOCKET, name, &value, socklen_t(MemoryLayout<Value>.size))
    }

    /// Sends all of `text`, where a line feed stands for the line end of the protocol; false where the peer is gone.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.replacingLineFeeds().utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var from = 0
        while from < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(raw, $0.baseAddress! + from, bytes.count - from, Int32(MSG_NOSIGNAL))
            }
            if count < 0 { return false }
            from += count
        }
        return true
    }

    /// What arrives next; nil at the end, after a reset, or when nothing comes for ten seconds.
    func receive(bytesMax: Int = 65_536) -> String? {
        var buffer = [UInt8](repeating: 0, count: bytesMax)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(raw, $0.baseAddress, $0.count, 0) }
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// All that arrives up to the end.
    func receiveAll() -> String {
        var all = ""
        while let more = receive() { all += more }
        return all
    }

    /// What arrives up to and with the first `count` answers.
    func receiveAnswers(_ count: Int) -> [String] {
        var all = ""
        while true {
            let answers = Answers.parse(all)
            if answers.count >= count && answers.last?.hasPrefix("?") == false { return answers }
            guard let more = receive() else { return answers }
            all += more
        }
    }

    /// Sends `text`, ends sending, and gives the answers up to the end.
    func exchange(_ text: String) -> [String] {
        send(text)
        endSending()
        return Answers.parse(receiveAll())
    }

    func endSending() { shutdown(raw, Int32(SHUT_WR)) }

    /// Closes with a reset.
    func reset() {
        var value = linger(l_onoff: 1, l_linger: 0)
        set(SO_LINGER, &value)
        close()
    }

    func close() {
        if raw >= 0 { Glibc.close(raw) }
        raw = -1
    }
}
