internal import Glibc
internal import Runtime
internal import SQLite

/// What the writer holds while a database is open: connection, statements, the mark beside the file, the lock.
final class WriterFile {
    let path: String
    let connection: Connection
    let statements: WriteStatements
    let applier: Applier
    let recent: RecentLog
    private let identity: FileIdentity?
    private var mark: HighWater
    /// Held for life; goes last.
    private let lock: ProcessLock

    init(
        path: String, connection: Connection, recent: RecentLog, mark: consuming HighWater, lock: consuming ProcessLock,
        progress: Progress
    ) throws(SQLiteError) {
        // First, since it may fail: what has one owner is moved in only once nothing can.
        let statements = try WriteStatements(connection)
        self.statements = statements
        self.path = path
        identity = FileIdentity(of: path)
        self.connection = connection
        self.recent = recent
        self.mark = mark
        self.lock = lock
        applier = Applier(connection: connection, statements: statements, recent: recent, progress: progress)
    }

    var walFrames: Int { connection.walFrames }

    /// Whether the open file still has its name. What is written into a deleted one is lost with the process.
    var isInPlace: Bool { FileIdentity(of: path) == identity }

    func checkpoint(_ mode: CheckpointMode) throws(SQLiteError) -> CheckpointResult {
        let result = try connection.checkpoint(mode)
        // Not needed for what is promised: an older mark only sees less.
        try? mark.synchronize()
        return result
    }

    /// Notes beside the database how far it is. A failure is no reason to stop: an older mark is harmless.
    func noteProgress() {
        try? mark.note(applier.committed)
    }

    /// Nothing is certain any more: closing must not move the log into the file, nor delete it.
    func leaveAsItIs() {
        try? connection.leaveLogOnClose(true)
    }

    /// The clean end: an empty log, a synced mark.
    func finish() {
        _ = try? connection.checkpoint(.truncate)
        noteProgress()
        try? mark.synchronize()
    }

    /// Whether the disk has room for what may come: a checkpoint needs up to the log's size again, and must not be what meets the end of it.
    func hasSpace(bytesMin: Int, walFrames: Int) -> Bool {
        guard bytesMin > 0 else { return true }
        var space = statvfs()
        guard unsafe statvfs(path, &space) == 0 else { return true }
        let free = Int(clamping: space.f_bavail).multipliedReportingOverflow(by: Int(clamping: space.f_frsize))
        return free.overflow || free.partialValue >= max(bytesMin, 2 * walFrames * 4_096)
    }
}
