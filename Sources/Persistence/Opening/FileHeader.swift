internal import Runtime

/// The first bytes of an SQLite file (SQLite, "Database File Format", 1.3), read before SQLite is let near it, so that a refused file stays as it was.
struct FileHeader: Equatable, Sendable {
    static let bytesCount = 100

    var pageBytes: Int
    var pages: Int
    var userVersion: Int64
    var applicationID: Int64

    /// Nil where it is no SQLite file.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.bytesCount, bytes.starts(with: Array("SQLite format 3".utf8) + [0]) else { return nil }
        func field(_ offset: Int) -> Int64 { bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) } }
        let short = Int(bytes[16]) << 8 | Int(bytes[17])
        pageBytes = short == 1 ? 65_536 : short
        pages = Int(field(28))
        userVersion = field(60)
        applicationID = field(68)
    }

    /// Reads it. Only while no connection of this process is open on the file.
    static func read(_ path: String) throws(SystemError) -> FileHeader? {
        FileHeader(try File(path, .read).read(bytesMax: bytesCount))
    }
}
