internal import Runtime
internal import SQLite
internal import Sodium

/// Makes a new database, where there is none and never was one.
struct Creation {
    let paths: StorePaths
    let model: String

    /// Makes it under another name, whole and synced, and only then gives it its own: a crash on the way leaves nothing that looks like a database.
    ///
    /// The mark is made before the last rename. A crash between the two leaves a mark and a finished database under the other name,
    /// which `finish` puts right.
    func run() throws(StorageFault) {
        for leftover in [paths.unfinished, paths.unfinished + "-wal", paths.unfinished + "-shm", paths.unfinished + "-journal"]
        where File.exists(leftover) {
            try paths.system { () throws(SystemError) in try File.remove(leftover) }
        }
        let meta = Meta(
            storeID: RandomBytes.make(Meta.storeIDBytes), generation: RandomBytes.bits64(),
            secret: RandomBytes.make(Meta.secretBytes),
            model: model)
        // Made here, so that it has mode 0600; the files SQLite adds take its mode.
        try paths.system { () throws(SystemError) in try File(paths.unfinished, .createNew).synchronize() }
        try paths.sqlite { () throws(SQLiteError) in
            let connection = try Connection(path: paths.unfinished, access: .create)
            try Schema.create(on: connection)
            try connection.transaction { () throws(SQLiteError) in try meta.store(on: connection) }
            _ = try connection.checkpoint(.truncate)
        }
        try paths.system { () throws(SystemError) in
            try HighWater.create(path: paths.mark, storeID: meta.storeID)
            try paths.synchronizeFolder()
        }
        try rename()
    }

    /// Ends a creation that was cut off just before its last step; false where that is not what happened.
    func finish(storeID: [UInt8]) throws(StorageFault) -> Bool {
        guard case .file(let bytes) = StorePaths.kind(of: paths.unfinished), bytes > 0 else { return false }
        let meta = try? paths.sqlite { () throws(SQLiteError) in
            // Not read-only: that would leave the files of a write-ahead log under this name.
            try Meta(from: try Connection(path: paths.unfinished, access: .readWrite))
        }
        guard let meta, meta.storeID == storeID else { return false }
        try rename()
        return true
    }

    private func rename() throws(StorageFault) {
        try paths.system { () throws(SystemError) in
            try File.rename(paths.unfinished, to: paths.database)
            try paths.synchronizeFolder()
        }
    }
}
