internal import Runtime

/// How far the database had come: what is committed never falls below it again, unless commits were lost.
struct Progress: Hashable, Sendable {
    /// The sequence number of the newest log entry.
    var sequence: Int64 = 0
    /// The highest id an account was given.
    var account: Int64 = 0
    /// The highest id a session was given.
    var session: Int64 = 0

    /// Whether nothing is behind `other`.
    func reaches(_ other: Progress) -> Bool {
        sequence >= other.sequence && account >= other.account && session >= other.session
    }
}

/// The file beside a database that says which database belongs there and how far it had come.
///
/// SQLite does not notice a write-ahead log that is gone or damaged: it opens an older state, and all is well. This file does. The mark is
/// written after each commit and synced only now and then: older than the truth it is harmless, newer it cannot be.
///
/// Three sectors of 512 bytes: the store's id, and the mark twice, written in turn, each with its own hash.
struct HighWater: ~Copyable, Sendable {
    static let sectorBytes = 512
    private static let title = "storehouse mark 1\n"

    private let file: File
    private var turn = 0

    /// Opens an existing mark.
    init(path: String) throws(SystemError) {
        file = try File(path, .readWriteOrCreate)
    }

    /// Makes a mark for a new database and syncs it; the caller syncs the folder.
    static func create(path: String, storeID: [UInt8]) throws(SystemError) {
        let file = try File(path, .createNew)
        try file.write(sector(Array(title.utf8) + storeID))
        try file.write(sector(encode(Progress())), at: sectorBytes)
        try file.write(sector(encode(Progress())), at: 2 * sectorBytes)
        try file.synchronize()
    }

    /// The store's id, and the furthest mark that is whole; nil where the file is no mark.
    func read(storeIDBytes: Int) throws(SystemError) -> (storeID: [UInt8], progress: Progress)? {
        let bytes = try file.read(bytesMax: 3 * Self.sectorBytes)
        let start = Self.title.utf8.count
        guard bytes.count == 3 * Self.sectorBytes, bytes.starts(with: Self.title.utf8) else { return nil }
        let marks = [1, 2].compactMap { sector in
            Self.decode(Array(bytes[sector * Self.sectorBytes..<(sector + 1) * Self.sectorBytes]))
        }
        guard let progress = marks.max(by: { $1.reaches($0) && $0 != $1 }) else { return nil }
        return (Array(bytes[start..<start + storeIDBytes]), progress)
    }

    /// Notes how far the database is, after a commit. Not synced.
    mutating func note(_ progress: Progress) throws(SystemError) {
        turn ^= 1
        try file.write(Self.encode(progress), at: (1 + turn) * Self.sectorBytes)
    }

    /// Writes both marks and syncs: the database goes on from there, whatever was noted before.
    mutating func reset(to progress: Progress) throws(SystemError) {
        try note(progress)
        try note(progress)
        try synchronize()
    }

    /// Makes the last note durable.
    func synchronize() throws(SystemError) { try file.synchronize() }

    private static func sector(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: sectorBytes - bytes.count)
    }

    private static func encode(_ progress: Progress) -> [UInt8] {
        var form = HashedForm()
        form.put(progress.sequence)
        form.put(progress.account)
        form.put(progress.session)
        return form.bytes + Digest(of: form.bytes).bytes
    }

    private static func decode(_ sector: [UInt8]) -> Progress? {
        let fields = Array(sector[0..<24])
        guard Digest(stored: Array(sector[24..<40])) == Digest(of: fields) else { return nil }
        func field(_ index: Int) -> Int64 { fields[index * 8..<index * 8 + 8].reduce(0) { $0 << 8 | Int64($1) } }
        return Progress(sequence: field(0), account: field(1), session: field(2))
    }
}
