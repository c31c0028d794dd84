internal import Runtime
internal import SQLite
internal import Sodium

/// The way from a path to an open database: lock, look, check, and only then write.
struct Opening {
    let paths: StorePaths
    let model: String
    let mode: Database.Mode
    let options: Database.Options

    /// What is open at the end.
    struct Opened {
        let file: WriterFile
        let meta: Meta
        let progress: Progress
        /// The highest id of a postponed item.
        let postponedHigh: Int64
        /// The last sequence number of entries that another version of the model wrote.
        let otherVersionThrough: Int64
    }

    /// Takes the lock and opens the file for writing. A database that is refused is left as it was.
    func run() throws(StorageFault) -> Opened {
        switch StorePaths.kind(of: paths.database) {
        case .folder: throw paths.refusal("it is a folder")
        case .other: throw paths.refusal("it is not a regular file")
        case .missing where mode == .existing && !File.exists(paths.mark): throw paths.refusal("there is no database")
        case .missing, .file: break
        }
        let lock = try takeLock()
        if StorePaths.kind(of: paths.database) == .missing { try makeOrRefuse() }
        try checkHeader()
        let mark = try openMark()
        let noted = try read(mark)

        let connection = try paths.sqlite { () throws(SQLiteError) in
            try Connection(path: paths.database, access: .readWrite, busyMilliseconds: options.busyMilliseconds)
        }
        // Until all is found right, closing again must change nothing.
        try paths.sqlite { () throws(SQLiteError) in try connection.leaveLogOnClose(true) }
        var meta = try checkIdentity(connection, storeID: noted.storeID)
        var progress = try paths.sqlite { () throws(SQLiteError) in
            try Meta.progress(on: connection, stored: meta.progress)
        }
        let hasLostCommits = !progress.reaches(noted.progress)
        if hasLostCommits && !options.acceptLoss { throw loss(progress, noted.progress) }

        try prepare(connection)
        let recent = try paths.sqlite { () throws(SQLiteError) in
            try RecentLog.load(from: connection, generationMax: options.indexGeneration)
        }
        if hasLostCommits { try acceptLoss(connection, &meta, &progress, noted.progress) }
        return try assemble(connection, recent, mark, lock, meta, progress, mustResetMark: hasLostCommits)
    }

    // A function of its own, since values with one owner cannot be moved out of a closure that captures them.
    private func assemble(
        _ connection: Connection, _ recent: RecentLog, _ mark: consuming HighWater, _ lock: consuming ProcessLock, _ meta: Meta,
        _ progress: Progress,
        mustResetMark: Bool
    ) throws(StorageFault) -> Opened {
        if mustResetMark {
            do throws(SystemError) { try mark.reset(to: progress) } catch { throw paths.refusal(error.description) }
        }
        let file: WriterFile
        do throws(SQLiteError) {
            file = try WriterFile(
                path: paths.database, connection: connection, recent: recent, mark: mark, lock: lock, progress: progress)
        } catch { throw paths.refusal(error.description) }
        file.noteProgress()
        let postponedHigh = try paths.sqlite { () throws(SQLiteError) in
            try Statement(connection, "SELECT MAX(id) FROM postponed").first { row in row.integer(0) } ?? 0
        }
        let otherVersionThrough = try paths.sqlite { () throws(SQLiteError) in
            try options.modelVersion.isEmpty
                ? 0 : ModelVersion.note(options.modelVersion, on: connection, sequence: progress.sequence)
        }
        return Opened(
            file: file, meta: meta, progress: progress, postponedHigh: postponedHigh, otherVersionThrough: otherVersionThrough)
    }

    private func takeLock() throws(StorageFault) -> ProcessLock {
        do throws(ProcessLockFault) { return try ProcessLock(path: paths.lock) } catch {
            switch error {
            case .held(_, let holder?): throw .locked(path: paths.database, holder: "process \(holder)")
            case .held(_, nil): throw .locked(path: paths.database, holder: "another process")
            case .system(let error): throw paths.refusal(error.description)
            }
        }
    }

    // MARK: Looking, without SQLite

    /// Nothing is made where something was.
    private func makeOrRefuse() throws(StorageFault) {
        let creation = Creation(paths: paths, model: model)
        if File.exists(paths.mark) {
            let mark = try paths.system { () throws(SystemError) in
                try HighWater(path: paths.mark).read(storeIDBytes: Meta.storeIDBytes)
            }
            if let mark, mark.progress == Progress(), try creation.finish(storeID: mark.storeID) { return }
            throw paths.refusal(
                "the database is gone, but \(paths.mark) says there was one: put it back, restore a backup, or remove that file to start anew"
            )
        }
        if File.exists(paths.log) {
            throw paths.refusal(
                "the database is gone, but its write-ahead log \(paths.log) is there: put it back or restore a backup")
        }
        guard mode == .createIfNew else { throw paths.refusal("there is no database") }
        try creation.run()
    }

    private func checkHeader() throws(StorageFault) {
        guard case .file(let bytes) = StorePaths.kind(of: paths.database) else { throw paths.refusal("it is not a regular file") }
        guard bytes > 0 else {
            throw paths.refusal(
                "the file is empty: it was emptied, or never was a database; restore a backup, or remove it to start anew")
        }
        let header = try paths.system { () throws(SystemError) in try FileHeader.read(paths.database) }
        guard let header else { throw paths.refusal("it is not an SQLite database") }
        try check(applicationID: header.applicationID, version: header.userVersion)
        // With a write-ahead log the missing pages may be in there; then SQLite tells.
        let hasLog = StorePaths.kind(of: paths.log) != .missing && StorePaths.kind(of: paths.log) != .file(bytes: 0)
        guard hasLog || bytes >= header.pages * header.pageBytes else {
            throw paths.refusal(
                "the file is cut off: \(bytes) bytes of \(header.pages * header.pageBytes) are there; restore a backup")
        }
    }

    private func check(applicationID: Int64, version: Int64) throws(StorageFault) {
        guard applicationID == Schema.applicationID else {
            throw paths.refusal("it is an SQLite database of another application (application_id \(applicationID))")
        }
        guard version <= Schema.version else {
            throw paths.refusal(
                "it was written by a newer version (its schema is \(version), this program knows up to \(Schema.version))")
        }
    }

    private func openMark() throws(StorageFault) -> HighWater {
        guard File.exists(paths.mark) else {
            throw paths.refusal(
                "\(paths.mark) is missing, which is always beside it: was the file copied here? Use restore, or restore --adopt")
        }
        do throws(SystemError) { return try HighWater(path: paths.mark) } catch { throw paths.refusal(error.description) }
    }

    private func read(_ mark: borrowing HighWater) throws(StorageFault) -> (storeID: [UInt8], progress: Progress) {
        let noted: (storeID: [UInt8], progress: Progress)?
        do throws(SystemError) { noted = try mark.read(storeIDBytes: Meta.storeIDBytes) } catch {
            throw paths.refusal(error.description)
        }
        guard let noted else { throw paths.refusal("\(paths.mark) is damaged; use restore --adopt") }
        return noted
    }

    // MARK: Looking, with SQLite

    private func checkIdentity(_ connection: Connection, storeID: [UInt8]) throws(StorageFault) -> Meta {
        // Again, since the write-ahead log may hold a newer first page than the file.
        let applicationID = try paths.sqlite { () throws(SQLiteError) in Int64(try connection.pragma("application_id") ?? "") ?? 0
        }
        let version = try paths.sqlite { () throws(SQLiteError) in Int64(try connection.pragma("user_version") ?? "") ?? 0 }
        try check(applicationID: applicationID, version: version)
        guard version > 0, let meta = try paths.sqlite({ () throws(SQLiteError) in try Meta(from: connection) }) else {
            throw paths.refusal("what it should say about itself is missing; restore a backup")
        }
        guard meta.storeID == storeID else {
            throw paths.refusal("it is another database than the one \(paths.mark) belongs to; use restore, or restore --adopt")
        }
        guard meta.model == model else { throw .otherModel(path: paths.database, stored: meta.model, wanted: model) }
        return meta
    }

    private func loss(_ progress: Progress, _ noted: Progress) -> StorageFault {
        let missing = max(0, noted.sequence - progress.sequence)
        let others = missing == 0 ? "accounts or sessions" : "\(missing) log entries"
        return paths.refusal(
            """
            acknowledged commits are missing (\(others)): its write-ahead log was lost or damaged; put \(paths.log) back or restore \
            a backup, or accept the loss with --accept-loss, which starts a new epoch
            """)
    }

    private func acceptLoss(
        _ connection: Connection, _ meta: inout Meta, _ progress: inout Progress, _ noted: Progress
    ) throws(StorageFault) {
        // Numbers that were given out stay so; revisions may come again, under another epoch.
        progress = Progress(
            sequence: max(progress.sequence, noted.sequence), account: max(progress.account, noted.account),
            session: max(progress.session, noted.session))
        meta.generation = RandomBytes.bits64()
        meta.progress = progress
        let changed = meta
        try paths.sqlite { () throws(SQLiteError) in
            try connection.transaction { () throws(SQLiteError) in try changed.store(on: connection) }
        }
    }

    // MARK: Getting ready to write

    private func prepare(_ connection: Connection) throws(StorageFault) {
        try paths.sqlite { () throws(SQLiteError) in try connection.setUpAsWriter() }
        let wasUnclean = StorePaths.kind(of: paths.log) != .file(bytes: 0)
        if wasUnclean {
            // Moves what the last process left into the file, so that its size can be believed.
            _ = try paths.sqlite { () throws(SQLiteError) in try connection.checkpoint(.passive) }
        }
        try checkSize(connection)
        if wasUnclean, case .file(let bytes) = StorePaths.kind(of: paths.database), bytes <= options.quickCheckBytesMax {
            let findings = try paths.sqlite { () throws(SQLiteError) in try connection.quickCheck(limit: 1) }
            if let first = findings.first { throw paths.refusal("it is damaged (\(first)); restore a backup") }
        }
        try migrate(connection)
        try paths.sqlite { () throws(SQLiteError) in try connection.leaveLogOnClose(false) }
    }

    private func checkSize(_ connection: Connection) throws(StorageFault) {
        let pages = try paths.sqlite { () throws(SQLiteError) in Int(try connection.pragma("page_count") ?? "") ?? 0 }
        let pageBytes = try paths.sqlite { () throws(SQLiteError) in Int(try connection.pragma("page_size") ?? "") ?? 0 }
        guard case .file(let bytes) = StorePaths.kind(of: paths.database), bytes >= pages * pageBytes else {
            throw paths.refusal("the file is cut off: it should have \(pages * pageBytes) bytes; restore a backup")
        }
    }

    private func migrate(_ connection: Connection) throws(StorageFault) {
        try paths.sqlite { () throws(SQLiteError) in
            while let version = Int64(try connection.pragma("user_version") ?? ""), version < Schema.version {
                guard let step = Schema.migrations[version] else { preconditionFailure("no step from schema version \(version)") }
                try step.run(on: connection, to: version + 1)
            }
        }
    }
}
