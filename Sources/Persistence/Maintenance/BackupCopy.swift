internal import Runtime
internal import SQLite

extension Inspector {
    /// What every database of this service has.
    public static let pageBytes = 4_096
    /// Pages per slice of a backup: 4 MiB.
    public static let slicePages: Int32 = 1_024

    /// Makes a consistent copy of the database, also while another process serves it: one file, whole and synced before it has its name.
    ///
    /// All slices come from one read transaction, so that writes meanwhile do not start the copy over; the write-ahead log of a busy
    /// database grows for as long. `afterSlice` is told how far it is, in pages, and may wait, to limit the rate; false gives up.
    /// What has the name already is not replaced.
    public func backup(
        to destination: String, afterSlice: (_ copied: Int, _ total: Int) -> Bool = { _, _ in true }
    ) throws(StorageFault) {
        let paths = StorePaths(destination)
        let partial = destination + ".partial"
        guard StorePaths.kind(of: destination) == .missing else { throw paths.refusal("there is something of that name already") }
        for leftover in [partial, partial + "-journal", partial + "-wal", partial + "-shm"] where File.exists(leftover) {
            try paths.system { () throws(SystemError) in try File.remove(leftover) }
        }
        try paths.system { () throws(SystemError) in try File(partial, .createNew).synchronize() }
        let isWhole = try paths.sqlite { () throws(SQLiteError) in try copy(to: partial, afterSlice: afterSlice) }
        guard isWhole else {
            try paths.system { () throws(SystemError) in try File.remove(partial) }
            throw paths.refusal("the backup was given up")
        }
        try paths.system { () throws(SystemError) in
            try File(partial, .readWriteOrCreate).synchronize()
            try File.rename(partial, to: destination)
            try paths.synchronizeFolder()
        }
    }

    private func copy(to partial: String, afterSlice: (Int, Int) -> Bool) throws(SQLiteError) -> Bool {
        let copy = try Connection(path: partial, access: .create)
        try reader.transaction.read()
        defer { reader.transaction.abandon() }
        // The instant of the copy is that of the first read.
        _ = try reader.connection.pragma("user_version")
        guard try run(try Backup(from: reader.connection, to: copy), afterSlice) else { return false }
        // One portable file: without a write-ahead log of its own.
        try copy.set("journal_mode", to: "DELETE", reading: "delete")
        return true
    }

    // A function of its own, so that the backup is finished before the copy is touched again.
    private func run(_ backup: consuming Backup, _ afterSlice: (Int, Int) -> Bool) throws(SQLiteError) -> Bool {
        while true {
            let step = try backup.step(pages: Self.slicePages)
            let progress = backup.progress
            guard step != .done else { return afterSlice(progress.total, progress.total) }
            guard afterSlice(progress.total - progress.remaining, progress.total) else { return false }
        }
    }
}
