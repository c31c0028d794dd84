import Glibc
import Runtime

/// A folder for one test, gone with it.
final class Folder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/storehouse-test-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { unsafe mkdtemp($0.baseAddress!) != nil }
        guard made else { throw SystemError(call: "mkdtemp", code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in names { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    var database: String { "\(path)/store.sqlite" }

    /// Names of what is in it, sorted.
    var names: [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var found: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { found.append(name) }
        }
        return found.sorted()
    }

    /// The bytes of a file.
    func read(_ name: String) throws -> [UInt8] {
        let file = try File("\(path)/\(name)", .read)
        return try file.read(bytesMax: max(1, try file.size()))
    }

    /// Puts bytes in place of a file.
    func write(_ bytes: [UInt8], to name: String) throws {
        let file = try File("\(path)/\(name)", .readWriteOrCreate)
        try file.truncate(to: 0)
        if !bytes.isEmpty { try file.write(bytes) }
    }

    func remove(_ name: String) throws { try File.remove("\(path)/\(name)") }

    /// The permission bits of a file.
    func mode(of name: String) -> UInt32 {
        var status = stat()
        unsafe stat("\(path)/\(name)", &status)
        return status.st_mode & 0o777
    }
}
