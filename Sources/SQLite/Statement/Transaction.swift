/// The statements that begin and end transactions on a connection, prepared once.
public final class TransactionStatements {
    private let connection: Connection
    private let beginRead: Statement
    private let beginWrite: Statement
    private let commit: Statement
    private let rollback: Statement

    /// Prepares them.
    public init(_ connection: Connection) throws(SQLiteError) {
        self.connection = connection
        beginRead = try Statement(connection, "BEGIN DEFERRED")
        beginWrite = try Statement(connection, "BEGIN IMMEDIATE")
        commit = try Statement(connection, "COMMIT")
        rollback = try Statement(connection, "ROLLBACK")
    }

    /// Begins a transaction that may write. Immediate: an upgrade in the middle could fail in a way no waiting cures.
    public func write() throws(SQLiteError) { try beginWrite.run() }

    /// Begins a transaction whose reads all see one instant, that of the first.
    public func read() throws(SQLiteError) { try beginRead.run() }

    /// Commits. If it throws, `abandon()` is still to be called.
    public func end() throws(SQLiteError) { try commit.run() }

    /// Rolls back what is open; nothing to do where an error has done it already.
    public func abandon() {
        guard connection.isInTransaction else { return }
        // A failed ROLLBACK leaves nothing to try: an open transaction is found by the next BEGIN, which fails.
        try? rollback.run()
    }
}

extension Connection {
    /// Runs `body` in a write transaction of its own; an error rolls all of it back. For set-up and migrations, not for a hot path.
    public func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            try body()
            try execute("COMMIT")
        } catch {
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }
}
