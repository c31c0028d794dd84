internal import Glibc

/// A regular file with one owner: lock files, sidecars, small configuration files. Blocking calls: never on an event loop.
public struct File: ~Copyable, Sendable {
    /// How a file is opened.
    public enum Mode: Sendable {
        case read
        /// Read and write; made with mode 0600 where it is missing.
        case readWriteOrCreate
        /// Write; must not exist yet; made with mode 0600.
        case createNew
        /// A directory, only good for `synchronize`.
        case directory
    }

    private let descriptor: Descriptor

    /// Opened at once, and closed on exec. Errors name the path; `isNotFound` and `isAlreadyThere` tell the common ones.
    public init(_ path: String, _ mode: Mode) throws(SystemError) {
        let flags: Int32 =
            switch mode {
            case .read: O_RDONLY
            case .readWriteOrCreate: O_RDWR | O_CREAT
            case .createNew: O_WRONLY | O_CREAT | O_EXCL
            case .directory: O_RDONLY | O_DIRECTORY
            }
        do throws(SystemError) {
            descriptor = Descriptor(
                adopting: Int32(try System.checked("open") { unsafe Int(open(path, flags | O_CLOEXEC, 0o600)) }))
        } catch {
            throw error.about(path)
        }
    }

    var raw: Int32 { descriptor.raw }

    /// All bytes from `offset` on, but no more than `bytesMax`.
    public func read(from offset: Int = 0, bytesMax: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: bytesMax)
        var filled = 0
        while filled < bytesMax {
            let from = filled
            let count = try System.checked("pread") {
                unsafe bytes.withUnsafeMutableBytes { buffer in
                    unsafe pread(raw, buffer.baseAddress! + from, bytesMax - from, offset + from)
                }
            }
            if count == 0 { break }
            filled += count
        }
        bytes.removeLast(bytesMax - filled)
        return bytes
    }

    /// Writes all of `bytes` at `offset`.
    public func write(_ bytes: [UInt8], at offset: Int = 0) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let from = written
            written += try System.checked("pwrite") {
                unsafe bytes.withUnsafeBytes { buffer in
                    unsafe pwrite(raw, buffer.baseAddress! + from, bytes.count - from, offset + from)
                }
            }
        }
    }

    /// Cuts or extends the file to `size` bytes.
    public func truncate(to size: Int) throws(SystemError) {
        try System.checked("ftruncate") { Int(ftruncate(raw, size)) }
    }

    /// Makes what was written durable (fsync); on a directory, its names.
    public func synchronize() throws(SystemError) {
        try System.checked("fsync") { Int(fsync(raw)) }
    }

    /// The size in bytes.
    public func size() throws(SystemError) -> Int {
        var status = stat()
        try System.checked("fstat") { unsafe Int(fstat(raw, &status)) }
        return Int(status.st_size)
    }

    /// Reads a file from its start to its end, or to `bytesMax`.
    public static func read(_ path: String, bytesMax: Int) throws(SystemError) -> [UInt8] {
        let file = try File(path, .read)
        return try file.read(bytesMax: min(bytesMax, file.size()))
    }

    /// Whether something exists at `path` (links are followed); false also where the path cannot be looked at.
    public static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// Renames within a file system, replacing what was there.
    public static func rename(_ from: String, to path: String) throws(SystemError) {
        do throws(SystemError) {
            try System.checked("rename") { unsafe Int(Glibc.rename(from, path)) }
        } catch {
            throw error.about("\(from) to \(path)")
        }
    }

    /// Removes a file's name.
    public static func remove(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try System.checked("unlink") { unsafe Int(unlink(path)) }
        } catch {
            throw error.about(path)
        }
    }
}
