internal import Runtime
internal import SQLite
internal import Sodium

/// Puts a database in its place under a new generation: from a backup, or one that was put there by other means.
///
/// A new generation gives every account a new epoch, so that clients with newer revisions start afresh instead of meeting reused ones.
public struct Restoration {
    private let paths: StorePaths

    /// `path` is where the database is to be served.
    public init(path: String) { paths = StorePaths(path) }

    /// Copies a backup into place. Nothing may be there: a database is moved away first, by whoever is sure of it.
    ///
    /// A mark that was left by the lost database is replaced; numbers of accounts and sessions it knows of are not given out again.
    public func restore(from backup: String) throws(StorageFault) {
        let lock = try takeLock()
        guard StorePaths.kind(of: paths.database) == .missing else {
            throw paths.refusal("there is a database already; move it and the files beside it away first")
        }
        guard StorePaths.kind(of: paths.log) == .missing else {
            throw paths.refusal("the write-ahead log \(paths.log) of another database is there; move it away first")
        }
        try Inspector.open(path: backup, model: nil).backupReplacingPartial(to: paths.unfinished)
        let lost = try readMark()
        let (meta, progress) = try renew(paths.unfinished, lost: lost)
        try writeMark(meta.storeID, progress)
        try paths.system { () throws(SystemError) in
            try File.rename(paths.unfinished, to: paths.database)
            try paths.synchronizeFolder()
        }
        _ = consume lock
    }

    /// Takes a database that was copied into place by other means for the one that belongs there.
    public func adopt() throws(StorageFault) {
        let lock = try takeLock()
        guard case .file(let bytes) = StorePaths.kind(of: paths.database), bytes > 0 else {
            throw paths.refusal("there is no database")
        }
        let lost = try readMark()
        let (meta, progress) = try renew(paths.database, lost: lost)
        try writeMark(meta.storeID, progress)
        try paths.system { () throws(SystemError) in try paths.synchronizeFolder() }
        _ = consume lock
    }

    private func takeLock() throws(StorageFault) -> ProcessLock {
        do throws(ProcessLockFault) { return try ProcessLock(path: paths.lock) } catch {
            throw .locked(path: paths.database, holder: error.description)
        }
    }

    /// How far the database had come that was here before; none where nothing tells.
    private func readMark() throws(StorageFault) -> Progress {
        guard File.exists(paths.mark) else { return Progress() }
        return try paths.system { () throws(SystemError) in
            try HighWater(path: paths.mark).read(storeIDBytes: Meta.storeIDBytes)?.progress ?? Progress()
        }
    }

    private func writeMark(_ storeID: [UInt8], _ progress: Progress) throws(StorageFault) {
        let next = paths.mark + ".new"
        do throws(SystemError) {
            if File.exists(next) { try File.remove(next) }
            try HighWater.create(path: next, storeID: storeID)
            var mark = try HighWater(path: next)
            try mark.reset(to: progress)
            try File.rename(next, to: paths.mark)
        } catch { throw paths.refusal(error.description) }
    }

    /// Checks a database file and draws a new generation for it.
    private func renew(_ path: String, lost: Progress) throws(StorageFault) -> (Meta, Progress) {
        let header = try paths.system { () throws(SystemError) in try FileHeader.read(path) }
        guard let header, header.applicationID == Schema.applicationID else {
            throw paths.refusal("it is not a database of storehouse")
        }
        guard header.userVersion <= Schema.version else { throw paths.refusal("it was written by a newer version") }
        return try paths.sqlite { () throws(SQLiteError) in
            let connection = try Connection(path: path, access: .readWrite)
            try connection.setUpAsWriter()
            if let first = try connection.quickCheck(limit: 1).first {
                throw SQLiteError(extended: 11, message: first, operation: "quick_check")
            }
            guard var meta = try Meta(from: connection) else {
                throw SQLiteError(extended: 11, message: "what it should say about itself is missing", operation: "restore")
            }
            var progress = try Meta.progress(on: connection, stored: meta.progress)
            progress = Progress(
                sequence: max(progress.sequence, lost.sequence), account: max(progress.account, lost.account),
                session: max(progress.session, lost.session))
            meta.generation = RandomBytes.bits64()
            meta.progress = progress
            let renewed = meta
            try connection.transaction { () throws(SQLiteError) in try renewed.store(on: connection) }
            _ = try connection.checkpoint(.truncate)
            return (renewed, progress)
        }
    }
}

extension Inspector {
    /// The same as `backup`, for a file in the making whose remains may be thrown away.
    func backupReplacingPartial(to destination: String) throws(StorageFault) {
        let paths = StorePaths(destination)
        for leftover in [destination, destination + "-wal", destination + "-shm", destination + "-journal"]
        where File.exists(leftover) {
            try paths.system { () throws(SystemError) in try File.remove(leftover) }
        }
        try backup(to: destination)
    }
}
