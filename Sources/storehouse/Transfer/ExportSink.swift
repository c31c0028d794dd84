internal import Runtime

/// Where an export goes: standard output, or a file that appears under its name once it is whole.
///
/// It may hold password hashes and all of an account's data: the file is its owner's only (mode 0600).
final class ExportSink {
    private static let bufferBytes = 1 << 18

    private let path: String?
    private var buffer: [UInt8] = []
    private var written = 0
    /// Why nothing more is written.
    private(set) var fault: SystemError?

    /// - Parameter path: nil for standard output.
    init(_ path: String?) throws(SystemError) {
        self.path = path
        guard let path else { return }
        try File(path + ".new", .createNew).synchronize()
    }

    func write(_ bytes: [UInt8]) {
        buffer += bytes
        if buffer.count >= Self.bufferBytes { flush() }
    }

    /// Makes the file durable and gives it its name.
    func finish() throws(SystemError) {
        flush()
        if let fault { throw fault }
        guard let path else { return }
        try File(path + ".new", .read).synchronize()
        try File.rename(path + ".new", to: path)
    }

    /// Leaves nothing behind.
    func abandon() {
        guard let path else { return }
        try? File.remove(path + ".new")
    }

    private func flush() {
        defer { buffer.removeAll(keepingCapacity: true) }
        guard fault == nil, !buffer.isEmpty else { return }
        do throws(SystemError) {
            if let path {
                try File(path + ".new", .readWriteOrCreate).write(buffer, at: written)
            } else {
                try ThisProcess.emit(buffer)
            }
            written += buffer.count
        } catch { fault = error }
    }
}
